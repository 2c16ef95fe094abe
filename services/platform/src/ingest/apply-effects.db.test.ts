// Goal: what follows the readings of a node of a cluster waits for no other node. Method: what a node has is held by another transaction, as by one that began before the
// node hung. On a real cluster by `npm run test:citus`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectNodeShardsAcrossResellers } from '../cluster/reach.sql.ts'
import { findNode } from '../cluster/reach.ts'
import { createReading } from '../readings/reading.ts'
import { insertReseller, onACluster, openTestDatabase, storeReadings } from '../test-support.ts'
import { applyEffects } from './apply-effects.ts'

const SOURCES = 20

test('what one node keeps waiting is done later, and what the others have at once', onACluster, async (t) => {
  const { database } = await openTestDatabase(t)
  const resellerId = await insertReseller(database, 'effects')
  const nowMs = Date.now()
  const sourceIds = Array.from({ length: SOURCES }, (_, nth) => `source-${nth}`)
  await storeReadings(
    database,
    sourceIds.map((sourceId) =>
      createReading(
        { recordedAtMs: nowMs, position: undefined, signals: { coolantTempC: 88 }, attributes: {}, implausible: [] },
        { kind: 'telemetry', resellerId, sourceId, deviceId: sourceId, vehicleId: undefined, subClientId: undefined, receivedAtMs: nowMs },
      ),
    ),
  )
  const [first, second] = (await selectNodeShardsAcrossResellers(database.systemPool)) ?? []
  assert.ok(first !== undefined && second !== undefined)
  const left = async () => {
    const { rows } = await database.systemPool.query<{ source_id: string }>('select source_id from reading_effects')
    return rows.map((row) => row.source_id)
  }
  const onFirst = (await left()).filter((sourceId) => findNode([first], sourceId) !== undefined)
  assert.ok(onFirst.length > 0 && onFirst.length < (await left()).length)

  await database.system(async (db) => {
    await db.query('delete from reading_effects where source_id = $1', [onFirst[0]])
    await assert.rejects(applyEffects(database), /timeout/)
    assert.deepEqual((await left()).sort(), onFirst.sort())
  })
  assert.equal(await applyEffects(database), onFirst.filter((sourceId) => sourceId !== onFirst[0]).length)
  assert.deepEqual(await left(), [])
})
