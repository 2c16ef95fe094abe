// Goal: whenever a process that rewrites files is killed, each reading is in the live files once, or, of the vehicle that is to be left out, once or not at
// all; and the next one ends the work and leaves nothing behind.
// Method: a process of its own leaves one vehicle after the other out of one file, and is killed one step later each time.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { killAtStep } from '../test-kill-at-step.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { createFolderStore } from './file-store.ts'
import { isOf, rewriteWithout } from './rewrite-files.ts'
import { removeUnfinished, sealWeeks } from './seal-weeks.ts'
import { readSealedFile } from './sealed-file.ts'
import { selectLiveFiles } from './sealed-files.sql.ts'
import { DAY_MS, reading, sealingDeps, store, temporaryFolder, WEEK_MS, weeksBefore } from './test-history.ts'
import type { SealingTask } from './test-sealing-process.ts'

const SCRIPT = path.join(import.meta.dirname, 'test-sealing-process.ts')
const MAX_STEPS = 60

test('killed at every step, every other reading is there once', async (t) => {
  const { database, ownerUrl } = await openTestDatabase({ after }, new Date(WEEK_MS))
  const { app, system } = databaseUrls(ownerUrl, TEST_SECRET_KEY)
  await insertReseller(database, 'acme')
  const folder = await temporaryFolder({ after })
  const deps = await sealingDeps({ after }, database, system, createFolderStore(folder))
  const vehicles = Array.from({ length: MAX_STEPS + 1 }, (_, n) => `veh-${String(n).padStart(10, '0')}`)
  await store(
    database,
    vehicles.flatMap((vehicleId) => [1, 2].map((n) => reading({ resellerId: 'acme', vehicleId }, WEEK_MS + n))),
  )
  await sealWeeks(deps, await weeksBefore(database, new Date(WEEK_MS + 7 * DAY_MS)), new AbortController().signal)
  const held = async () => {
    const counts = new Map<string, number>()
    for (const file of await selectLiveFiles(database.systemPool, 'acme')) {
      for await (const part of readSealedFile(deps.duckdb, deps.store, file.path)) {
        for (const { vehicleId } of part) counts.set(vehicleId ?? '', (counts.get(vehicleId ?? '') ?? 0) + 1)
      }
    }
    return counts
  }
  const places: string[] = []
  for (let step = 1; step <= MAX_STEPS; step++) {
    const [without, others] = [vehicles[step - 1] ?? '', vehicles.slice(step)]
    const work = { resellerId: 'acme', withoutVehicleId: without }
    const where = await killAtStep(SCRIPT, { urls: { app, system }, folder, stopAtStep: step, work } satisfies SealingTask)
    const counts = await held()
    assert.ok([undefined, 2].includes(counts.get(without)), `killed ${where}`)
    for (const vehicleId of others) assert.equal(counts.get(vehicleId), 2, `${vehicleId}, killed ${where}`)
    await rewriteWithout(deps, 'acme', isOf({ vehicleId: without }))
    assert.deepEqual([...(await held()).keys()].sort(), others, `killed ${where}, and ended by the next`)
    if (where === undefined) break
    places.push(where)
  }
  t.diagnostic(`${places.length} places: ${places.join(', ')}`)
  for (const place of ['after store.put', 'before transaction.query', 'after transaction.query'])
    assert.ok(places.includes(place), `never killed ${place}`)
  await database.systemPool.query(`update sealed_readings_files set state_since = now() - interval '1 hour' where state = 'replaced'`)
  await removeUnfinished(deps)
  assert.equal((await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet')).length, 1)
  assert.equal((await readdir(deps.store.stagingFolder)).length, 0)
})
