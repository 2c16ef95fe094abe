// Durable ingest against the ceiling: how many of the same rows the same PostgreSQL takes by multi-row insert into the same table with
// the same indexes, in the same run, with the service idle. Two ceilings: `values`, the statement everybody means, `insert … values
// (…), (…)` with a parameter for each value; and `arrays`, binary arrays prepared beforehand and unnested in FROM. (In the select list,
// as the service has them since, they take an eighth less of PostgreSQL's time; the yardstick stays as it was.) Both a thousand rows a
// statement, the best of one, two and four connections. The loads' bodies are prepared beforehand too.
//
// The speed of a shared machine changes within seconds, so ceilings and loads take turns, and the ratio is the median over the rounds.
//
// Run: node bench/scenarios/ingest.ts [rounds]     Result: a line in bench/results/ingest.jsonl

import { randomBytes } from 'node:crypto'
import os from 'node:os'
import { byteaArrayFromHex, float8Array, jsonbArray, textArray, timestamptzArray } from '@roadworthy/service-kit/postgres/pg-arrays'
import pg from 'pg'
import { postmasterPid, withCpu } from '../load/process-cost.ts'
import { keepResult, REST_BATCH_SIZE, runLoad, withServiceUnderLoad } from '../load/service-under-load.ts'

const DEVICES = 200
const ROWS = 100_000
const CEILING_ROWS = 50_000
const ROWS_PER_STATEMENT = 1_000
const CONNECTION_COUNTS = [1, 2, 4]
const ROUNDS = Number(process.argv[2] ?? 5)

let ceilingRowsMade = 0

/** Rows a second by connection count. */
async function measureCeiling(url: string, statementOf: (rows: readonly Row[]) => pg.QueryConfig): Promise<number> {
  const rates: number[] = []
  for (const connections of CONNECTION_COUNTS) {
    const statements = Array.from({ length: CEILING_ROWS / ROWS_PER_STATEMENT }, () => statementOf(ceilingRows()))
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
        for (let statement = statements[next++]; statement !== undefined; statement = statements[next++]) await client.query(statement)
      }),
    )
    rates.push(Math.round((CEILING_ROWS / (performance.now() - startedAt)) * 1000))
    await Promise.all(clients.map((client) => client.end()))
  }
  return Math.max(...rates)
}

const COLUMNS = `source_id, recorded_at, digest, reseller_id, sub_client_id, device_id, vehicle_id, kind, received_at,
                 latitude, longitude, signals, attributes`

type Row = ReturnType<typeof ceilingRow>

function ceilingRows(): Row[] {
  return Array.from({ length: ROWS_PER_STATEMENT }, () => ceilingRow(ceilingRowsMade++))
}

/** The same columns, widths and order of arrival as the service writes for `sampleReadingJson`. */
function ceilingRow(n: number) {
  const deviceId = `dev-${String(Math.floor(n / 100) % DEVICES).padStart(20, 'c')}`
  return {
    deviceId,
    recordedAtMs: Date.now() - 3_600_000 + (n % 3_000_000),
    digestHex: randomBytes(16).toString('hex'),
    vehicleId: 'veh-cccccccccccccccccccc',
    receivedAtMs: Date.now(),
    latitude: 28.4 + (n % 4000) / 10_000,
    longitude: 77 + (n % 5000) / 10_000,
    signalsJson: JSON.stringify({
      engineSpeedRpm: 800 + (n % 2500),
      coolantTempC: 90,
      batteryVoltageV: 13.7,
      fuelLevelPct: 50,
      vehicleSpeedKmh: n % 110,
      odometerKm: 100_000 + (n % 1e6) / 10,
    }),
    attributesJson: JSON.stringify({ headingDeg: n % 360, ignition: true }),
  }
}

function arraysStatement(rows: readonly Row[]): pg.QueryConfig {
  const text = `
    insert into readings (${COLUMNS})
    select * from unnest($1::text[], $2::timestamptz[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                         $9::timestamptz[], $10::float8[], $11::float8[], $12::jsonb[], $13::jsonb[])`
  const values = [
    textArray(rows.map((row) => row.deviceId)),
    timestamptzArray(rows.map((row) => row.recordedAtMs)),
    byteaArrayFromHex(rows.map((row) => row.digestHex)),
    textArray(rows.map(() => 'demo')),
    textArray(rows.map(() => null)),
    textArray(rows.map((row) => row.deviceId)),
    textArray(rows.map((row) => row.vehicleId)),
    textArray(rows.map(() => 'telemetry')),
    timestamptzArray(rows.map((row) => row.receivedAtMs)),
    float8Array(rows.map((row) => row.latitude)),
    float8Array(rows.map((row) => row.longitude)),
    jsonbArray(rows.map((row) => row.signalsJson)),
    jsonbArray(rows.map((row) => row.attributesJson)),
  ]
  return { text, values }
}

function valuesStatement(rows: readonly Row[]): pg.QueryConfig {
  const values = rows.flatMap((row) => [
    ...[
      row.deviceId,
      new Date(row.recordedAtMs),
      Buffer.from(row.digestHex, 'hex'),
      'demo',
      null,
      row.deviceId,
      row.vehicleId,
      'telemetry',
    ],
    ...[new Date(row.receivedAtMs), row.latitude, row.longitude, row.signalsJson, row.attributesJson],
  ])
  const width = values.length / rows.length
  const tuple = (row: number) => `(${Array.from({ length: width }, (_, column) => `$${row * width + column + 1}`).join(',')})`
  return { text: `insert into readings (${COLUMNS}) values ${rows.map((_, row) => tuple(row)).join(',')}`, values }
}

/** All that was stored, the ceiling's rows too. */
async function countReadings(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ n: string }>('select count(*) as n from readings')
  await client.end()
  return Number(rows[0]?.n)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** Per round, and the median of the rounds. */
function ratios(rates: readonly number[], ceilings: readonly number[]): { median: number; rounds: number[] } {
  const rounds = rates.map((rate, i) => Number((rate / (ceilings[i] ?? Number.NaN)).toFixed(3)))
  return { median: median(rounds), rounds }
}

type LoadResult = { readonly rowsPerS: number; readonly cpuUsPerRow: Record<string, number> }
type Round = { readonly arrays: number; readonly values: number; readonly rest: LoadResult; readonly mqtt: LoadResult }

await withServiceUnderLoad(async ({ service, postgres, prepareLoads }) => {
  const { restPlan, mqttPlan } = await prepareLoads(DEVICES)
  const trees = { service: service.pid ?? 0, postgres: postmasterPid(postgres.dataPath) }
  let startMs = Date.now() - 20 * 3_600_000
  /** Each load reports of another hour, so that no reading is known. */
  const nextHourMs = () => {
    startMs += 3_600_000
    return startMs
  }
  const loadRest = () =>
    runLoad<{ rowsPerS: number; p50Ms: number; p99Ms: number }>('rest-load.ts', {
      ...{ ...restPlan, batches: ROWS / REST_BATCH_SIZE, startMs: nextHourMs() },
    })
  const loadMqtt = () =>
    runLoad<{ rowsPerS: number }>('mqtt-load.ts', { ...mqttPlan, publishesEach: ROWS / DEVICES, startMs: nextHourMs() })
  await loadRest()
  await loadMqtt()
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      arrays: await measureCeiling(postgres.url, arraysStatement),
      values: await measureCeiling(postgres.url, valuesStatement),
      rest: await withCpu(trees, ROWS, loadRest),
      mqtt: await withCpu(trees, ROWS, loadMqtt),
    })
  }
  const of = (receiver: 'rest' | 'mqtt', ceiling: 'arrays' | 'values') =>
    ratios(
      rounds.map((round) => round[receiver].rowsPerS),
      rounds.map((round) => round[ceiling]),
    )
  keepResult('ingest', {
    at: new Date().toISOString(),
    cpus: os.cpus().length,
    node: process.version,
    rest: { ofValues: of('rest', 'values'), ofArrays: of('rest', 'arrays') },
    mqtt: { ofValues: of('mqtt', 'values'), ofArrays: of('mqtt', 'arrays') },
    rounds,
    rowsInStore: await countReadings(postgres.url),
  })
})
