// What a restored database must not go on with as it was when the backup was made (docs/guides/backup.md gives the reason of each, and what is left as it is).

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { skipPositionsAcrossResellers } from '../events/events.sql.ts'
import { deleteEveryFileNotLiveAcrossResellers } from '../history/sealed-files.sql.ts'
import { deleteEverySessionAcrossResellers } from '../people/sessions.sql.ts'
import { deleteEveryUserLinkAcrossResellers } from '../people/user-links.sql.ts'

/** More events than any installation logs between a backup and its loss, and few enough that nine million restores fit into a bigint. */
const SKIPPED_POSITIONS = 1_000_000_000

export type Ended = { readonly sessions: number; readonly links: number }

/** In the transaction of the restore. Schemas of before do not have every table. */
export async function endWhatIsOver(db: Db, tables: ReadonlySet<string>): Promise<Ended> {
  const has = (table: string) => tables.has(table)
  // Somebody may have signed out, or used a link, since.
  const sessions = has('sessions') ? await deleteEverySessionAcrossResellers(db) : 0
  const links = has('user_links') ? await deleteEveryUserLinkAcrossResellers(db) : 0
  if (has('events')) await skipPositionsAcrossResellers(db, SKIPPED_POSITIONS)
  if (has('sealed_readings_files')) await deleteEveryFileNotLiveAcrossResellers(db)
  return { sessions, links }
}
