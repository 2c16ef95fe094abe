import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'

export type HistoryEntry = { readonly at: string; readonly words: string; readonly note?: string }

const reasons = { work_done: 'work was done', false_alarm: 'a false alarm', other: 'for another reason' } as const
const enders: Readonly<Record<string, string>> = { engine: 'by itself', user: 'by a person', maintenance: 'by maintenance' }

/** What the incident knows of its own past, newest first. */
export function incidentHistory(incident: Incident, personOf: (id: string) => string): readonly HistoryEntry[] {
  const { openedAt, acknowledgedAt, acknowledgedBy, resolvedAt, resolvedBy, resolution, flapping } = incident
  const entries: HistoryEntry[] = [{ at: openedAt, words: 'Opened' }]
  if (flapping !== null) entries.push({ at: flapping.since, words: `Came back for the first time, ${flapping.count} times until now` })
  if (acknowledgedAt !== null) {
    const by = acknowledgedBy === null ? '' : ` by ${personOf(acknowledgedBy)}`
    entries.push({ at: acknowledgedAt, words: `Acknowledged${by}` })
  }
  if (resolvedAt !== null) {
    const how = resolvedBy === null ? '' : ` ${enders[resolvedBy]}`
    const why = resolution === null || resolvedBy === 'engine' ? '' : `: ${reasons[resolution.reason]}`
    const note = resolution?.note
    entries.push({ at: resolvedAt, words: `Resolved${how}${why}`, ...(note == null ? {} : { note }) })
  }
  return entries.sort((a, b) => b.at.localeCompare(a.at))
}
