// Goal: whenever a process that seals is killed, each reading that was acknowledged is answered exactly once, before another takes over and after.
// Method: a process of its own seals a week and stops at its nth step, where it is killed; of every other week the one after it is killed too; a
// third one ends the work. What was stored is compared with what the API answers each time.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { removeOldPartitions } from '../main/database/partitions.ts'
import { startTestSurface } from '../predictions/test-surface.ts'
import type { Reading } from '../readings/reading.ts'
import { readingId } from '../readings/reading-id.ts'
import { ensureReadingPartitions } from '../readings/readings.sql.ts'
import { readingsPlatformRoutes } from '../readings/routes.platform-v1.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { killAtStep } from '../test-kill-at-step.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { FileReader } from './file-reader.ts'
import { createFolderStore } from './file-store.ts'
import { createPastReadings } from './read-past.ts'
import { sealWeeks } from './seal-weeks.ts'
import { selectSealedAcrossResellers } from './sealed-files.sql.ts'
import { DAY_MS, failOn, insertVehicle, reading, sealingDeps, store, temporaryFolder, WEEK_MS, weeksBefore } from './test-history.ts'
import type { SealingTask } from './test-sealing-process.ts'

const SCRIPT = path.join(import.meta.dirname, 'test-sealing-process.ts')
const MAX_STEPS = 200
const WEEKS = 60
const FIRST_MS = WEEK_MS - WEEKS * 7 * DAY_MS
const fleet = { acme: 'veh-aaaaaaaaaa', rival: 'veh-bbbbbbbbbb' } as const

const { database, ownerUrl } = await openTestDatabase({ after }, new Date(WEEK_MS))
await ensureReadingPartitions(database.systemPool, new Date(FIRST_MS), new Date(WEEK_MS))
for (const [resellerId, vehicleId] of Object.entries(fleet)) {
  await insertReseller(database, resellerId)
  await insertVehicle(database, resellerId, vehicleId)
}
const folder = await temporaryFolder({ after })
const fileStore = createFolderStore(folder)
const reader = new FileReader({ folders: [folder], spillFolder: fileStore.stagingFolder })
after(() => reader.close())
const past = createPastReadings({ database, store: fileStore, reader, onError: failOn })
const surface = await startTestSurface({ after }, platformSurface, [
  readingsPlatformRoutes({ database, past, now: () => new Date(WEEK_MS) }),
])
const { app, system } = databaseUrls(ownerUrl, TEST_SECRET_KEY)

const nextWeek = async () => {
  const sealed = await selectSealedAcrossResellers(database.systemPool)
  const [week] = await weeksBefore(database, new Date(WEEK_MS), sealed?.until ?? new Date(FIRST_MS))
  return week ?? assert.fail('more steps than weeks: prepare more')
}

async function answeredIds(resellerId: keyof typeof fleet): Promise<string[]> {
  const ids: string[] = []
  const span = 60 * DAY_MS
  for (let from = FIRST_MS; from < WEEK_MS; from += span) {
    const query = `from=${new Date(from).toISOString()}&to=${new Date(Math.min(from + span, WEEK_MS)).toISOString()}&limit=500`
    const { status, body } = await surface
      .as({ resellerId })
      .get<{ total: number; readings: { id: string }[] }>(`/vehicles/${fleet[resellerId]}/readings?${query}`)
    assert.deepEqual([status, body.readings?.length], [200, body.total], JSON.stringify(body).slice(0, 300))
    ids.push(...body.readings.map(({ id }) => id))
  }
  return ids
}

test('killed at every step, each acknowledged reading is answered once', async (t) => {
  const acknowledged: Reading[] = []
  const acknowledge = async (readings: readonly Reading[]) => {
    await store(database, readings)
    acknowledged.push(...readings)
  }
  for (let week = 0; week < WEEKS; week++) {
    const at = FIRST_MS + week * 7 * DAY_MS
    const signals = { coolantTempC: week }
    await acknowledge([0, 1, 2, 6].map((day) => reading({ resellerId: 'acme', vehicleId: fleet.acme }, at + day * DAY_MS, { signals })))
    await acknowledge([reading({ resellerId: 'rival', vehicleId: fleet.rival }, at, { signals })])
  }
  const check = async (when: string) => {
    for (const resellerId of ['acme', 'rival'] as const) {
      const expected = acknowledged.filter((each) => each.resellerId === resellerId).map(readingId)
      assert.deepEqual((await answeredIds(resellerId)).toSorted(), expected.toSorted(), `${resellerId}, ${when}`)
    }
  }
  const deps = await sealingDeps(t, database, system, fileStore)
  const readings = { name: 'readings', writtenBackDays: 1, keptDays: 4_000 }
  const places: string[] = []
  for (let step = 1; step <= MAX_STEPS; step++) {
    const week = await nextWeek()
    const task: SealingTask = {
      ...{ urls: { app, system }, folder, stopAtStep: step },
      work: { partition: week.partition, from: week.from.toISOString(), to: week.to.toISOString() },
    }
    const where = await killAtStep(SCRIPT, task)
    // Somebody's clock is slow: stored or refused, and what is stored is answered.
    const late = reading({ resellerId: 'acme', vehicleId: fleet.acme }, week.from.getTime() + 1000 + step, {
      signals: { coolantTempC: -step },
    })
    await acknowledge([late]).catch((error: { code?: string }) => assert.equal(error.code, '22008', String(error)))
    await check(`killed ${where}`)
    if (where === undefined) break
    places.push(where)
    if (step % 2 === 0) await killAtStep(SCRIPT, { ...task, stopAtStep: 1 + ((step * 7) % 15) })
    await check(`killed ${where}, and once more`)
    if ((await nextWeek()).from.getTime() === week.from.getTime()) await sealWeeks(deps, [week], new AbortController().signal)
    await check(`killed ${where}, and taken over`)
    await removeOldPartitions(ownerUrl, { ...readings, sealedUntil: async () => week.to }, new Date(WEEK_MS))
    await check(`killed ${where}, taken over, and gone from PostgreSQL`)
  }
  t.diagnostic(`${places.length} places: ${places.join(', ')}`)
  for (const place of ['after store.put', 'before transaction.query', 'after transaction.query', 'after readings.query']) {
    assert.ok(places.includes(place), `never killed ${place}`)
  }
  assert.deepEqual((await readdir(fileStore.stagingFolder)).length, 0, 'nothing is left of what was tried')
})
