// For tests only: an installation with a fleet, files to import into it, and what is there afterwards.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Database, databaseUrls } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { createFolderStore } from '../history/file-store.ts'
import { sealWeeks } from '../history/seal-weeks.ts'
import { DAY_MS, reading, sealingDeps, weeksBefore } from '../history/test-history.ts'
import { insertPastReadings } from '../readings/past.sql.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { type Backfilled, type BackfillRequest, backfill } from './backfill.ts'
import { openCsvSource } from './csv-source.ts'
import type { PastSource } from './past-source.ts'

export const IMEI = '356938035643809'
export const DEVICE = 'dev-aaaaaaaaaa'
export const VEHICLE = 'veh-aaaaaaaaaa'
export const OTHER_IMEI = '356938035643999'
/** Three days ago, at a full hour: a week that is not sealed, whenever the test runs. */
export const RECENT_MS = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * DAY_MS

export function testFolder(t: CleanUp): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-backfill-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function timeAt(nth: number, fromMs = RECENT_MS): string {
  return new Date(fromMs + nth * 60_000).toISOString()
}

export async function openFleet(t: CleanUp) {
  const folder = testFolder(t)
  const { database, ownerUrl } = await openTestDatabase(t)
  const urls = databaseUrls(ownerUrl, TEST_SECRET_KEY)
  const history = createFolderStore(path.join(folder, 'history'))
  for (const resellerId of ['acme', 'rival']) await insertReseller(database, resellerId)
  const { systemPool } = database
  await systemPool.query(
    `insert into sub_clients (reseller_id, sub_client_id, name) values ('acme', 'north', 'North'), ('acme', 'south', 'South')`,
  )
  await systemPool.query(`insert into vehicles (reseller_id, vehicle_id, sub_client_id, created_at) values ('acme', $1, 'north', now())`, [
    VEHICLE,
  ])
  const insert = `insert into devices (reseller_id, device_id, imei, device_type, connection_method, status, sub_client_id, vehicle_id) values ($1, $2, $3, 'other', 'mqtt', 'active', $4, $5)`
  await systemPool.query(insert, ['acme', DEVICE, IMEI, 'north', VEHICLE])
  await systemPool.query(insert, ['acme', 'dev-southsouth', '356938035643222', 'south', null])
  await systemPool.query(insert, ['rival', 'dev-rivalrival', OTHER_IMEI, null, null])
  const now = () => new Date()
  const run = async (source: PastSource, changes: Partial<BackfillRequest> = {}): Promise<Backfilled> => {
    const author = { resellerId: 'acme', type: 'cli', id: 'test', at: now() } as const
    const deps = await sealingDeps(t, database, urls.system, history)
    return await backfill({
      ...{ source, database, systemUrl: urls.direct.system, resellerId: 'acme', subClientId: undefined, aliases: new Map() },
      ...{ createsMissing: false, isCheck: false, skipsInvalid: false, retentionDays: 400, now: now(), author },
      create: {
        database,
        sealer: createSealer(TEST_SECRET_KEY, 'device registrations'),
        now,
        brokerAccounts: undefined,
        markDue: async () => undefined,
        author,
      },
      withSealing: (seal) => seal(deps),
      ...changes,
    })
  }
  const write = (content: string | Buffer, name = 'readings.csv') => {
    writeFileSync(path.join(folder, name), content)
    return path.join(folder, name)
  }
  const importCsv = async (
    content: string | Buffer,
    {
      columns = {},
      units = {},
      ...changes
    }: Partial<BackfillRequest> & { columns?: Record<string, string>; units?: Record<string, string> } = {},
  ) =>
    run(await openCsvSource(write(content), { columns: new Map(Object.entries(columns)), units: new Map(Object.entries(units)) }), changes)
  return { database, ownerUrl, urls, history, folder, run, write, importCsv }
}

export type Fleet = Awaited<ReturnType<typeof openFleet>>

export async function readingsOf(database: Database, resellerId = 'acme') {
  const { rows } = await database.systemPool.query(
    `select source_id as source, device_id as device, vehicle_id as vehicle, recorded_at as at, latitude, longitude, signals, attributes
       from readings where reseller_id = $1 order by source_id, recorded_at`,
    [resellerId],
  )
  return rows as {
    source: string
    device: string | null
    vehicle: string | null
    at: Date
    latitude: number | null
    signals: Record<string, number> | null
    attributes: Record<string, unknown> | null
  }[]
}

/** What would follow from a reading that arrives: nothing of it is to follow from one of before. */
export async function effectsOf(database: Database) {
  const { rows } = await database.systemPool.query(
    `select (select count(*)::int from usage_entries) as metered, (select count(*)::int from usage_active_devices) as active,
            (select count(*)::int from latest_states where due or woken) as due, (select count(*)::int from reading_alarms) as alarms,
            (select count(*)::int from event_outbox) as events`,
  )
  return rows[0]
}

/** Everything but the last thirty days. */
export async function sealOldWeeks(t: CleanUp, { database, urls, history }: Fleet): Promise<void> {
  const about = { resellerId: 'rival', sourceId: 'dev-rivalrival', vehicleId: 'veh-rivalrival' }
  await database.systemPool.query(`insert into vehicles (reseller_id, vehicle_id, created_at) values ('rival', 'veh-rivalrival', now())`)
  const old = reading(about, Date.now() - 39 * DAY_MS, { signals: { vehicleSpeedKmh: 1 } })
  const { signals, attributes } = old
  const us = (ms: number) => BigInt(ms) * 1_000n
  await insertPastReadings(database.systemPool, 'rival', [
    {
      ...{
        sourceId: old.sourceId,
        digestHex: old.digestHex,
        kind: old.kind,
        deviceId: old.sourceId,
        vehicleId: about.vehicleId,
        subClientId: null,
      },
      ...{ recordedAtUs: us(old.recordedAtMs), receivedAtUs: us(old.receivedAtMs), latitude: null, longitude: null, signals, attributes },
    },
  ])
  const deps = await sealingDeps(t, database, urls.system, history)
  await sealWeeks(deps, await weeksBefore(database, new Date(Date.now() - 30 * DAY_MS)), new AbortController().signal)
}
