// Goal: what each format's public documentation and tests show is read as they say, in our units. Method: a file of requests for each format, with the source
// of each and the readings that must come of it. The other tests give the parsers what nobody sends: they answer it all the same, and within bounds.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fc } from '../../../../../../test/support/fast-check.ts'
import { normalize } from '../../normalize.ts'
import { formats } from './test-formats.ts'
import { MAX_EXTRA_KEYS, type TrackerReading } from './tracker-reading.ts'

type Case = { name: string; source: string; receivedAt?: string; input: unknown; readings: TrackerReading[] }

const RECEIVED_AT = '2026-01-31T08:15:00.000Z'
const folder = new URL('golden/', import.meta.url)
const files = readdirSync(folder).map((file) => file.replace('.json', ''))
const casesOf = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Case[]
/** As JSON has it, without fields that are undefined. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

test('every format has a golden file', () => assert.deepEqual(files.sort(), Object.keys(formats).sort()))

for (const name of files) {
  for (const { name: what, source, receivedAt = RECEIVED_AT, input, readings } of casesOf(name)) {
    test(`${name}: ${what} (${source})`, () => {
      assert.deepEqual(plain(formats[name]?.(input, Date.parse(receivedAt))), readings)
    })
  }
}

const anyTime = { maxAgeMs: Number.MAX_SAFE_INTEGER, maxAheadMs: Number.MAX_SAFE_INTEGER }

/** What is stored of one reading: bounded, and nothing in it that `normalize` reads by another name than the format's mapping. */
function assertStorable(reading: TrackerReading): void {
  const { record, unread } = reading
  const extra = (record['extra'] ?? {}) as object
  assert.ok(Object.keys(extra).length <= MAX_EXTRA_KEYS && unread.length <= MAX_EXTRA_KEYS)
  assert.ok(JSON.stringify(record).length < 120_000)
  assert.ok(unread.every((key) => Object.hasOwn(extra, key)))
  assert.doesNotMatch(JSON.stringify(record), /\\u0000/)
  try {
    const { warnings = [] } = normalize(record, Date.parse(RECEIVED_AT), anyTime)
    assert.deepEqual(
      warnings.filter(({ kind }) => kind !== 'implausible'),
      [],
    )
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'invalid_request', String(error))
  }
}

/** Golden inputs with a part of them replaced: closer to what a parser reads than anything made up. */
function nearlyGolden(name: string): fc.Arbitrary<unknown> {
  const inputs = casesOf(name).map(({ input }) => input)
  return fc.constantFrom(...inputs).chain((input) => {
    if (typeof input === 'string') {
      return fc
        .tuple(fc.nat(input.length), fc.nat(8), fc.string({ unit: 'binary', maxLength: 12 }))
        .map(([at, cut, put]) => input.slice(0, at) + put + input.slice(at + cut))
    }
    const put = fc.oneof(fc.anything({ withBigInt: false, maxDepth: 2 }), fc.constant({ toString: 1, valueOf: null }))
    return fc.tuple(fc.nat(40), put).map(([nth, put]) => {
      let left = nth
      return JSON.parse(JSON.stringify(input), (_key, value) => (left-- === 0 ? JSON.parse(JSON.stringify(put) ?? 'null') : value))
    })
  })
}

for (const [name, parse] of Object.entries(formats)) {
  test(`${name}: whatever comes is read without an error, within bounds`, () => {
    const made = typeof casesOf(name)[0]?.input === 'string' ? fc.string({ unit: 'binary', maxLength: 400 }) : fc.jsonValue()
    fc.assert(
      fc.property(fc.oneof(made, nearlyGolden(name)), (input) => {
        for (const reading of parse(input, Date.parse(RECEIVED_AT))) assertStorable(reading)
      }),
      { numRuns: 400 },
    )
  })
}

test('a position without a fix is kept as it was sent, also where it is no number', () => {
  const hostile = { toString: {} }
  const bodies = {
    flespi: { ident: '1', 'position.valid': false, 'position.latitude': hostile, 'position.longitude': [1] },
    'traccar-forward': { position: { valid: false, latitude: hostile, longitude: [1] }, device: { uniqueId: '1' } },
  }
  for (const [name, body] of Object.entries(bodies)) {
    const [reading] = formats[name]?.(body, Date.parse(RECEIVED_AT)) ?? []
    assert.ok(reading !== undefined, name)
    assertStorable(reading)
    assert.equal((reading.record['extra'] as Record<string, unknown>)['position_without_fix'], '{"toString":{}},[1]', name)
  }
})

test('a thousand keys are cut to what is kept, and the others are counted', () => {
  const parameters = new URLSearchParams(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`junk_${i}`, 'x'.repeat(5_000)])))
  const [reading] = formats['osmand']?.(parameters, 0) ?? []
  assert.deepEqual([reading?.unread.length, reading?.unnamedCount], [MAX_EXTRA_KEYS, 1_000 - MAX_EXTRA_KEYS])
  assertStorable(reading as TrackerReading)
})
