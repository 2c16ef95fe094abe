// Goal: a reseller moves between one PostgreSQL and a cluster, in both directions, and is the same: to the last value, and to what the engine is asked about its
// vehicles. Method: real installations of both kinds; an engine at the edge that remembers what it is asked.

import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { createEngineClient } from '../predictions/engine/engine-client.ts'
import { startFakeEngine } from '../predictions/engine/test-engine.ts'
import { scoreDueVehicles } from '../predictions/scoring/score-due-vehicles.ts'
import { benchSettings, never } from '../predictions/test-bench.ts'
import { onACluster } from '../test-support.ts'
import {
  asOwner,
  exportMover,
  fillMover,
  type Installation,
  importMover,
  MOVER,
  openInstallation,
  openInstallationOnOnePostgres,
  sumsOf,
  temporaryFolder,
} from './test-moving.ts'

test('from a cluster to one PostgreSQL and from there to another cluster, everything stays what it was', onACluster, async (t) => {
  const folder = temporaryFolder(t)
  const onCluster = await fillMover(t)
  const left = await exportMover(onCluster, path.join(folder, 'left'))
  const onOne = await openInstallationOnOnePostgres(t)
  assert.equal((await importMover(t, left.folder, onOne)).readings.newCount, 1_504)
  const back = await exportMover(onOne, path.join(folder, 'back'))
  assert.deepEqual(sumsOf(back), sumsOf(left))
  const onAnother = await openInstallation(t)
  assert.equal((await importMover(t, back.folder, onAnother)).readings.newCount, 1_504)
  const again = await importMover(t, back.folder, onAnother)
  assert.deepEqual([again.isResumed, again.readings], [true, { newCount: 0, knownCount: 1_504 }])
  assert.deepEqual(sumsOf(await exportMover(onAnother, path.join(folder, 'again'))), sumsOf(left))

  const asked = await askedOf(t, onCluster)
  assert.equal(asked.length, 1)
  assert.ok((asked[0]?.history?.length ?? 0) > 50, 'with history')
  assert.deepEqual(await askedOf(t, onOne), asked)
  assert.deepEqual(await askedOf(t, onAnother), asked)
})

/** What the engine is asked when the reseller's vehicles are scored. */
async function askedOf(t: { after(run: () => Promise<void>): void }, { database, ownerUrl }: Installation) {
  const engine = await startFakeEngine()
  t.after(engine.stop)
  await database.systemPool.query(`update latest_states set due = (reseller_id = $1), score_after = '-infinity'`, [MOVER])
  const client = createEngineClient({ engineUrl: engine.url, random: () => 0, retryDelayMs: 1, batchTimeoutMs: 10_000 })
  const fail = (_details: unknown, message: string) => assert.fail(message)
  const deps = { database, engine: client, recorders: [], now: () => new Date(), log: { warn: fail, error: fail } }
  assert.equal((await scoreDueVehicles(deps, benchSettings, never)).scored, 1)
  await asOwner({ ownerUrl }, async (db) => assert.equal((await db.query('select from reading_effects')).rowCount, 0))
  return engine.seen
}
