// What happened to an incident, in words. Pure.

import type { Incident, IncidentStep } from '@roadworthy/contracts/platform-v1/incidents'
import { absoluteTime } from '../text/format.ts'
import { t } from '../text/translate.ts'

type HistoryKind = 'opened' | 'returned' | 'acknowledged' | 'snoozed' | 'assigned' | 'changed' | 'resolved'
export type HistoryEntry = { readonly at: string; readonly kind: HistoryKind; readonly words: string; readonly note?: string }

type NameOf = (id: string) => string
type Reason = NonNullable<Incident['resolution']>['reason']

/** The author of what the service does by itself. */
const SERVICE = 'roadworthy'
/** The clocks of two rows of one change may differ by this. */
const SAME_CHANGE_MS = 1_000

/**
 * Newest first. `steps` are what people did, as the audit log has it; the rest is of the incident itself, and so is an acknowledgement or an end that
 * the log does not have.
 */
export function incidentHistory(incident: Incident, steps: readonly IncidentStep[], personOf: NameOf): readonly HistoryEntry[] {
  const { openedAt, acknowledgedAt, acknowledgedBy, resolvedAt, flapping } = incident
  const entries: HistoryEntry[] = [{ at: openedAt, kind: 'opened', words: openingWords(incident) }]
  if (flapping !== null) {
    const words = t('Came back for the first time, {count} times until now', { count: flapping.count })
    entries.push({ at: flapping.since, kind: 'returned', words })
  }
  for (const step of steps) entries.push(...ofStep(step, personOf))
  if (acknowledgedAt !== null && !isAmong(steps, 'acknowledged', acknowledgedAt)) {
    const words = acknowledgedBy === null ? t('Acknowledged') : t('Acknowledged by {person}', { person: personOf(acknowledgedBy) })
    entries.push({ at: acknowledgedAt, kind: 'acknowledged', words })
  }
  if (resolvedAt !== null && !isAmong(steps, 'resolved', resolvedAt)) {
    entries.push({ at: resolvedAt, kind: 'resolved', words: endWords(incident), ...noteOf(incident.resolution?.note) })
  }
  return entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function isAmong(steps: readonly IncidentStep[], action: IncidentStep['action'], at: string): boolean {
  return steps.some((step) => step.action === action && Math.abs(Date.parse(step.at) - Date.parse(at)) <= SAME_CHANGE_MS)
}

/** A step that moved the incident may have assigned it, too. */
function ofStep(step: IncidentStep, personOf: NameOf): HistoryEntry[] {
  const { at, action, by, assignee, note } = step
  const person = personOf(by)
  const assigned: HistoryEntry[] =
    assignee === undefined
      ? []
      : [
          {
            ...{ at, kind: 'assigned' },
            words:
              assignee === null
                ? unassignedWords(by, person)
                : t('Assigned to {assignee} by {person}', { assignee: personOf(assignee), person }),
          },
        ]
  if (action === 'assigned' && assigned.length > 0) return assigned
  const moved: HistoryEntry = { at, ...moveOf(step, person), ...noteOf(note) }
  return [...assigned, moved]
}

function unassignedWords(by: string, person: string): string {
  return by === SERVICE ? t('Assigned to nobody: the person no longer sees it') : t('Assigned to nobody by {person}', { person })
}

function moveOf({ action, snoozedUntil, reason }: IncidentStep, person: string): Pick<HistoryEntry, 'kind' | 'words'> {
  switch (action) {
    case 'acknowledged':
      return { kind: action, words: t('Acknowledged by {person}', { person }) }
    case 'snoozed': {
      const words =
        snoozedUntil == null
          ? t('Snoozed by {person}', { person })
          : t('Snoozed until {time} by {person}', { time: absoluteTime(snoozedUntil), person })
      return { kind: action, words }
    }
    case 'reopened':
      return { kind: 'opened', words: t('Opened again by {person}', { person }) }
    case 'resolved': {
      const why = reasonName(reason)
      const words = why === undefined ? t('Resolved by {person}', { person }) : t('Resolved by {person}: {reason}', { person, reason: why })
      return { kind: action, words }
    }
    default:
      return { kind: 'changed', words: t('Changed by {person}', { person }) }
  }
}

function openingWords({ source }: Pick<Incident, 'source'>): string {
  return { engine: t('Opened: readings show it'), maintenance: t('Opened: work is due'), device: t('Opened: a device reported it') }[source]
}

function endWords({ resolvedBy, resolution }: Pick<Incident, 'resolvedBy' | 'resolution'>): string {
  if (resolvedBy === 'engine') return t('Resolved by itself')
  if (resolvedBy === 'maintenance') return t('Resolved by maintenance')
  const reason = reasonName(resolution?.reason)
  return reason === undefined ? t('Resolved') : t('Resolved by a person: {reason}', { reason })
}

function reasonName(reason: string | null | undefined): string | undefined {
  const names: Readonly<Record<Reason, string>> = {
    ...{ work_done: t('work was done'), false_alarm: t('a false alarm'), other: t('for another reason') },
  }
  return names[reason as Reason]
}

function noteOf(note: string | null | undefined): Pick<HistoryEntry, 'note'> {
  return note == null || note === '' ? {} : { note }
}
