// Removes sealed files of which every reading is older than readings are kept.

import type { Database } from '@roadworthy/service-kit/db'
import type { FileStore } from './file-store.ts'
import { removeUnfinished } from './seal-weeks.ts'
import { replaceExpiredAcrossResellers } from './sealed-files.sql.ts'

/** Answers read from them until then end first; the files go in a later round. */
export async function expireFiles(deps: { readonly database: Database; readonly store: FileStore }, before: Date): Promise<void> {
  await replaceExpiredAcrossResellers(deps.database.systemPool, before)
  await removeUnfinished(deps)
}
