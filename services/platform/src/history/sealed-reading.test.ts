// Goal: a reading is the same after it was a row of a file, and its digest is made again from its content, in whatever order the device sent it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReadingContent } from '../readings/reading.ts'
import type { StoredReading } from '../readings/stored-reading.ts'
import { fromSealedRow, lineOf, SealedRows } from './sealed-reading.ts'
import { reading } from './test-history.ts'

/** As PostgreSQL gives it back: the keys of jsonb by length, then by letters. */
function storedOf(content: Partial<ReadingContent>): StoredReading {
  const original = reading({ resellerId: 'acme', vehicleId: 'veh-aaaaaaaaaa', sourceId: 'dev-aaaaaaaaaa' }, 1_790_000_000_000, content)
  const { sourceId, digestHex, kind } = original
  return {
    ...{
      sourceId,
      digestHex,
      kind,
      recordedAtUs: BigInt(original.recordedAtMs) * 1000n,
      receivedAtUs: BigInt(original.receivedAtMs) * 1000n,
    },
    ...{ deviceId: sourceId, vehicleId: 'veh-aaaaaaaaaa', subClientId: null },
    ...{ latitude: original.position?.latitude ?? null, longitude: original.position?.longitude ?? null },
    signals: JSON.parse(original.signalsJson ?? '{}') as Record<string, unknown>,
    attributes: asJsonb(JSON.parse(original.attributesJson ?? '{}')) as Record<string, unknown>,
  }
}

function asJsonb(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonb)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, asJsonb(member)]))
}

function check(stored: StoredReading, keepsDigest: boolean): void {
  const row = new SealedRows().next(stored)
  assert.equal(row.digest !== null, keepsDigest)
  assert.equal(lineOf(fromSealedRow(row)), lineOf(stored))
}

test('lamps are kept in the order in which they were sent', () => {
  const lamps = { protectLamp: false, milLamp: true, redStopLamp: false, amberWarningLamp: false }
  check(storedOf({ attributes: { lamps } }), false)
  check(storedOf({ attributes: { lamps: { redStopLamp: true, milLamp: false }, extra: { b: 1, a: { d: 1, c: 2 } } } }), false)
  check(storedOf({ attributes: { lamps: { milLamp: true } } }), false)
})

test('places of up to seven decimals are whole numbers, and finer ones are as they came', () => {
  for (const [latitude, isFine] of [
    [49.012257, false],
    [-89.9999999, false],
    [1e-7, false],
    [0, false],
    [12.345678901, true],
    [1 / 3, true],
  ] as const) {
    const stored = storedOf({ position: { latitude, longitude: 8.4 } })
    assert.equal(new SealedRows().next(stored).latitudeE7 === null, isFine, String(latitude))
    check(stored, false)
  }
})

test('a digest that the content does not give is kept', () => {
  check({ ...storedOf({ signals: { coolantTempC: 90 } }), digestHex: '0102' }, true)
})

test('readings of one instant are numbered', () => {
  const rows = new SealedRows()
  const stored = storedOf({})
  const later = { ...stored, recordedAtUs: stored.recordedAtUs + 1n }
  assert.deepEqual(
    [stored, stored, later, later, stored].map((each) => rows.next(each).tie),
    [0, 1, 0, 1, 0],
  )
})
