// Durable ingest against the ceiling: how many of the same rows the same PostgreSQL takes by multi-row insert into the same table with
// the same indexes, in the same run, with the service idle. The ceiling uses the fastest form we know: binary parameters prepared
// beforehand, a thousand rows a statement, the best of one, two and four connections.
//
// Run: node bench/scenarios/ingest.ts     Result: a line in bench/results/ingest.jsonl

import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { byteaArrayFromHex, float8Array, jsonbArray, textArray, timestamptzArray } from '@roadworthy/service-kit/pg-arrays'
import pg from 'pg'
import { cpuSecondsOfTree } from '../load/process-cost.ts'
import { keepResult, REST_BATCH_SIZE, runLoad, withServiceUnderLoad } from '../load/service-under-load.ts'

const DEVICES = 200
const ROWS = 200_000
const CEILING_ROWS = 100_000
const ROWS_PER_STATEMENT = 1_000

async function measureCeiling(url: string): Promise<Record<string, number>> {
  const rates: Record<string, number> = {}
  for (const connections of [1, 2, 4]) {
    const statements = Array.from({ length: CEILING_ROWS / ROWS_PER_STATEMENT }, (_, s) =>
      ceilingRows(connections * 1_000_000_000 + s * ROWS_PER_STATEMENT),
    )
    const clients = await Promise.all(
      Array.from({ length: connections }, async () => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        return client
      }),
    )
    const startedAt = performance.now()
    let next = 0
    await Promise.all(
      clients.map(async (client) => {
        while (next < statements.length) await client.query(PLAIN_INSERT, statements[next++])
      }),
    )
    rates[connections] = Math.round((CEILING_ROWS / (performance.now() - startedAt)) * 1000)
    await Promise.all(clients.map((client) => client.end()))
  }
  return rates
}

const PLAIN_INSERT = `
  insert into readings (source_id, recorded_at, digest, reseller_id, sub_client_id, device_id, vehicle_id, kind, received_at,
                        latitude, longitude, signals, attributes)
  select * from unnest($1::text[], $2::timestamptz[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                       $9::timestamptz[], $10::float8[], $11::float8[], $12::jsonb[], $13::jsonb[])`

/** The same columns, widths and order of arrival as the service writes for `sampleReadingJson`. */
function ceilingRows(from: number): Buffer[] {
  const numbers = Array.from({ length: ROWS_PER_STATEMENT }, (_, i) => from + i)
  const device = (n: number) => `dev-${String(Math.floor(n / 100) % DEVICES).padStart(20, 'c')}`
  const nowMs = Date.now()
  return [
    textArray(numbers.map(device)),
    timestamptzArray(numbers.map((n) => nowMs - 3_600_000 + (n % 3_000_000))),
    byteaArrayFromHex(numbers.map(() => randomBytes(16).toString('hex'))),
    textArray(numbers.map(() => 'demo')),
    textArray(numbers.map(() => null)),
    textArray(numbers.map(device)),
    textArray(numbers.map(() => 'veh-cccccccccccccccccccc')),
    textArray(numbers.map(() => 'telemetry')),
    timestamptzArray(numbers.map(() => nowMs)),
    float8Array(numbers.map((n) => 28.4 + (n % 4000) / 10_000)),
    float8Array(numbers.map((n) => 77 + (n % 5000) / 10_000)),
    jsonbArray(
      numbers.map((n) =>
        JSON.stringify({
          engineSpeedRpm: 800 + (n % 2500),
          coolantTempC: 90,
          batteryVoltageV: 13.7,
          fuelLevelPct: 50,
          vehicleSpeedKmh: n % 110,
          odometerKm: 100_000 + (n % 1e6) / 10,
        }),
      ),
    ),
    jsonbArray(numbers.map((n) => JSON.stringify({ headingDeg: n % 360, ignition: true }))),
  ]
}

function postmasterPid(dataPath: string): number {
  const [file] = globSync(`${dataPath}/**/postmaster.pid`)
  if (file === undefined) throw new Error(`no postmaster.pid below ${dataPath}`)
  return Number(readFileSync(file, 'utf8').split('\n')[0])
}

/** Runs a load and tells what each of its rows cost in CPU time, where the machine can say. */
async function withCpu<T extends object>(
  trees: Record<string, number>,
  rows: number,
  run: () => Promise<T>,
): Promise<T & { cpuUsPerRow: Record<string, number> }> {
  const read = () => Object.entries(trees).map(([name, pid]) => [name, cpuSecondsOfTree(pid)] as const)
  const before = new Map(read())
  const result = await run()
  const used = read().map(([name, after]): [string, number] => [
    name,
    Math.round((((after ?? Number.NaN) - (before.get(name) ?? Number.NaN)) * 1e7) / rows) / 10,
  ])
  return { ...result, cpuUsPerRow: Object.fromEntries(used) }
}

/** All that was stored, the ceiling's rows too. */
async function countReadings(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ n: string }>('select count(*) as n from readings')
  await client.end()
  return Number(rows[0]?.n)
}

await withServiceUnderLoad(async ({ service, postgres, prepareLoads }) => {
  const { restPlan, mqttPlan } = await prepareLoads(DEVICES)
  const startMs = Date.now() - 3_600_000
  await runLoad('rest-load.ts', { ...restPlan, batches: 300, startMs: startMs - 7_200_000 })
  const before = await measureCeiling(postgres.url)
  const trees = { service: service.pid ?? 0, postgres: postmasterPid(postgres.dataPath) }
  const rest = await withCpu(trees, ROWS, () =>
    runLoad<{ rowsPerS: number; p50Ms: number; p99Ms: number }>('rest-load.ts', { ...restPlan, batches: ROWS / REST_BATCH_SIZE, startMs }),
  )
  const mqtt = await withCpu(trees, ROWS / 2, () =>
    runLoad<{ rowsPerS: number }>('mqtt-load.ts', { ...mqttPlan, publishesEach: ROWS / 2 / DEVICES, startMs: startMs + 1_800_000 }),
  )
  const after = await measureCeiling(postgres.url)

  const ceiling = Math.max(...Object.values(before), ...Object.values(after))
  keepResult('ingest', {
    at: new Date().toISOString(),
    cpus: os.cpus().length,
    node: process.version,
    ceilingRowsPerS: ceiling,
    ceilings: { before, after },
    rest: { ...rest, ofCeiling: Number((rest.rowsPerS / ceiling).toFixed(3)) },
    mqtt: { ...mqtt, ofCeiling: Number((mqtt.rowsPerS / ceiling).toFixed(3)) },
    rowsInStore: await countReadings(postgres.url),
  })
})
