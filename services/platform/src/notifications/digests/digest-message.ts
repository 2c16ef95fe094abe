// What a digest of the day says. Pure.

import { localTextAt } from '@roadworthy/service-kit/time/zoned-time'
import { oneLine } from '../../words/one-line.ts'
import type { Wording } from '../../words/wording.ts'
import { incidentLine, type Message, type Section, type Sender } from '../message.ts'
import type { DigestContent, DigestIncident, DigestWindow, DueWork, Listed } from './digest.read.sql.ts'

export type DigestFacts = {
  readonly content: DigestContent
  readonly window: DigestWindow
  readonly timeZone: string
  readonly ruleName: string
}

export function isEmptyDigest({ opened, stillOpen, resolved, work }: DigestContent): boolean {
  return [opened, stillOpen, resolved, work].every(({ count }) => count === 0)
}

export function digestMessageOf({ content, window, timeZone, ruleName }: DigestFacts, sender: Sender, wording: Wording): Message {
  const { opened, stillOpen, resolved, work } = content
  const { baseUrl } = sender
  const { language, say, said, time } = wording
  const day = wording.day(localTextAt(timeZone, window.until.getTime()).slice(0, 10))
  const incident = (each: DigestIncident) => ({
    text: incidentLine(say(`severity.${each.severity}`), each.subject, said(each.title, timeZone)),
    url: `${baseUrl}/alerts/${encodeURIComponent(each.incidentId)}`,
  })
  const openedIncident = (each: DigestIncident) =>
    incident(each.isResolved ? { ...each, title: say('digest.since_resolved', { title: said(each.title, timeZone) }) } : each)
  const due = (each: DueWork) => ({
    text: oneLine(workText(each, timeZone, wording)),
    url: `${baseUrl}/vehicles/${encodeURIComponent(each.vehicleId)}`,
  })
  return {
    ...{ language, severity: undefined, findings: [], map: undefined, acknowledge: undefined, threadId: undefined },
    subject: say('digest.subject', { day, counts: countsOf(content, wording) }),
    headline: say('digest.title', { day }),
    rows: [[say('fact.since'), `${time(window.from, timeZone)} (${timeZone})`]],
    sections: [
      sectionOf(say('digest.opened'), opened, openedIncident, wording),
      sectionOf(say('digest.still_open'), stillOpen, incident, wording),
      sectionOf(say('digest.resolved'), resolved, incident, wording),
      sectionOf(say('digest.work'), work, due, wording),
    ].filter(({ lines }) => lines.length > 0),
    link: { label: say('digest.open'), url: `${baseUrl}/` },
    why: say('digest.why', { rule: oneLine(ruleName), sender: oneLine(sender.name) }),
  }
}

/** `2 opened, 1 resolved`. */
function countsOf({ opened, stillOpen, resolved, work }: DigestContent, { say }: Wording): string {
  const counts = [
    ['digest.opened_count', opened],
    ['digest.still_open_count', stillOpen],
    ['digest.resolved_count', resolved],
    ['digest.work_count', work],
  ] as const
  return counts.flatMap(([key, { count }]) => (count === 0 ? [] : [say(key, { count })])).join(', ')
}

function sectionOf<Item>(
  title: string,
  { count, items }: Listed<Item>,
  lineOf: (item: Item) => Section['lines'][number],
  { say }: Wording,
): Section {
  const more = count - items.length
  const rest = more === 0 ? [] : [{ text: say('digest.more', { count: more }), url: undefined }]
  return { title: `${title} (${count})`, lines: [...items.map(lineOf), ...rest] }
}

function workText(
  { subject, component, title, dueAt, isOverdue }: DueWork,
  timeZone: string,
  { say, day: dayText, partWords }: Wording,
): string {
  const work = `${subject}: ${title ?? partWords(component)}`
  if (dueAt === undefined) return say(isOverdue ? 'digest.overdue' : 'digest.due', { work })
  const day = dayText(localTextAt(timeZone, dueAt.getTime()).slice(0, 10))
  return say(isOverdue ? 'digest.overdue_since' : 'digest.due_on', { work, day })
}
