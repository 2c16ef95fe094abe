import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { type CalendarEntry, toCalendar } from './calendar.ts'

const MADE_AT = new Date('2026-05-04T10:00:00.123Z')
const entry: CalendarEntry = {
  uid: 'msc-1@roadworthy',
  day: '2026-12-31',
  title: 'KA-01: Brake pads',
  description: 'Due on 2026-12-31',
  updatedAt: new Date('2026-05-01T00:00:00.000Z'),
}

/** RFC 5545 §3.1 and §3.3.11, backwards: the values of a property, as a calendar program reads them. */
function read(calendar: string, property: string): string[] {
  const lines = calendar.replaceAll('\r\n ', '').split('\r\n')
  return lines
    .filter((line) => line.startsWith(`${property}:`) || line.startsWith(`${property};`))
    .map((line) => line.slice(line.indexOf(':') + 1).replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)))
}

test('an entry is a whole day with a stable id', () => {
  const calendar = toCalendar('Maintenance: KA-01', [entry], MADE_AT)
  assert.equal(
    calendar,
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Roadworthy//Maintenance//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
      ...['X-WR-CALNAME:Maintenance: KA-01', 'REFRESH-INTERVAL;VALUE=DURATION:PT6H', 'X-PUBLISHED-TTL:PT6H'],
      ...['BEGIN:VEVENT', 'UID:msc-1@roadworthy', 'DTSTAMP:20260504T100000Z', 'LAST-MODIFIED:20260501T000000Z'],
      ...['DTSTART;VALUE=DATE:20261231', 'DTEND;VALUE=DATE:20270101', 'SUMMARY:KA-01: Brake pads', 'DESCRIPTION:Due on 2026-12-31'],
      ...['TRANSP:TRANSPARENT', 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n'),
  )
})

test('a calendar without entries has a component all the same, which shows nothing: one without any is none (RFC 5545 §3.6)', () => {
  const calendar = toCalendar('Maintenance: KA-01', [], MADE_AT)
  assert.equal(
    calendar,
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Roadworthy//Maintenance//EN', 'CALSCALE:GREGORIAN'],
      ...['X-WR-CALNAME:Maintenance: KA-01', 'REFRESH-INTERVAL;VALUE=DURATION:PT6H', 'X-PUBLISHED-TTL:PT6H'],
      ...['BEGIN:VTIMEZONE', 'TZID:UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000'],
      ...['TZNAME:UTC', 'END:STANDARD', 'END:VTIMEZONE', 'END:VCALENDAR', ''],
    ].join('\r\n'),
  )
})

test('text comes back as it was, and no line is longer than 75 octets or breaks a character', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 }).map((any) => any.replace(/\p{Cc}/gu, '').toWellFormed())
  const withBreaks = fc
    .array(fc.oneof(text, fc.constantFrom(';', ',', '\\', '\\n', '\n', 'äö', '🛞')), { maxLength: 12 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, withBreaks, (title, description) => {
      const calendar = toCalendar(title, [{ ...entry, title, description }], MADE_AT)
      assert.deepEqual(read(calendar, 'SUMMARY'), [title])
      assert.deepEqual(read(calendar, 'DESCRIPTION'), [description])
      for (const line of calendar.split('\r\n')) {
        assert.ok(Buffer.byteLength(line) <= 75, line)
        assert.ok(line.isWellFormed())
      }
      assert.equal(/[^\r]\n/.test(calendar), false)
    }),
  )
})

test('what would end a line or begin another property does not', () => {
  const calendar = toCalendar('x', [{ ...entry, title: 'a\r\nATTENDEE:b\u0000\u001b', description: '\rEND:VEVENT' }], MADE_AT)
  assert.deepEqual(read(calendar, 'SUMMARY'), ['a\nATTENDEE:b'])
  assert.equal(read(calendar, 'ATTENDEE').length, 0)
  assert.equal(calendar.split('\r\n').filter((line) => line === 'END:VEVENT').length, 1)
})
