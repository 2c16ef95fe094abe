// Whether a large fleet and a long past cost anything: 10,000 devices with a latest state, and 1, 5 and 20 million readings of 28 days.
//
// 1. Latency. Bar (DESIGN §8): latest locations of 10,000 devices p95 < 150 ms. Measured for a page (500 locations, the most a page holds) and
//    for the whole fleet (its 20 pages, one after the other, as a map that opens reads them); by one reader and by eight at once.
// 2. Flatness. What a row of ingest and each read cost in processor time with that many readings stored, and the ratio to the first step.
//    The span stays the same, so a partition grows as the whole does.
//
// Run: node bench/scenarios/scale.ts [--readings 5000000]     Result: a line in bench/results/scale.jsonl
// 20 million readings take about 10 GB below the folder for temporary files, which are deleted at the end.

import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { insertFleet, insertPastReadings } from '../load/fleet-in-sql.ts'
import { postmasterPid, withCpu } from '../load/process-cost.ts'
import { type Reader, readAllPages, timeReads } from '../load/read-load.ts'
import { sampleReadingJson } from '../load/sample-reading.ts'
import { keepResult, REST_BATCH_SIZE, runLoad, withServiceUnderLoad } from '../load/service-under-load.ts'

const DEVICES = 10_000
const SUB_CLIENTS = 20
const READERS = 8
const STEPS = [1_000_000, 5_000_000, 20_000_000]
const DAY_MS = 86_400_000
const SPAN_MS = 28 * DAY_MS
const READINGS_ASKED_FOR = 25
const INGEST_ROWS = 100_000
const INGEST_DEVICES = 1_000
const SETTLE_MS = 180_000

const { values: flags } = parseArgs({ options: { readings: { type: 'string', default: '5000000' } } })
const steps = STEPS.filter((step) => step <= Number(flags.readings))
const startedAtMs = Date.now()

type Fleet = { readonly deviceIds: readonly string[]; readonly vehicleIds: readonly string[] }
type Get = (path: string) => Promise<string>
type Read = { readonly repeats: number; readonly ask: (get: Get, nth: number) => Promise<unknown> }

/** Every read at a size of the store. Each asks for other things each time, where there is a choice. */
function readsAt(fleet: Fleet, readings: number): Record<string, Read> {
  const of = (ids: readonly string[], nth: number) => ids[(nth * 7919) % ids.length] ?? ''
  /** So wide that it holds as many readings of the vehicle however many there are. */
  const rangeMs = (SPAN_MS * READINGS_ASKED_FOR * DEVICES) / readings
  const range = (nth: number) => {
    const fromMs = startedAtMs - DAY_MS - rangeMs - (nth % 10) * DAY_MS
    return `from=${new Date(fromMs).toISOString()}&to=${new Date(fromMs + rangeMs).toISOString()}`
  }
  return {
    locationsPage: { repeats: 100, ask: (get) => get('/api/external/devices/locations?limit=500') },
    locationsOfFleet: { repeats: 20, ask: (get) => readAllPages(get, '/api/external/devices/locations?limit=500') },
    locationsOfSubClient: {
      repeats: 100,
      ask: (get, nth) => get(`/api/external/devices/locations?limit=500&sub_client_id=branch-${nth % SUB_CLIENTS}`),
    },
    locationOfDevice: { repeats: 400, ask: (get, nth) => get(`/api/external/devices/${of(fleet.deviceIds, nth)}/location`) },
    devicesPage: { repeats: 100, ask: (get) => get('/api/external/devices?limit=500') },
    vehiclesPage: { repeats: 100, ask: (get) => get('/api/v1/vehicles?limit=500') },
    vehiclesOfFleet: { repeats: 10, ask: (get) => readAllPages(get, '/api/v1/vehicles?limit=500') },
    predictionsPage: { repeats: 100, ask: (get) => get('/api/v1/predictions?limit=500') },
    alertsPage: { repeats: 100, ask: (get) => get('/api/v1/alerts?limit=100') },
    readingsOfVehicle: {
      repeats: 400,
      ask: (get, nth) => get(`/api/v1/vehicles/${of(fleet.vehicleIds, nth)}/readings?limit=500&${range(nth)}`),
    },
  }
}

/** Each device sends where it is, through the receiver, and every vehicle is scored as it would be. */
async function sendLatest({ baseUrl, apiKey }: Reader, owner: pg.Client, deviceIds: readonly string[]): Promise<void> {
  for (let first = 0; first < deviceIds.length; first += REST_BATCH_SIZE) {
    const records = deviceIds.slice(first, first + REST_BATCH_SIZE).map((id, i) => sampleReadingJson(id, startedAtMs - DAY_MS, first + i))
    const response = await fetch(new URL('/api/external/telemetry/batch', baseUrl), {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: `{"records":[${records.join(',')}]}`,
    })
    if (response.status !== 200) throw new Error(`the batch answered ${response.status}: ${await response.text()}`)
  }
  await settle(owner)
}

/** Waits until every vehicle that reported something is scored, so that scoring is no part of what is measured next. */
async function settle(owner: pg.Client): Promise<void> {
  for (const endsAt = performance.now() + SETTLE_MS; performance.now() < endsAt; await sleep(500)) {
    const { rows } = await owner.query('select from latest_states where due limit 1')
    if (rows.length === 0) return
  }
  throw new Error(`vehicles are still to be scored after ${SETTLE_MS / 1000} s`)
}

type Cost = Record<string, Record<string, number>>
const round1 = (value: number) => Math.round(value * 10) / 10

await withServiceUnderLoad(async ({ service, postgres, reader }) => {
  const owner = new pg.Client({ connectionString: postgres.url })
  // When something fails the server is stopped under it, and what failed is what to report.
  owner.on('error', () => undefined)
  await owner.connect()
  const { deviceIds } = await insertFleet(owner, { devices: DEVICES, subClients: SUB_CLIENTS })
  const vehicles = await owner.query<{ vehicle_id: string }>('select vehicle_id from vehicles')
  const fleet: Fleet = { deviceIds, vehicleIds: vehicles.rows.map(({ vehicle_id }) => vehicle_id) }
  await sendLatest(reader, owner, deviceIds)
  const trees = { service: service.pid ?? 0, postgres: postmasterPid(postgres.dataPath) }
  const log = (message: string) => console.error(`${Math.round((Date.now() - startedAtMs) / 1000)} s: ${message}`)

  let loads = 0
  const ingest = async () => {
    // Each load is of other devices, at another hour, so that no reading is known and no state older than the one before.
    const first = (loads * INGEST_DEVICES) % DEVICES
    const startMs = startedAtMs - DAY_MS + ++loads * 600_000
    const { rowsPerS, p50Ms, p99Ms, cpuUsPerRow } = await withCpu(trees, INGEST_ROWS, () =>
      runLoad<{ rowsPerS: number; p50Ms: number; p99Ms: number }>('rest-load.ts', {
        ...reader,
        ...{ deviceIds: deviceIds.slice(first, first + INGEST_DEVICES), connections: 40, startMs },
        ...{ batchSize: REST_BATCH_SIZE, batches: INGEST_ROWS / REST_BATCH_SIZE },
      }),
    )
    return { rowsPerS, p50Ms, p99Ms, cpuUs: cpuUsPerRow }
  }
  const readOnce = async ({ repeats, ask }: Read, connections: number) => {
    const { cpuUsPerRow, ...latencies } = await withCpu(trees, repeats, () =>
      timeReads(reader, { connections, count: repeats }, async (get, nth) => void (await ask(get, nth))),
    )
    return { ...latencies, cpuUs: cpuUsPerRow }
  }

  await ingest()
  await settle(owner)
  const measured: object[] = []
  const costs: Cost[] = []
  let stored = 0
  for (const readings of steps) {
    const filledAt = performance.now()
    const ticks = (readings - stored) / DEVICES
    const span = { from: new Date(startedAtMs - DAY_MS - SPAN_MS), to: new Date(startedAtMs - DAY_MS) }
    await insertPastReadings(owner, { ticks, phase: steps.indexOf(readings) / 10, ...span })
    stored = readings
    log(`${readings} readings after ${Math.round((performance.now() - filledAt) / 1000)} s of filling`)
    await settle(owner)
    const reads: Record<string, object> = {}
    const cost: Cost = {}
    for (const [name, read] of Object.entries(readsAt(fleet, readings))) {
      await readOnce({ ...read, repeats: Math.ceil(read.repeats / 10) }, 1)
      const alone = await readOnce(read, 1)
      const together = readings === steps[0] || name.startsWith('locations') ? await readOnce(read, READERS) : undefined
      reads[name] = { alone, ...(together === undefined ? {} : { [`by${READERS}`]: together }) }
      cost[name] = alone.cpuUs
      log(`${name}: ${JSON.stringify(reads[name])}`)
    }
    const ingests = [await ingest(), await ingest(), await ingest()].sort((a, b) => totalOf(a.cpuUs) - totalOf(b.cpuUs))
    cost['ingestRow'] = ingests[1]?.cpuUs ?? {}
    log(`ingest: ${JSON.stringify(ingests)}`)
    costs.push(cost)
    measured.push({ readings, load1Min: round1(os.loadavg()[0] ?? Number.NaN), reads, ingests })
    await settle(owner)
  }
  await owner.end()
  keepResult('scale', {
    at: new Date(startedAtMs).toISOString(),
    cpus: os.cpus().length,
    node: process.version,
    devices: DEVICES,
    costRatioToFirstStep: costs.slice(1).map((cost) => ratiosTo(costs[0] ?? {}, cost)),
    measured,
  })
})

function totalOf(cpuUs: Record<string, number>): number {
  return Object.values(cpuUs).reduce((sum, us) => sum + us, 0)
}

/** Processor time of service and PostgreSQL together, next to what it was. */
function ratiosTo(first: Cost, cost: Cost): Record<string, number> {
  const ratio = (name: string, cpuUs: Record<string, number>) => Math.round((totalOf(cpuUs) / totalOf(first[name] ?? {})) * 100) / 100
  return Object.fromEntries(Object.entries(cost).map(([name, cpuUs]) => [name, ratio(name, cpuUs)]))
}
