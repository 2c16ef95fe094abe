// What a person may do to an incident. Pure.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { ended } from './decide-incidents.ts'
import { type Incident, type IncidentStatus, type Resolution, statusAt } from './incident.ts'

export type IncidentMove =
  | { readonly to: 'open' }
  | { readonly to: 'acknowledged' }
  | { readonly to: 'snoozed'; readonly until: Date }
  | { readonly to: 'resolved'; readonly resolution: Resolution }

/** To which statuses a person may move an incident. What is resolved stays so: what is found anew opens another. */
const movesFrom: Readonly<Record<IncidentStatus, readonly IncidentMove['to'][]>> = {
  open: ['acknowledged', 'snoozed', 'resolved'],
  acknowledged: ['open', 'snoozed', 'resolved'],
  snoozed: ['open', 'acknowledged', 'snoozed', 'resolved'],
  resolved: [],
}

/** Assumption: what can wait for longer than a quarter is resolved. */
export const MAX_SNOOZE_DAYS = 90
const DAY_MS = 86_400_000

/** A move to where the incident is already changes nothing, so that a retry is safe. */
export function moveIncident(incident: Incident, move: IncidentMove, by: { readonly id: string; readonly at: Date }): Incident {
  const from = statusAt(incident, by.at)
  if (isThere(incident, from, move)) return incident
  const possible = movesFrom[from]
  if (!possible.includes(move.to)) {
    const instead = possible.length === 0 ? 'It can become nothing else.' : `It can become ${possible.join(' or ')}.`
    throw new Problem('invalid_transition', `An incident that is ${from} cannot become ${move.to}. ${instead}`, {
      details: { status: from, field: 'status', possible },
    })
  }
  if (move.to === 'resolved') return ended(incident, by, { resolvedBy: 'user', resolution: move.resolution })
  if (move.to === 'snoozed') return { ...incident, status: 'snoozed', snoozedUntil: checkedUntil(move.until, by.at), updatedAt: by.at }
  if (move.to === 'open') return takenBack(incident, by.at)
  return { ...incident, status: 'acknowledged', acknowledgedAt: by.at, acknowledgedBy: by.id, snoozedUntil: undefined, updatedAt: by.at }
}

/** An acknowledgement or a snooze that was made by mistake. */
function takenBack(incident: Incident, at: Date): Incident {
  const nobody = { acknowledgedAt: undefined, acknowledgedBy: undefined, snoozedUntil: undefined }
  return { ...incident, status: 'open', ...nobody, updatedAt: at }
}

function isThere(incident: Incident, from: IncidentStatus, move: IncidentMove): boolean {
  return from === move.to && (move.to !== 'snoozed' || incident.snoozedUntil?.getTime() === move.until.getTime())
}

function checkedUntil(until: Date, at: Date): Date {
  const aheadMs = until.getTime() - at.getTime()
  if (aheadMs > 0 && aheadMs <= MAX_SNOOZE_DAYS * DAY_MS) return until
  throw new Problem('invalid_request', `"snoozedUntil" must be in the future, at most ${MAX_SNOOZE_DAYS} days ahead.`, {
    details: { in: 'body', field: 'snoozedUntil', maxDays: MAX_SNOOZE_DAYS },
  })
}
