// For tests: trips of a real car, replayed by the real command line into a running platform, and what the platform then knows.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { injections } from '@roadworthy/simulator/recordings/injections'
import { openRecording } from '@roadworthy/simulator/recordings/open-recording'
import type { RecordedReading } from '@roadworthy/simulator/recordings/recording'
import { transformed } from '@roadworthy/simulator/recordings/transforms'
import { roadworthy } from '../support/command-line.ts'
import { callPatiently as call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'

const FOLDER = path.join(process.env['ROADWORTHY_DATA'] ?? path.resolve(import.meta.dirname, '../../../shared/data'), 'carobd_etios')
export const skip = existsSync(FOLDER) ? false : `recordings of a real car are not at ${FOLDER} (set ROADWORTHY_DATA)`

const POSITION = { latitude: 12.97, longitude: 77.59 }
/** Where the engine's knowledge begins to warn, and where the ramp ends. */
const WARNED_FROM_C = 107
const RAMP_TO_C = 118
/** Far beyond what a scoring round takes on a loaded machine. */
const SCORED_WITHIN_MS = 180_000
const POLL_MS = 100

export type Bench = { readonly platform: RunningPlatform; readonly database: Database }
type CleanUp = { after(cleanUp: () => Promise<void>): void }
type Replayed = {
  device_id: string
  vehicle_id: string
  sent: number
  stored: number
  duplicates: number
  rejected: number
  first_at: string
  last_at: string
}
type Alert = { component: string; severity: string; type: string; status: string; evidence: Record<string, unknown> }

/** A platform that scores as often as its settings allow. */
export async function startBench(t: CleanUp): Promise<Bench> {
  const platform = await startPlatform(t, { flags: ['--scoring-interval-s', '1'] })
  const { databaseUrl: url } = platform
  const urls = { owner: url, app: url, system: url }
  const database = openDatabasePatiently(urls, { appConnections: 1, systemConnections: 1, onError: () => {} })
  t.after(() => database.close())
  return { platform, database }
}

function tripFile(trip: string): string {
  return path.join(FOLDER, `${trip}.csv.gz`)
}

function readTrip(trip: string): Promise<RecordedReading[]> {
  return Array.fromAsync(openRecording(tripFile(trip), 'carobd'))
}

export async function replayTrip({ platform }: Bench, trip: string, flags: readonly string[]): Promise<Replayed> {
  const position = `${POSITION.latitude},${POSITION.longitude}`
  const fixed = ['--data-dir', platform.dataDir, '--json', '--format', 'carobd', '--register', '--position', position]
  const { code, stdout, stderr } = await roadworthy(['replay', tripFile(trip), ...fixed, ...flags])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Replayed
}

/** Returns when everything that is stored of the vehicle is in a score. */
async function scored({ database, platform }: Bench, vehicleId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < SCORED_WITHIN_MS; waitedMs += POLL_MS) {
    const { rows } = await database.systemPool.query<{ isDue: boolean | null }>(
      'select bool_or(due) as "isDue" from latest_states where vehicle_id = $1',
      [vehicleId],
    )
    if (rows[0]?.isDue === false) return
    await sleep(POLL_MS)
  }
  assert.fail(`${vehicleId} was not scored in ${SCORED_WITHIN_MS} ms:\n${platform.output()}`)
}

async function get({ platform }: Bench, pathAndQuery: string): Promise<Record<string, unknown>> {
  const { credentials } = platform
  const answer = await call(credentials.base_url, 'GET', pathAndQuery, { key: credentials.api_key })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Every alert the vehicle ever had. */
async function alertsOf(bench: Bench, vehicleId: string): Promise<Alert[]> {
  const { alerts, pagination } = await get(bench, `/api/v1/alerts?vehicleId=${vehicleId}&limit=500`)
  assert.equal((pagination as { hasNextPage: boolean }).hasNextPage, false)
  return alerts as Alert[]
}

type StoredReading = { recordedAt: string; signals: Record<string, number>; latitude: number }

/** All readings of the vehicle between two times, the ends included, oldest first, through the pages of the API. */
async function storedReadings(bench: Bench, { vehicle_id, first_at, last_at }: Replayed): Promise<StoredReading[]> {
  const to = new Date(Date.parse(last_at) + 1).toISOString()
  const found: StoredReading[] = []
  let after = ''
  for (let page = 0; page < 100; page++) {
    const query = new URLSearchParams({ from: first_at, to, limit: '500', ...(after === '' ? {} : { after }) })
    const { readings, pagination } = await get(bench, `/api/v1/vehicles/${vehicle_id}/readings?${query}`)
    found.push(...(readings as StoredReading[]))
    const { hasNextPage, endCursor } = pagination as { hasNextPage: boolean; endCursor: string }
    if (!hasNextPage) return found.sort((a, b) => Date.parse(a.recordedAt) - Date.parse(b.recordedAt))
    after = endCursor
  }
  return assert.fail('the pages of the readings do not end')
}

/** A whole trip at full speed: every reading stored as it was recorded, the latest values right, the car healthy, nothing above info. */
export async function proveHealthyTrip(bench: Bench, trip: string, via: 'rest' | 'mqtt', imei: string): Promise<void> {
  const recorded = await readTrip(trip)
  const replayed = await replayTrip(bench, trip, ['--device', imei, '--via', via, '--speed', 'max'])
  const { sent, stored, duplicates, rejected } = replayed
  assert.deepEqual({ sent, stored, duplicates, rejected }, { sent: recorded.length, stored: recorded.length, duplicates: 0, rejected: 0 })

  const inStore = await storedReadings(bench, replayed)
  const startMs = Date.parse(replayed.first_at)
  assert.deepEqual(
    inStore.map(({ recordedAt, signals }) => [Date.parse(recordedAt) - startMs, signals['coolant'], signals['battery_voltage']]),
    recorded.map(({ offsetS, record }) => [Math.round(offsetS * 1000), record['coolant_temp'], record['battery_voltage']]),
  )

  const last = recorded.at(-1)?.record ?? {}
  const { location } = (await get(bench, `/api/external/devices/${imei}/location`)) as { location: Record<string, unknown> }
  assert.equal(location['timestamp'], replayed.last_at)
  assert.equal(location['latitude'], POSITION.latitude)
  assert.equal(location['speed'], last['speed'])
  assert.equal(location['battery_voltage'], last['battery_voltage'])
  assert.equal(location['online'], true)

  await scored(bench, replayed.vehicle_id)
  const health = await get(bench, `/api/v1/vehicles/${replayed.vehicle_id}/health`)
  assert.equal(health['healthStatus'], 'healthy')
  await proveQuiet(bench, replayed.vehicle_id)
}

async function proveQuiet(bench: Bench, vehicleId: string): Promise<void> {
  const loud = (await alertsOf(bench, vehicleId)).filter(({ severity }) => severity !== 'info')
  assert.deepEqual(loud, [])
}

const INJECT_AT_S = 120
const WITHIN_S = 120
const PIECE_S = 20

/** Sends the trip piece by piece and looks after each. Ends when `isFound` returns true, or at `untilS`; returns the vehicle's second by then. */
async function sendInPieces(
  bench: Bench,
  trip: string,
  flags: readonly string[],
  { fromS, untilS }: { fromS: number; untilS: number },
  isFound: (alerts: readonly Alert[], sentToS: number) => boolean,
): Promise<{ vehicleId: string; foundByS: number | undefined }> {
  const startMs = Date.now() - untilS * 1000
  let [sentToS, vehicleId] = [0, '']
  while (sentToS < untilS) {
    const toS = Math.max(fromS, Math.min(untilS, sentToS + PIECE_S))
    const start = new Date(startMs + sentToS * 1000).toISOString()
    const piece = ['--from', String(sentToS), '--to', String(toS), '--start', start, '--speed', 'max']
    vehicleId = (await replayTrip(bench, trip, [...flags, ...piece])).vehicle_id
    await scored(bench, vehicleId)
    sentToS = toS
    if (isFound(await alertsOf(bench, vehicleId), sentToS)) return { vehicleId, foundByS: sentToS }
  }
  return { vehicleId, foundByS: undefined }
}

const isGrave = ({ severity }: Alert) => severity !== 'info' && severity !== 'low'
const isCritical = ({ severity }: Alert) => severity === 'critical'

/** A warning by the cooling system and then a critical one, both within 120 s after the ramp has crossed where the engine begins to warn. */
export async function proveCoolantRampIsFound(bench: Bench, trip: string, device: readonly string[]): Promise<void> {
  let crossedAtS = Number.POSITIVE_INFINITY
  let hottestC = 0
  const ramp = injections['coolant-ramp'](INJECT_AT_S)
  for await (const { offsetS, record } of transformed(openRecording(tripFile(trip), 'carobd'), ramp)) {
    const coolantC = Number(record['coolant_temp'])
    if (coolantC >= WARNED_FROM_C) crossedAtS = Math.min(crossedAtS, offsetS)
    hottestC = Math.max(hottestC, coolantC)
  }
  assert.equal(hottestC, RAMP_TO_C)
  const range = { fromS: Math.floor(crossedAtS), untilS: Math.floor(crossedAtS + WITHIN_S) }
  const flags = [...device, '--inject', 'coolant-ramp', '--inject-at', String(INJECT_AT_S)]
  let warnedByS: number | undefined
  const { vehicleId, foundByS } = await sendInPieces(bench, trip, flags, range, (alerts, sentToS) => {
    if (alerts.some(isGrave)) warnedByS ??= sentToS
    return alerts.some(isCritical)
  })
  const alerts = await alertsOf(bench, vehicleId)
  assert.ok(warnedByS !== undefined && warnedByS > range.fromS, `warned by ${warnedByS} s, crossed at ${crossedAtS} s`)
  assert.ok(foundByS !== undefined, `no critical alert by ${range.untilS} s: ${JSON.stringify(alerts)}`)
  assert.deepEqual(
    alerts.filter(isGrave).map(({ component }) => component),
    ['cooling'],
  )
}

/** An alert by the charging system or the battery within 120 s after the alternator has died. */
export async function proveDeadAlternatorIsFound(bench: Bench, trip: string, device: readonly string[]): Promise<void> {
  const range = { fromS: INJECT_AT_S, untilS: INJECT_AT_S + WITHIN_S }
  const flags = [...device, '--inject', 'dead-alternator', '--inject-at', String(INJECT_AT_S)]
  const { vehicleId, foundByS } = await sendInPieces(bench, trip, flags, range, (alerts) => alerts.some(isGrave))
  const grave = (await alertsOf(bench, vehicleId)).filter(isGrave)
  assert.ok(foundByS !== undefined && foundByS > INJECT_AT_S, `found by ${foundByS} s: ${JSON.stringify(grave)}`)
  assert.equal(grave.length, 1)
  assert.match(grave[0]?.component ?? '', /^(charging|battery)$/)
}

/** As the faulty ones, without the fault. */
export async function provePiecesAreQuiet(bench: Bench, trip: string, device: readonly string[]): Promise<void> {
  const { vehicleId } = await sendInPieces(bench, trip, device, { fromS: INJECT_AT_S, untilS: INJECT_AT_S + WITHIN_S }, () => false)
  await proveQuiet(bench, vehicleId)
}
