// A calendar file of all-day events (RFC 5545). Pure.

export type CalendarEntry = {
  /** The same in every version of the calendar, so that programs update an entry in place of adding another. */
  readonly uid: string
  readonly day: Date
  readonly title: string
  readonly description: string
  readonly updatedAt: Date
}

const DAY_MS = 86_400_000
/** RFC 5545 §3.1: octets of a line, its end not counted. */
const MAX_LINE_OCTETS = 75

export function toCalendar(name: string, entries: readonly CalendarEntry[], madeAt: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Roadworthy//Maintenance//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    // RFC 7986 §5.7, and the older name of the same.
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...entries.flatMap((entry) => eventLines(entry, madeAt)),
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
    `DTEND;VALUE=DATE:${toDay(new Date(day.getTime() + DAY_MS))}`,
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

function toDay(at: Date): string {
  return at.toISOString().slice(0, 10).replaceAll('-', '')
}
