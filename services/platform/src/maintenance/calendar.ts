// A calendar file of all-day events (RFC 5545). Pure.

import { dayAfter } from '@roadworthy/service-kit/time/zoned-time'

export type CalendarEntry = {
  /** The same in every version of the calendar, so that programs update an entry in place of adding another. */
  readonly uid: string
  /** `2026-12-31`. */
  readonly day: string
  readonly title: string
  readonly description: string
  readonly updatedAt: Date
}

/** RFC 5545 §3.1: octets of a line, its end not counted. */
const MAX_LINE_OCTETS = 75

/** RFC 5545 §3.6: a calendar has a component. A zone is one that no program shows, and that takes away the events of before. */
const NO_EVENT: readonly string[] = [
  ...['BEGIN:VTIMEZONE', 'TZID:UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000'],
  ...['TZNAME:UTC', 'END:STANDARD', 'END:VTIMEZONE'],
]

/** What the calendar of a vehicle is for which nothing is planned. */
export const EMPTY_CALENDAR_EXAMPLE = toCalendar('Maintenance: KA-01', [], new Date('2026-05-04T10:00:00.000Z'))

export function toCalendar(name: string, entries: readonly CalendarEntry[], madeAt: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Roadworthy//Maintenance//EN',
    'CALSCALE:GREGORIAN',
    // RFC 5546 §3.2.1: what is published has an event.
    ...(entries.length === 0 ? [] : ['METHOD:PUBLISH']),
    `X-WR-CALNAME:${escaped(name)}`,
    // RFC 7986 §5.7, and the older name of the same.
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...(entries.length === 0 ? NO_EVENT : entries.flatMap((entry) => eventLines(entry, madeAt))),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventLines({ uid, day, title, description, updatedAt }: CalendarEntry, madeAt: Date): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${toUtc(madeAt)}`,
    `LAST-MODIFIED:${toUtc(updatedAt)}`,
    `DTSTART;VALUE=DATE:${toDay(day)}`,
    `DTEND;VALUE=DATE:${toDay(dayAfter(day))}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(description)}`,
    // It is in nobody's way.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** RFC 5545 §3.3.11. What is no text at all is left out. */
function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')
}

/** RFC 5545 §3.1, between characters and never within one. */
function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > MAX_LINE_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += length
  }
  return text
}

function toUtc(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

function toDay(day: string): string {
  return day.replaceAll('-', '')
}
