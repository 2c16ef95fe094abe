// What a reading costs on a cluster and on one PostgreSQL, in processor time of each node, because on one machine the wall clock shows nothing of several. The same
// program, the same settings, a coordinator and two workers; the plain PostgreSQL is a fourth node of the same kind that is not of the cluster. Both are asked in
// turns through the store that ingest uses. Bars (issue of the scale-out): the coordinator nothing, the workers together at most 1.2 times the plain one.
//
// `one shard`: callers whose readings are of one shard, in groups of 200 and of 1000, as full groups are. `mixed`: callers with 100 readings of 100 sources each.
//
// Run: node bench/scenarios/citus.ts [--rounds 5]     Result: a line in bench/results/citus.jsonl. Needs Citus (ROADWORTHY_CITUS, see test/support/citus.ts).

import os from 'node:os'
import { parseArgs } from 'node:util'
import { distribute } from '@roadworthy/platform/cluster/distribute.sql'
import { defaultGroupCommitLimits, type GroupCommit } from '@roadworthy/platform/ingest/group-commit'
import { createReadingStore } from '@roadworthy/platform/ingest/reading-store'
import { splitByShard } from '@roadworthy/platform/ingest/shard-map'
import { type Shard, selectShardsAcrossResellers } from '@roadworthy/platform/ingest/shards.read.sql'
import { prepareDatabase } from '@roadworthy/platform/main/database/prepare-database'
import { createReading, type Reading } from '@roadworthy/platform/readings/reading'
import { ensureReadingPartitions } from '@roadworthy/platform/readings/readings.sql'
import { insertReseller } from '@roadworthy/platform/test-support'
import { type Database, openDatabase } from '@roadworthy/service-kit/postgres/db'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import pg from 'pg'
import { findCitus, TestCitus } from '../../test/support/citus.ts'
import { withCpu } from '../load/process-cost.ts'
import { keepResult } from '../load/service-under-load.ts'

const SECRET_KEY = 'secret key of a benchmark, 32 characters'
const SOURCES = 3_200
const SHARDS = 32
const ROWS = 40_000
const CALLERS = 8
const PLAIN_NODE = 3
const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const ROUNDS = Number(flags.rounds)
const START_MS = Date.now() - 3_600_000

let madeCount = 0

/** The same columns and widths as a reading of a car with a position and five sensors. */
function readingOf(sourceId: string): Reading {
  const recordedAtMs = START_MS + madeCount++
  const content = {
    ...{ recordedAtMs, position: { latitude: 48.1 + (madeCount % 1000) / 10_000, longitude: 11.5 } },
    signals: { engineSpeedRpm: 800 + (madeCount % 2000), vehicleSpeedKmh: 61, coolantTempC: 88, batteryVoltageV: 13.9, fuelLevelPct: 55 },
    ...{ attributes: { headingDeg: 90, ignition: true }, implausible: [] },
  }
  const about = { kind: 'telemetry', resellerId: 'acme', sourceId, deviceId: sourceId, vehicleId: sourceId.replace('dev', 'veh') } as const
  return createReading(content, { ...about, subClientId: undefined, receivedAtMs: Date.now() })
}

const sourceId = (nth: number) => `dev-${String(nth).padStart(12, '0')}`

/** Batches of `size`, each of sources of one shard where `shards` is given, else of as many sources as readings. */
function batchesOf(size: number, shards: readonly Shard[] | undefined): Reading[][] {
  const all = Array.from({ length: SOURCES }, (_, nth) => sourceId(nth))
  const groups =
    shards === undefined
      ? [all]
      : splitByShard(
          shards,
          all.map((id) => readingOf(id)),
        ).map(({ readings }) => readings.map((each) => each.sourceId))
  return Array.from({ length: ROWS / size }, (_, batch) => {
    const sources = groups[batch % groups.length] ?? all
    return Array.from({ length: size }, (_each, nth) => readingOf(sources[(batch * size + nth) % sources.length] ?? ''))
  })
}

async function load(store: GroupCommit, batches: readonly Reading[][]): Promise<object> {
  let next = 0
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) await store.store({ readings: batch })
    }),
  )
  return {}
}

function openStore(database: Database, group: number): GroupCommit {
  const onUnstorable = (error: unknown) => {
    throw error
  }
  // A caller's batch is a group, as when groups are full.
  return createReadingStore({ database, limits: { ...defaultGroupCommitLimits, maxReadingsPerCommit: group }, onUnstorable })
}

async function prepare(url: string): Promise<Database> {
  const urls = await prepareDatabase(url, { isGiven: true, secretKey: SECRET_KEY, log: createLogger('silent') })
  return openDatabase(urls, { appConnections: 4, systemConnections: 2, onError: (error) => console.error(error) })
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const script = findCitus(process.env['ROADWORTHY_CITUS'])
if (script === undefined)
  throw new Error('There is no Citus. ROADWORTHY_CITUS names a folder with Citus and a script that starts a cluster of it.')
const citus = await TestCitus.start(script, PLAIN_NODE)
try {
  const asSuperuser = async (nth: number, database: string, sql: string) => {
    const client = new pg.Client({ connectionString: citus.url(nth, { database }) })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await asSuperuser(0, 'roadworthy', `select citus_remove_node('127.0.0.1', ${citus.port(PLAIN_NODE)})`)
  await asSuperuser(PLAIN_NODE, 'postgres', 'create database plain owner roadworthy')
  const coordinatorUrl = citus.url(0, { user: 'roadworthy', database: 'roadworthy' })
  await (await prepare(coordinatorUrl)).close()
  await distribute(coordinatorUrl, { shardCount: SHARDS })
  const databases = {
    cluster: await prepare(coordinatorUrl),
    plain: await prepare(citus.url(PLAIN_NODE, { user: 'roadworthy', database: 'plain' })),
  }
  for (const database of Object.values(databases)) {
    await insertReseller(database, 'acme')
    await ensureReadingPartitions(database.systemPool, new Date(START_MS), new Date(START_MS + 86_400_000))
  }
  const shards = await selectShardsAcrossResellers(databases.cluster.systemPool)
  const trees = { coordinator: citus.pid(0), worker1: citus.pid(1), worker2: citus.pid(2), plain: citus.pid(PLAIN_NODE) }
  const results: Record<string, object> = {}
  for (const [name, size, of] of [
    ['one shard, groups of 200', 200, shards],
    ['one shard, groups of 1000', 1_000, shards],
    ['mixed, callers of 100', 100, undefined],
  ] as const) {
    const used: { plain: number[]; coordinator: number[]; workers: number[] } = { plain: [], coordinator: [], workers: [] }
    const stores = {
      cluster: openStore(databases.cluster, of === undefined ? 1_000 : size),
      plain: openStore(databases.plain, of === undefined ? 1_000 : size),
    }
    // Connections, plans and what is noted once of each source.
    for (const store of Object.values(stores)) await load(store, batchesOf(size, of))
    for (let round = 0; round < ROUNDS; round++) {
      const plain = await withCpu(trees, ROWS, () => load(stores.plain, batchesOf(size, of)))
      const cluster = await withCpu(trees, ROWS, () => load(stores.cluster, batchesOf(size, of)))
      used.plain.push(plain.cpuUsPerRow['plain'] ?? Number.NaN)
      used.coordinator.push(cluster.cpuUsPerRow['coordinator'] ?? Number.NaN)
      used.workers.push((cluster.cpuUsPerRow['worker1'] ?? Number.NaN) + (cluster.cpuUsPerRow['worker2'] ?? Number.NaN))
    }
    const [plain, coordinator, workers] = [median(used.plain), median(used.coordinator), median(used.workers)]
    const ratio = Math.round((workers / plain) * 100) / 100
    results[name] = {
      plainUs: plain,
      workersUs: Math.round(workers * 10) / 10,
      coordinatorUs: coordinator,
      workersToPlain: ratio,
      rounds: used,
    }
  }
  for (const database of Object.values(databases)) await database.close()
  keepResult('citus', { at: new Date().toISOString(), cpus: os.cpus().length, node: process.version, shards: SHARDS, workers: 2, results })
} finally {
  citus.remove()
}
