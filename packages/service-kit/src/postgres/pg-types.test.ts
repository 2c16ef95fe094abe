import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { parseTimestamptz, pgTypes } from './pg-types.ts'

const byDriver = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown

test('a time is what the driver would make of it, in whatever form PostgreSQL writes it', () => {
  const usual = ['2026-03-04 05:06:07+00', '1999-12-31 23:59:59.9+00', '2024-02-29 00:00:00.12+00', '0100-01-01 00:00:00.001+00']
  const unusual = [
    '2026-03-04 05:06:07.5+05:30',
    '12026-01-01 00:00:00+00',
    '0044-03-15 12:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    'infinity',
    '-infinity',
  ]
  for (const text of [...usual, ...unusual]) assert.deepEqual(parseTimestamptz(text), byDriver(text), text)
})

test('microseconds are cut off, not rounded', () => {
  assert.equal((parseTimestamptz('2026-03-04 05:06:07.123999+00') as Date).toISOString(), '2026-03-04T05:06:07.123Z')
  assert.equal((parseTimestamptz('1969-12-31 23:59:59.000001+00') as Date).toISOString(), '1969-12-31T23:59:59.000Z')
})

test('other types are the driver’s own', () => {
  const { INT4, JSONB, TIMESTAMPTZ } = pg.types.builtins
  for (const oid of [INT4, JSONB]) assert.equal(pgTypes.getTypeParser(oid, 'text'), pg.types.getTypeParser(oid, 'text'))
  assert.equal(pgTypes.getTypeParser(TIMESTAMPTZ, 'text'), parseTimestamptz)
})
