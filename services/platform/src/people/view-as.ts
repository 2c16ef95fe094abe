// A person of the reseller looks at everything as a viewer of one sub-client does. The session itself is held to the sub-client, where every
// request finds its caller, so that no route has to know of it. It only ever takes rights away, and who is of a sub-client cannot choose another.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { type Author, type Origin, writeAudit } from '../audit/audit.ts'
import { hashKeyText } from '../keys/key-text.ts'
import { selectSubClientExists } from '../keys/keys.sql.ts'
import { type Session, updateViewedSubClient } from './sessions.sql.ts'

export type ViewAsDeps = { readonly database: Database; readonly now: () => Date }

/** The sub-client of the person, whatever they look as. */
export function ownSubClientOf({ viewing, subClientId }: Session): string | undefined {
  return viewing === undefined ? subClientId : undefined
}

/** From the next request on; another one than now is looked as without a stop in between. */
export async function startViewing(
  { database, now }: ViewAsDeps,
  { token, session }: { readonly token: string; readonly session: Session },
  subClientId: string,
  origin: Origin,
): Promise<void> {
  const { resellerId, userId, viewing } = session
  if (ownSubClientOf(session) !== undefined) {
    throw new Problem('missing_scope', 'You belong to one sub-client, and look at that one only.')
  }
  await database.tenant(resellerId, async (db) => {
    if (!(await selectSubClientExists(db, resellerId, subClientId))) {
      throw new Problem('not_found', `There is no sub-client ${JSON.stringify(subClientId)}.`)
    }
    await updateViewedSubClient(db, resellerId, hashKeyText(token), subClientId)
    await writeAudit(db, authorOf(session, now(), origin), {
      action: 'user.view_as_started',
      objectId: userId,
      subClientId,
      before: { viewAs: viewing?.subClientId },
      after: { viewAs: subClientId },
    })
  })
}

/** Repeating it is fine. */
export async function stopViewing(
  { database, now }: ViewAsDeps,
  { token, session }: { readonly token: string; readonly session: Session },
  origin: Origin,
): Promise<void> {
  const { resellerId, userId, viewing } = session
  if (viewing === undefined) return
  const { subClientId } = viewing
  await database.tenant(resellerId, async (db) => {
    await updateViewedSubClient(db, resellerId, hashKeyText(token), null)
    await writeAudit(db, authorOf(session, now(), origin), {
      action: 'user.view_as_stopped',
      objectId: userId,
      subClientId,
      before: { viewAs: subClientId },
      after: { viewAs: undefined },
    })
  })
}

function authorOf({ resellerId, userId }: Session, at: Date, origin: Origin): Author {
  return { resellerId, type: 'user', id: userId, at, ...origin }
}
