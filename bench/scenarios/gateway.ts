// What a gateway costs: one device that reports for 500 vehicles beside 500 vehicles with a device each, in one database and one run. Both send
// the same readings. Look-ups are the statements of the routes and of the scoring worker; bar: behind the gateway each takes no more than
// 1.5 times what it takes with a device of its own. Ingest is measured in processor time a reading, of this process and of PostgreSQL, because the
// wall clock shows little on a shared machine: in batches of 100 vehicles, and with a reading in each call, 40 at a time.
//
// At the end 1,000 devices name one vehicle, which is as many sources for it, and it is looked up.
//
// Run: node bench/scenarios/gateway.ts [--label what] [--moments 240]     Result: a line in bench/results/gateway.jsonl

import os from 'node:os'
import { parseArgs } from 'node:util'
import { defaultGroupCommitLimits } from '@roadworthy/platform/ingest/group-commit'
import type { Inbound } from '@roadworthy/platform/ingest/inbound'
import { createIngestPipeline } from '@roadworthy/platform/ingest/pipeline'
import { unlimited } from '@roadworthy/platform/ingest/reading-quota'
import { selectHistoriesAcrossResellers, selectScoringSubjectsAcrossResellers } from '@roadworthy/platform/predictions/scoring/scoring.sql'
import { countVehicleReadings, selectReadingBuckets, selectVehicleReadings } from '@roadworthy/platform/readings/readings.read.sql'
import { insertReseller, openTestDatabase } from '@roadworthy/platform/test-support'
import { startTestServer } from '@roadworthy/service-kit/postgres/test-database'
import pg from 'pg'
import { postmasterPid, withCpu } from '../load/process-cost.ts'
import { keepResult } from '../load/service-under-load.ts'

const VEHICLES = 500
const BATCH = 100
const SINGLE_ROWS = 5_000
const SINGLES_AT_ONCE = 40
const BATCHES_AT_ONCE = 8
const CROWD = 1_000
/** A reading a minute. */
const CROWD_MOMENTS = 50
/** Of each kind; the answer is the median. */
const LOOKS = 41
const SCORED_AT_ONCE = 25
const MOMENT_MS = 30_000
const { values: flags } = parseArgs({
  options: { label: { type: 'string', default: 'as it is' }, moments: { type: 'string', default: '240' } },
})
const moments = Number(flags.moments)

const id = (prefix: string, n: number) => `${prefix}-${String(n).padStart(20, '0')}`
const GATEWAY = id('dev', 2 * VEHICLES)
const CROWDED = id('veh', 3 * VEHICLES)

type Whose = 'own' | 'gateway'
/** The vehicles with a device of their own come first. */
const vehicleOf = (whose: Whose, n: number) => id('veh', whose === 'own' ? n : VEHICLES + n)
const whoOf = (whose: Whose, n: number) =>
  whose === 'own' ? { device_id: id('dev', n) } : { device_id: GATEWAY, vehicle_id: vehicleOf(whose, n) }

const cleanUps: (() => Promise<void> | void)[] = []
const server = await startTestServer()
process.env['TEST_DATABASE_URL'] = server.url
try {
  const { database, ownerUrl } = await openTestDatabase({ after: (run) => cleanUps.push(run as () => Promise<void>) })
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  cleanUps.push(() => owner.end())
  const { rows: place } = await owner.query<{ path: string }>(`select current_setting('data_directory') as path`)
  const trees = { ingest: process.pid, postgres: postmasterPid(place[0]?.path ?? '') }
  await insertReseller(database, 'acme')

  const { ingest } = createIngestPipeline({
    database,
    directory: {
      findDevice: (_resellerId, deviceId) => {
        const n = Number(deviceId.slice('dev-'.length))
        const vehicleId = n < VEHICLES ? id('veh', n) : undefined
        return { deviceId, imei: undefined, status: 'active', subClientId: undefined, vehicleId }
      },
      findVehicle: (_resellerId, vehicleId) => ({ vehicleId, subClientId: undefined }),
      createNamedVehicle: () => undefined,
      findSubClientStatus: () => 'active',
      findTimeZone: () => 'Asia/Kolkata',
      activateDevices: async () => undefined,
    },
    now: () => new Date(),
    window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
    quota: unlimited,
    limits: defaultGroupCommitLimits,
    onUnstorable: (error) => console.error(error),
  })

  const endMs = Date.now()
  const startMs = endMs - moments * MOMENT_MS
  const inbound = (who: object, n: number, atMs: number): Inbound => {
    const signals = {
      rpm: 800 + (n % 2500),
      coolant_temp: 80 + (n % 14),
      battery_voltage: 13.7,
      speed: n % 110,
      odometer: 100_000 + n / 10,
    }
    const where = { lat: 28.4 + (n % 4000) / 10_000, lon: 77 + (n % 5000) / 10_000, heading: n % 360, ignition: true }
    const record = { ...who, ...signals, ...where, timestamp: new Date(atMs).toISOString() }
    return { resellerId: 'acme', kind: 'telemetry', record }
  }
  const store = async (batches: readonly Inbound[][], atOnce: number): Promise<void> => {
    let next = 0
    const sendAll = async () => {
      for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
        for (const { status } of await ingest(batch)) if (status !== 'stored') throw new Error(`a reading was ${status}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, sendAll))
  }
  const cpuOf = async (rows: number, run: () => Promise<void>) => {
    const { cpuUsPerRow } = await withCpu(trees, rows, async () => {
      await run()
      return {}
    })
    return cpuUsPerRow
  }

  /** In rounds, so that neither kind has a quieter machine than the other. */
  const ROUNDS = 6
  const batched: Record<Whose, Record<string, number>[]> = { own: [], gateway: [] }
  const single: Record<Whose, Record<string, number>[]> = { own: [], gateway: [] }
  const hotUpdates = await hotUpdatesSince(owner)
  for (let round = 0; round < ROUNDS; round++) {
    for (const whose of round % 2 === 0 ? (['own', 'gateway'] as const) : (['gateway', 'own'] as const)) {
      const batches: Inbound[][] = []
      const [first, last] = [Math.floor((moments * round) / ROUNDS), Math.floor((moments * (round + 1)) / ROUNDS)]
      for (let moment = first; moment < last; moment++) {
        for (let n = 0; n < VEHICLES; n += BATCH) {
          const readings = Array.from({ length: BATCH }, (_, i) =>
            inbound(whoOf(whose, n + i), moment * VEHICLES + n + i, startMs + moment * MOMENT_MS),
          )
          batches.push(readings)
        }
      }
      batched[whose].push(await cpuOf(batches.length * BATCH, () => store(batches, BATCHES_AT_ONCE)))
      // Of long ago, where no look-up goes.
      const singles = Array.from({ length: SINGLE_ROWS }, (_, i) => [
        inbound(whoOf(whose, i % VEHICLES), i, endMs - 5 * 86_400_000 + round * 3_600_000 + i),
      ])
      single[whose].push(await cpuOf(SINGLE_ROWS, () => store(singles, SINGLES_AT_ONCE)))
    }
  }
  const hot = await hotUpdates()
  await owner.query('vacuum (analyze) readings')
  await owner.query('analyze latest_states, vehicle_sources')

  const range = { from: new Date(endMs - 3_600_000), to: new Date(endMs) }
  const of = (vehicleId: string) => ({ vehicleId, range, subClientPin: undefined, signals: undefined })
  const db = database.tenantPool('acme')
  const histories = async (vehicleIds: readonly string[]) => {
    const vehicles = vehicleIds.map((vehicleId) => ({ resellerId: 'acme', vehicleId }))
    const subjects = await selectScoringSubjectsAcrossResellers(database.systemPool, vehicles)
    const wanted = subjects.map((subject) => ({ ...subject, before: new Date(endMs) }))
    return await selectHistoriesAcrossResellers(database.systemPool, wanted, { limit: 120, windowMs: 86_400_000 })
  }
  const looks: Record<string, (vehicleId: string) => Promise<unknown>> = {
    page: (vehicleId) => selectVehicleReadings(db, 'acme', of(vehicleId), { limit: 100, after: undefined }),
    count: (vehicleId) => countVehicleReadings(db, 'acme', of(vehicleId)),
    buckets: (vehicleId) => selectReadingBuckets(db, 'acme', of(vehicleId), 60),
    history: (vehicleId) => histories([vehicleId]),
  }
  const lookedUp: Record<string, object> = {}
  for (const [name, look] of Object.entries(looks)) {
    const tookMs: Record<Whose, number[]> = { own: [], gateway: [] }
    for (let i = 0; i < LOOKS; i++) {
      for (const whose of ['own', 'gateway'] as const) tookMs[whose].push(await timeOf(() => look(vehicleOf(whose, (i * 37) % VEHICLES))))
    }
    lookedUp[name] = compared(median(tookMs.own), median(tookMs.gateway))
  }
  const tookMs: Record<Whose, number[]> = { own: [], gateway: [] }
  for (let n = 0; n < VEHICLES; n += SCORED_AT_ONCE) {
    for (const whose of ['own', 'gateway'] as const) {
      const vehicleIds = Array.from({ length: SCORED_AT_ONCE }, (_, i) => vehicleOf(whose, n + i))
      tookMs[whose].push(await timeOf(() => histories(vehicleIds)))
    }
  }
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  lookedUp[`historiesOf${VEHICLES}`] = compared(sum(tookMs.own), sum(tookMs.gateway))

  for (let moment = 0; moment < CROWD_MOMENTS; moment++) {
    const batch = Array.from({ length: CROWD }, (_, i) =>
      inbound({ device_id: id('dev', 10 * VEHICLES + i), vehicle_id: CROWDED }, i, endMs - 60_000 * (moment + 1)),
    )
    await store([batch], 1)
  }
  const crowd: Record<string, number> = {}
  for (const [name, look] of Object.entries(looks)) {
    const took: number[] = []
    for (let i = 0; i < 5; i++) took.push(await timeOf(() => look(CROWDED)))
    crowd[`${name}Ms`] = round1(median(took))
  }

  const ingestUs = (all: Record<Whose, Record<string, number>[]>) => {
    const totals = (whose: Whose) => all[whose].map((each) => sum(Object.values(each)))
    const [own, gateway] = [totals('own'), totals('gateway')]
    const ratio = round2(median(gateway.map((each, i) => each / (own[i] ?? Number.NaN))))
    return { own: parts(all.own), gateway: parts(all.gateway), ratio }
  }
  keepResult('gateway', {
    at: new Date().toISOString(),
    cpus: os.cpus().length,
    node: process.version,
    label: flags.label,
    vehicles: VEHICLES,
    readingsOfEach: moments,
    lookUpMs: lookedUp,
    cpuUsPerReading: { batched: ingestUs(batched), single: ingestUs(single) },
    latestStates: hot,
    crowd: { devicesOfOneVehicle: CROWD, readings: CROWD_MOMENTS * CROWD, ...crowd },
  })
} finally {
  for (const run of cleanUps.toReversed()) await run()
  await server.stop()
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}

function compared(own: number, gateway: number) {
  return { own: round1(own), gateway: round1(gateway), ratio: round2(gateway / own) }
}

/** The median of each process's part. */
function parts(all: readonly Record<string, number>[]): Record<string, number> {
  return Object.fromEntries(Object.keys(all[0] ?? {}).map((name) => [name, round1(median(all.map((each) => each[name] ?? Number.NaN)))]))
}

/** Updates of `latest_states` from now on, and how many of them touched no index. */
async function hotUpdatesSince(owner: pg.Client): Promise<() => Promise<object>> {
  const read = async () => {
    await owner.query('select pg_stat_force_next_flush()')
    const { rows } = await owner.query<{ updates: string; hot: string }>(
      `select n_tup_upd as updates, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'latest_states'`,
    )
    return { updates: Number(rows[0]?.updates ?? 0), hot: Number(rows[0]?.hot ?? 0) }
  }
  const before = await read()
  return async () => {
    const now = await read()
    const updates = now.updates - before.updates
    return { updates, hotShare: round2((now.hot - before.hot) / updates) }
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
