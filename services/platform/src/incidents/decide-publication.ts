// Which changes of an incident are events. Pure.

import { severityRank } from '@roadworthy/signals/severity'
import type { IncidentTransition } from './decide-incidents.ts'

/** What changes by itself is published at most this often, unless it gets graver than was published. Assumption: as long as one counts as come back. */
export const CHANGE_EVERY_MS = 3_600_000

export type IncidentEventType = 'incident.opened' | 'incident.updated' | 'incident.resolved'
export type PublishedTransition = IncidentTransition & { readonly event: IncidentEventType | undefined }

/** Notes on the incident what will have been published of it. `byPerson`: somebody waits for the answer, and it is always published. */
export function decidePublication(transition: IncidentTransition, at: Date, byPerson = false): PublishedTransition {
  const { before, after } = transition
  const event = eventOf(transition, at, byPerson)
  if (event === undefined) return { ...transition, event }
  const changedAt = event === 'incident.updated' && !byPerson ? at : after.published.changedAt
  const published = {
    isLive: event !== 'incident.resolved',
    severity: after.severity,
    changedAt: before === undefined ? undefined : changedAt,
  }
  return { ...transition, after: { ...after, published }, event }
}

function eventOf({ before, after, joined }: IncidentTransition, at: Date, byPerson: boolean): IncidentEventType | undefined {
  if (before === undefined) return 'incident.opened'
  const { published } = before
  if (after.status === 'resolved') {
    if (before.status === 'resolved') return undefined
    // Where it came back unpublished, it is still known as resolved.
    return published.isLive || after.resolvedBy !== 'engine' ? 'incident.resolved' : undefined
  }
  const isGraver = severityRank[after.severity] > severityRank[published.severity]
  const isNews = !published.isLive || after.severity !== published.severity || after.status !== before.status || joined
  if (byPerson || isGraver) return 'incident.updated'
  const isDamped = published.changedAt !== undefined && at.getTime() - published.changedAt.getTime() < CHANGE_EVERY_MS
  return isNews && !isDamped ? 'incident.updated' : undefined
}
