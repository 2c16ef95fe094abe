// Which messages about an incident are due by a rule, and when to look again. Pure.

import { type Incident, statusAt } from '../../incidents/incident.ts'
import { firstAllowed } from './hours.ts'
import { isAbout, type Rule, type RuledIncident } from './rule.ts'

/** A message that was decided, to each of its recipients. */
export type DoneStep = { readonly step: string; readonly at: Date }
export type DueStep = { readonly step: string; readonly recipients: readonly string[] }
export type Decision = { readonly due: readonly DueStep[]; readonly nextAt: Date | undefined }

const MINUTE_MS = 60_000
/** Assumption: who did not act on so many messages will not on the next. */
export const MAX_REPEATS = 50
const NOTHING: Decision = { due: [], nextAt: undefined }

/** `done`: of this rule and incident. */
export function decide(
  incident: RuledIncident & Pick<Incident, 'status' | 'snoozedUntil'>,
  rule: Rule,
  done: readonly DoneStep[],
  { at, timeZone }: { readonly at: Date; readonly timeZone: string },
): Decision {
  const status = statusAt(incident, at)
  if (!isAbout(rule, incident) || status === 'acknowledged' || status === 'resolved') return NOTHING
  if (status === 'snoozed') return { due: [], nextAt: incident.snoozedUntil }
  const waiting = stepsAhead(incident, rule, done)
  const ready = waiting.filter(({ dueAt }) => dueAt <= at)
  const allowedAt = allowedFrom(incident, rule, { at, timeZone })
  if (allowedAt === undefined) return NOTHING
  if (ready.length > 0 && allowedAt > at) return { due: [], nextAt: allowedAt }
  const ahead = stepsAhead(incident, rule, [...done, ...ready.map(({ step }) => ({ step, at }))])
  const nextMs = Math.min(...ahead.map(({ dueAt }) => dueAt.getTime()))
  return { due: ready, nextAt: ahead.length === 0 ? undefined : new Date(nextMs) }
}

/** From when on the rule may send something of the incident: another attempt at a message waits for that too. Undefined where its hours leave none. */
export function allowedFrom(
  { severity }: Pick<RuledIncident, 'severity'>,
  rule: Rule,
  { at, timeZone }: { readonly at: Date; readonly timeZone: string },
): Date | undefined {
  return rule.criticalAtAnyHour && severity === 'critical' ? at : firstAllowed(rule, timeZone, at)
}

/** Those that come next, each by when. */
function stepsAhead({ openedAt }: RuledIncident, rule: Rule, done: readonly DoneStep[]): (DueStep & { readonly dueAt: Date })[] {
  const { recipients, repeatMinutes, escalation } = rule
  const first = done.find(({ step }) => step === 'first')
  if (first === undefined) return [{ step: 'first', recipients, dueAt: openedAt }]
  const isEscalated = done.some(({ step }) => step === 'escalation')
  const ahead = []
  if (escalation !== undefined && !isEscalated) {
    ahead.push({ step: 'escalation', recipients: escalation.recipients, dueAt: minutesAfter(first.at, escalation.afterMinutes) })
  }
  const repeats = done.filter(({ step }) => step.startsWith('repeat.'))
  if (repeatMinutes !== undefined && repeats.length < MAX_REPEATS) {
    const lastAt = new Date(Math.max(...[first, ...repeats].map((each) => each.at.getTime())))
    const all = isEscalated ? [...new Set([...recipients, ...(escalation?.recipients ?? [])])] : recipients
    ahead.push({ step: `repeat.${repeats.length + 1}`, recipients: all, dueAt: minutesAfter(lastAt, repeatMinutes) })
  }
  return ahead
}

function minutesAfter(at: Date, minutes: number): Date {
  return new Date(at.getTime() + minutes * MINUTE_MS)
}
