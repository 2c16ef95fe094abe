// What a link in a message does: it shows the incident, and acknowledges it once, as the person whom the message was sent to.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Author, Origin } from '../../audit/audit.ts'
import { isOwnerWritable } from '../../fleet/sub-client-access.ts'
import { changeIncidentWithin } from '../../incidents/change-incident.ts'
import { statusAt } from '../../incidents/incident.ts'
import { type ShownIncident, selectIncidentOwnersAcrossResellers, selectIncidents } from '../../incidents/incidents.read.sql.ts'
import { isServed } from '../../limits/plans.ts'
import { selectUser, type User } from '../../people/users.sql.ts'
import { subjectText } from '../../readings/alarm.ts'
import { selectReseller } from '../../resellers/resellers.sql.ts'
import type { Notification } from '../notification.ts'
import { selectNotification, updateNotificationAcknowledged } from '../notifications.sql.ts'
import { isAudience } from '../send-notification.ts'
import { selectSubjectName } from '../subject-name.read.sql.ts'
import type { AcknowledgeLinks, LinkedMessage } from './acknowledge-link.ts'

/** What is shown of an incident to who has the link. */
export type LinkedIncident = {
  readonly incident: ShownIncident
  readonly subject: string
  readonly user: User
  readonly timeZone: string
}

/** `open`: it can be acknowledged. `settled`: it needs nobody any more. `used`: by this link before. */
export type LinkState =
  | { readonly kind: 'forged' | 'gone' | 'not allowed' }
  | { readonly kind: 'expired'; readonly expiresAt: Date }
  | ({ readonly kind: 'open'; readonly expiresAt: Date } & LinkedIncident)
  | ({ readonly kind: 'used'; readonly usedAt: Date } & LinkedIncident)
  | ({ readonly kind: 'settled'; readonly settledBy: Settler | undefined; readonly settledAt: Date | undefined } & LinkedIncident)

/** A person who is still there, or the kind of who is not one. */
export type Settler = { readonly email: string } | 'api_key' | 'somebody_removed'

export type AcknowledgeDeps = {
  readonly database: Database
  readonly links: AcknowledgeLinks
  /** The database's clock, or a test's. */
  readonly now: () => Promise<Date>
}

/** Changes nothing: scanners of mails open links. */
export async function readLink({ database, links, now }: AcknowledgeDeps, token: string): Promise<LinkState> {
  const message = links.read(token)
  if (message === undefined) return { kind: 'forged' }
  const at = await now()
  return await database.tenant(message.resellerId, async (db) => await stateOf(db, message, at, 'unlocked'))
}

/** What it was before; `open` is acknowledged now. Of several at once, one finds it open. */
export async function useLink({ database, links, now }: AcknowledgeDeps, token: string, origin: Origin): Promise<LinkState> {
  const message = links.read(token)
  if (message === undefined) return { kind: 'forged' }
  const at = await now()
  const { resellerId, notificationId } = message
  return await database.tenant(resellerId, async (db) => {
    const state = await stateOf(db, message, at, 'locked')
    if (state.kind !== 'open') return state
    const { incident, user } = state
    const author: Author = { resellerId, type: 'user', id: user.userId, at, ...origin }
    const change = { incidentId: incident.incidentId, move: { to: 'acknowledged' }, assignee: undefined } as const
    const isChanged = await changeIncidentWithin(db, { resellerId, subClientPin: user.subClientId }, change, author)
    // Somebody else did, between the look and the lock.
    if (!isChanged) return await stateOf(db, message, at, 'locked')
    await updateNotificationAcknowledged(db, resellerId, notificationId, at)
    return state
  })
}

/** Whether somebody may change incidents, so that a message to them carries a link. */
export function mayAcknowledge({ role }: User): boolean {
  return role === 'owner' || role === 'member'
}

async function stateOf(
  db: Db,
  { resellerId, notificationId, expiresAt }: LinkedMessage & { expiresAt: Date },
  at: Date,
  lock: 'locked' | 'unlocked',
): Promise<LinkState> {
  if (expiresAt <= at) return { kind: 'expired', expiresAt }
  const notification = await selectNotification(db, resellerId, notificationId, lock)
  const reseller = await selectReseller(db, resellerId)
  if (notification?.incidentId === undefined || reseller === undefined) return { kind: 'gone' }
  const filter = { incidentId: notification.incidentId, subClientPin: undefined }
  const [incident] = await selectIncidents(db, resellerId, filter, pageRequest('incidents', { limit: 1 }, 'newest first'))
  if (incident === undefined) return { kind: 'gone' }
  const user = await selectUser(db, resellerId, notification.recipient, undefined)
  const owner = (await selectIncidentOwnersAcrossResellers(db, [incident])).get(subjectText(incident))
  if (!isServed(reseller.subscription) || !isAudience(user, owner) || !mayAcknowledge(user)) return { kind: 'not allowed' }
  if (!(await isOwnerWritable(db, resellerId, owner))) return { kind: 'not allowed' }
  const linked = { incident, subject: await selectSubjectName(db, incident), user, timeZone: reseller.timeZone }
  return { ...linked, ...(await settledOr(db, notification, incident, at, expiresAt)) }
}

async function settledOr(db: Db, { acknowledgedAt }: Notification, incident: ShownIncident, at: Date, expiresAt: Date) {
  if (acknowledgedAt !== undefined) return { kind: 'used', usedAt: acknowledgedAt } as const
  const status = statusAt(incident, at)
  if (status === 'open' || status === 'snoozed') return { kind: 'open', expiresAt } as const
  const [settledBy, settledAt] =
    status === 'resolved' ? [undefined, incident.resolvedAt] : [incident.acknowledgedBy, incident.acknowledgedAt]
  return { kind: 'settled', settledBy: await settlerOf(db, incident.resellerId, settledBy), settledAt } as const
}

async function settlerOf(db: Db, resellerId: string, id: string | undefined): Promise<Settler | undefined> {
  if (id === undefined || !id.startsWith('usr-')) return id === undefined ? undefined : 'api_key'
  return (await selectUser(db, resellerId, id, undefined)) ?? 'somebody_removed'
}
