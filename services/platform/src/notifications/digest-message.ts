// What a digest of the day says. Pure.

import { localTextAt } from '@roadworthy/service-kit/zoned-time'
import type { DigestContent, DigestIncident, DigestWindow, DueWork, Listed } from './digest.read.sql.ts'
import { type Message, oneLine, SEVERITY_WORDS, type Section, type Sender, timeText } from './message.ts'

export type DigestFacts = {
  readonly content: DigestContent
  readonly window: DigestWindow
  readonly timeZone: string
  readonly ruleName: string
}

export function isEmptyDigest({ opened, stillOpen, resolved, work }: DigestContent): boolean {
  return [opened, stillOpen, resolved, work].every(({ count }) => count === 0)
}

export function digestMessageOf({ content, window, timeZone, ruleName }: DigestFacts, sender: Sender): Message {
  const { opened, stillOpen, resolved, work } = content
  const { baseUrl } = sender
  const day = localTextAt(timeZone, window.until.getTime()).slice(0, 10)
  const counts: [count: number, words: string][] = [
    [opened.count, 'opened'],
    [stillOpen.count, 'still open'],
    [resolved.count, 'resolved'],
    [work.count, 'maintenance due'],
  ]
  const said = counts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`])).join(', ')
  const incident = (each: DigestIncident) => ({
    text: oneLine(`${SEVERITY_WORDS[each.severity]}: ${each.subject}: ${each.title}`),
    url: `${baseUrl}/alerts/${encodeURIComponent(each.incidentId)}`,
  })
  const due = (each: DueWork) => ({
    text: oneLine(workText(each, timeZone)),
    url: `${baseUrl}/vehicles/${encodeURIComponent(each.vehicleId)}`,
  })
  return {
    ...{
      subject: `Digest of ${day}: ${said}`,
      headline: `Digest of ${day}`,
      severity: undefined,
      findings: [],
      acknowledgeUrl: undefined,
      threadId: undefined,
    },
    rows: [['Since', `${timeText(window.from, timeZone)} (${timeZone})`]],
    sections: [
      sectionOf('Opened', opened, incident),
      sectionOf('Still open', stillOpen, incident),
      sectionOf('Resolved', resolved, incident),
      sectionOf('Maintenance due', work, due),
    ].filter(({ lines }) => lines.length > 0),
    link: { label: 'Open the dashboard', url: `${baseUrl}/` },
    why: `You get this digest by the rule "${oneLine(ruleName)}" of ${oneLine(sender.name)}.`,
  }
}

function sectionOf<Item>(title: string, { count, items }: Listed<Item>, lineOf: (item: Item) => Section['lines'][number]): Section {
  const more = count - items.length
  const rest = more === 0 ? [] : [{ text: `and ${more} more`, url: undefined }]
  return { title: `${title} (${count})`, lines: [...items.map(lineOf), ...rest] }
}

function workText({ subject, component, title, dueAt, isOverdue }: DueWork, timeZone: string): string {
  const day = dueAt === undefined ? '' : ` ${localTextAt(timeZone, dueAt.getTime()).slice(0, 10)}`
  const when = isOverdue ? `overdue${day === '' ? '' : ` since${day}`}` : `due${day}`
  return `${subject}: ${title ?? component.replaceAll('_', ' ')}, ${when}`
}
