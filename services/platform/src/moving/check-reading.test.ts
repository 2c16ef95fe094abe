import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredReading } from '../readings/stored-reading.ts'
import { checkReading } from './check-reading.ts'

const span = { from: new Date('2026-09-28T00:00:00Z'), to: new Date('2026-10-01T00:00:00Z') }
const us = (at: string) => BigInt(Date.parse(at)) * 1000n
const good: StoredReading = {
  ...{ sourceId: 'dev-aaaaaaaaaa.veh-bbbbbbbbbb', recordedAtUs: us('2026-09-28T00:00:00Z'), receivedAtUs: us('2026-09-28T00:00:01Z') },
  ...{ digestHex: 'ab'.repeat(16), kind: 'telemetry', deviceId: 'dev-aaaaaaaaaa', vehicleId: null, subClientId: 'north' },
  ...{ latitude: 1, longitude: null, signals: { coolantTempC: 90 }, attributes: {} },
}

test('a reading of the week of its file is stored; whatever a file may hold else is refused by what is wrong', () => {
  checkReading(good, span, 'file')
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ sourceId: "dev-a' or true" }, /source is no id/],
    [{ sourceId: 7 }, /source is no id/],
    [{ recordedAtUs: us('2026-10-01T00:00:00Z') }, /not of the week of its file/],
    [{ recordedAtUs: 5 }, /not of the week of its file/],
    [{ receivedAtUs: -1n }, /received at no time/],
    [{ digestHex: 'AB' }, /digest is none/],
    [{ kind: 'other' }, /neither telemetry nor a track point/],
    [{ vehicleId: 'a/b' }, /an id is none/],
    [{ latitude: Number.POSITIVE_INFINITY }, /position is none/],
    [{ signals: [] }, /no signals/],
    [{ attributes: { extra: 'x'.repeat(6_000_000) } }, /more than 5242880 characters/],
    [{ attributes: { note: 'a\0b' } }, /NUL/],
  ]
  for (const [change, reason] of wrong) assert.throws(() => checkReading({ ...good, ...change } as StoredReading, span, 'file'), reason)
})

test('whatever the API took of a body of 1 MiB is stored, numbers that were sent shorter than they are written too', () => {
  const sent = `{"extra":{"a":[${Array.from({ length: 200_000 }, () => '1e20').join()}]}}`
  assert.ok(sent.length < 1024 * 1024)
  for (const attributes of [JSON.parse(sent) as object, { extra: { a: Array.from({ length: 130 }, () => 'x'.repeat(8_000)) } }]) {
    const characters = checkReading({ ...good, attributes } as StoredReading, span, 'file')
    assert.equal(characters, JSON.stringify([good.signals, attributes]).length)
  }
})
