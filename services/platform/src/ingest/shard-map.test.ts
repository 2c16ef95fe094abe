import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText } from '@roadworthy/service-kit/postgres/hash-text'
import { createReading, type Reading } from '../readings/reading.ts'
import { splitByShard } from './shard-map.ts'
import type { Shard } from './shards.read.sql.ts'

const shard = (shardId: string, from: number, to: number): Shard => ({
  ...{ shardId, from, to, node: { host: '127.0.0.1', port: 5432 } },
  tables: { readings: `readings_${shardId}`, latestStates: `latest_states_${shardId}`, effects: `reading_effects_${shardId}` },
})

const readingOf = (sourceId: string, deviceId: string | undefined): Reading =>
  createReading(
    { recordedAtMs: 0, position: undefined, signals: {}, attributes: {}, implausible: [] },
    { kind: 'telemetry', resellerId: 'acme', sourceId, deviceId, vehicleId: undefined, subClientId: undefined, receivedAtMs: 0 },
  )

test('each reading is in the shard whose range holds the hash of its source, both ends included', () => {
  const ids = Array.from({ length: 200 }, (_, nth) => `dev-${nth.toString(36).padStart(8, '0')}`)
  // Ranges that begin and end at hashes that occur.
  const [low = 0, high = 0] = [hashText(ids[7] ?? ''), hashText(ids[8] ?? '')].sort((a, b) => a - b)
  const shards = [shard('1', -(2 ** 31), low - 1), shard('2', low, low), shard('3', low + 1, high), shard('4', high + 1, 2 ** 31 - 1)]
  const readings = ids.map((id) => readingOf(id, id))
  const parts = splitByShard(shards, readings)
  for (const { shard: of, readings: own, heard, indices } of parts) {
    assert.deepEqual(heard, [])
    assert.deepEqual(
      own,
      indices.map((index) => readings[index]),
    )
    for (const { sourceId } of own) assert.ok(hashText(sourceId) >= of.from && hashText(sourceId) <= of.to, `${sourceId} in ${of.shardId}`)
  }
  assert.equal(parts.flatMap(({ indices }) => indices).length, ids.length)
  assert.deepEqual(parts.map(({ shard: of }) => of.shardId).sort(), ['1', '2', '3', '4'])
})

test('of a reading that a device sent of a vehicle that it named, the shard of the device hears the device', () => {
  const [source, device] = ['dev-gateway01.veh-carried01', 'dev-gateway01']
  const middle = Math.min(hashText(source), hashText(device))
  const parts = splitByShard([shard('1', -(2 ** 31), middle), shard('2', middle + 1, 2 ** 31 - 1)], [readingOf(source, device)])
  const countsOf = (id: string) =>
    parts
      .filter(({ shard: { from, to } }) => hashText(id) >= from && hashText(id) <= to)
      .map((part) => [part.readings.length, part.heard.length])
  assert.deepEqual([countsOf(source), countsOf(device)], [[[1, 0]], [[0, 1]]])
})
