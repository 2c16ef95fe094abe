import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { t } from '../text/translate.ts'

export type HistoryEntry = { readonly at: string; readonly words: string; readonly note?: string }

/** What the incident knows of its own past, newest first. */
export function incidentHistory(incident: Incident, personOf: (id: string) => string): readonly HistoryEntry[] {
  const { openedAt, acknowledgedAt, acknowledgedBy, resolvedAt, resolution, flapping } = incident
  const entries: HistoryEntry[] = [{ at: openedAt, words: t('Opened') }]
  if (flapping !== null)
    entries.push({ at: flapping.since, words: t('Came back for the first time, {count} times until now', { count: flapping.count }) })
  if (acknowledgedAt !== null) {
    const words = acknowledgedBy === null ? t('Acknowledged') : t('Acknowledged by {person}', { person: personOf(acknowledgedBy) })
    entries.push({ at: acknowledgedAt, words })
  }
  if (resolvedAt !== null) {
    const note = resolution?.note
    entries.push({ at: resolvedAt, words: endWords(incident), ...(note == null ? {} : { note }) })
  }
  return entries.sort((a, b) => b.at.localeCompare(a.at))
}

function endWords({ resolvedBy, resolution }: Pick<Incident, 'resolvedBy' | 'resolution'>): string {
  if (resolvedBy === 'engine') return t('Resolved by itself')
  if (resolvedBy === 'maintenance') return t('Resolved by maintenance')
  return resolution === null ? t('Resolved') : t('Resolved by a person: {reason}', { reason: reasonName(resolution.reason) })
}

function reasonName(reason: NonNullable<Incident['resolution']>['reason']): string {
  return { work_done: t('work was done'), false_alarm: t('a false alarm'), other: t('for another reason') }[reason]
}
