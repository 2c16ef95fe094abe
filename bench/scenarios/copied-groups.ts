// What a group of readings costs, inserted and copied in, by its size: processor time of PostgreSQL and of the process that sends it, without what receives and judges
// readings. All are of one device, whose newest state is then written once a group; that costs the same either way. Both ways take turns, and the figures are medians over the rounds. From
// `FEWEST_COPIED` readings on (services/platform/src/ingest/store-group.ts) they are copied.
//
// Run: node bench/scenarios/copied-groups.ts [rounds]     Result: a line in bench/results/copied-groups.jsonl

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { prepareDatabase } from '@roadworthy/platform/main/database/prepare-database'
import { CopyPartitions } from '@roadworthy/platform/readings/copy-partitions'
import { LatestStateFold } from '@roadworthy/platform/readings/latest-state'
import { createReading, type Reading } from '@roadworthy/platform/readings/reading'
import { ReadingRows } from '@roadworthy/platform/readings/reading-rows'
import { createReadingWriter, ensureReadingPartitions, WHOLE_TABLES } from '@roadworthy/platform/readings/readings.sql'
import { insertReseller } from '@roadworthy/platform/test-support'
import { type Database, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { startEmbeddedPostgres } from '@roadworthy/service-kit/postgres/embedded-postgres'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { postmasterPid, withCpu } from '../load/process-cost.ts'
import { keepResult } from '../load/service-under-load.ts'

const SECRET_KEY = 'secret key of a benchmark, 32 characters'
const SIZES = [10, 25, 50, 100, 200, 1_000]
const ROWS = 20_000
const ROUNDS = Number(process.argv[2] ?? 5)
const START_MS = Date.now() - 3_600_000

let madeCount = 0

/** The same columns and widths as a reading of a car with a position and six sensors. */
function nextReading(): Reading {
  const nth = madeCount++
  const sourceId = 'dev-cccccccccccccccccccc'
  const content = {
    ...{ recordedAtMs: START_MS + nth, position: { latitude: 28.4 + (nth % 4000) / 10_000, longitude: 77 + (nth % 5000) / 10_000 } },
    signals: {
      ...{ engineSpeedRpm: 800 + (nth % 2500), coolantTempC: 90, batteryVoltageV: 13.7, fuelLevelPct: 50 },
      ...{ vehicleSpeedKmh: nth % 110, odometerKm: 100_000 + (nth % 1e6) / 10 },
    },
    ...{ attributes: { headingDeg: nth % 360, ignition: true }, implausible: [] },
  }
  const about = { kind: 'telemetry', resellerId: 'acme', sourceId, deviceId: sourceId, vehicleId: sourceId.replace('dev', 'veh') } as const
  return createReading(content, { ...about, subClientId: undefined, receivedAtMs: Date.now() })
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

type Store = (rows: ReadingRows, states: LatestStateFold) => Promise<void>
type Cost = { readonly postgresUs: number; readonly clientUs: number }

/** Of a reading. */
async function measure(store: Store, size: number, postgresPid: number): Promise<Cost> {
  const groups = Array.from({ length: ROWS / size }, () => Array.from({ length: size }, nextReading))
  const rows = new ReadingRows(size)
  const before = process.cpuUsage()
  const { cpuUsPerRow } = await withCpu({ postgres: postgresPid }, ROWS, async () => {
    for (const group of groups) {
      const states = new LatestStateFold()
      rows.clear()
      for (const reading of group) {
        rows.add(reading)
        states.add(reading)
      }
      await store(rows, states)
    }
    return {}
  })
  const { user, system } = process.cpuUsage(before)
  return { postgresUs: cpuUsPerRow['postgres'] ?? Number.NaN, clientUs: (user + system) / ROWS }
}

function waysOf(database: Database): Record<string, Store> {
  const { insertNewReadings, partOfNew } = createReadingWriter(WHOLE_TABLES)
  const partitions = new CopyPartitions(WHOLE_TABLES.readings)
  const db = database.tenantPool('acme')
  return {
    inserted: (rows, states) => insertNewReadings(db, rows, { states: states.states(), calls: [] }),
    copied: async (readings, states) => {
      const into = await partitions.find(db, readings.recordedMs)
      assert.ok(into.length > 0, 'the week has a partition')
      await database.copyIn('acme', [partOfNew(readings, { states: states.states(), calls: [] }, into)])
    },
  }
}

async function measureAll(database: Database, postgresPid: number): Promise<Record<string, Cost>> {
  const costs = new Map<string, Cost[]>()
  // The first round is for what is compiled and cached.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const size of SIZES) {
      for (const [way, store] of Object.entries(waysOf(database))) {
        const cost = await measure(store, size, postgresPid)
        const name = `${size} ${way}`
        if (round > 0) costs.set(name, [...(costs.get(name) ?? []), cost])
      }
    }
  }
  const medianOf = (all: readonly Cost[], of: keyof Cost) => Number(median(all.map((cost) => cost[of])).toFixed(1))
  return Object.fromEntries(
    [...costs].map(([name, all]) => [name, { postgresUs: medianOf(all, 'postgresUs'), clientUs: medianOf(all, 'clientUs') }]),
  )
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'roadworthy-bench-'))
// Started by root, PostgreSQL runs as another account, which has to get in.
chmodSync(dataDir, 0o755)
const postgres = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), log: (message) => console.error(message) })
try {
  const urls = await prepareDatabase(postgres.url, { isGiven: false, secretKey: SECRET_KEY, log: createLogger('warn') })
  const database = openDatabase(urls, { appConnections: 1, systemConnections: 1, onError: (error) => console.error(error) })
  try {
    await insertReseller(database, 'acme')
    await ensureReadingPartitions(database.systemPool, new Date(START_MS), new Date(START_MS + 7_200_000))
    const usPerReading = await measureAll(database, postmasterPid(postgres.dataPath))
    keepResult('copied-groups', {
      at: new Date().toISOString(),
      cpus: os.availableParallelism(),
      node: process.version,
      rounds: ROUNDS,
      usPerReading,
    })
  } finally {
    await database.close()
  }
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
