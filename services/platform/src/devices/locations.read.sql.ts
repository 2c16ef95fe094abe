// Where devices were last: the readings slice keeps it for each vehicle a device reports for, this slice knows whose the device is.

import type { Db } from '@roadworthy/service-kit/db'
import { fillPage } from '@roadworthy/service-kit/fill-page'
import { type PageRequest, type Position, pageRequest } from '@roadworthy/service-kit/keyset'
import { textArray } from '@roadworthy/service-kit/pg-arrays'
import type { Viewer } from '../fleet/viewer.ts'
import { isConnected } from './connections.read.sql.ts'
import { type DeviceStatus, isImei, type SignsOfLife } from './device.ts'
import { selectIdByImei } from './device-id.read.sql.ts'

export type Location = SignsOfLife & {
  readonly deviceId: string
  readonly imei: string | undefined
  readonly name: string | undefined
  readonly status: DeviceStatus
  readonly subClientId: string | undefined
  readonly vehicleId: string | undefined
  /** Times are milliseconds since the epoch: a map asks for ten thousand locations at a time. */
  readonly deviceCreatedAtMs: number
  readonly latitude: number
  readonly longitude: number
  readonly recordedAtMs: number
  readonly receivedAtMs: number
  readonly fix: Fix
}

/** What came with the position, as the readings slice writes it. */
export type Fix = {
  readonly speedKmh?: number
  readonly headingDeg?: number
  readonly altitudeM?: number
  readonly satellites?: number
  readonly ignition?: boolean
  readonly batteryVoltageV?: number
  readonly event?: string
}

/** As float8, which the driver reads ten times faster than a timestamp; and not by way of numeric, as `extract` goes. */
const ms = (column: string) => `round(date_part('epoch', ${column}) * 1000)`

export type LocationFilter = { readonly subClientId?: string | undefined; readonly receivedSince?: Date | undefined }

/** By id, or by IMEI among living devices. */
export async function selectLocation(db: Db, viewer: Viewer, idOrImei: string): Promise<Location | undefined> {
  const deviceId = isImei(idOrImei) ? await selectIdByImei(db, viewer, idOrImei) : idOrImei
  return deviceId === undefined ? undefined : (await selectShown(db, viewer, undefined, [deviceId]))[0]
}

/** By `filterValues`: living devices, whether they were ever anywhere or not. */
const filtered = `
  devices d
  where d.reseller_id = $1 and ($2::text is null or d.sub_client_id = $2) and ($3::text is null or d.sub_client_id = $3)
    and d.status <> 'decommissioned'`

function filterValues({ resellerId, subClientPin }: Viewer, subClientId: string | undefined): unknown[] {
  return [resellerId, subClientPin ?? null, subClientId ?? null]
}

/** Of living devices; one more than the page holds, so that the caller knows whether another follows. */
export async function selectLocations(
  db: Db,
  viewer: Viewer,
  { subClientId, receivedSince }: LocationFilter,
  page: Pick<PageRequest, 'limit' | 'after'>,
): Promise<Location[]> {
  return await fillPage(page, {
    selectNext: (after, count) => selectDevicesAfter(db, viewer, subClientId, { after, count }),
    positionOf: (position) => position,
    selectShown: (positions) =>
      selectShown(
        db,
        viewer,
        receivedSince,
        positions.map(({ id }) => id),
      ),
  })
}

/** `next`: where another part follows, the last device of this one. */
type Part = { readonly next: Position | undefined; readonly locations: Location[] }

/** Of all living devices, in parts: of so many devices each, those that were ever anywhere. The next part is read while the caller takes one in. */
export async function* locationsInParts(
  db: Db,
  viewer: Viewer,
  { subClientId, receivedSince }: LocationFilter,
  devicesPerPart: number,
): AsyncGenerator<Location[], void> {
  const read = async (after: Position): Promise<Part> => {
    const devices = await selectDevicesAfter(db, viewer, subClientId, { after, count: devicesPerPart })
    const ids = devices.map(({ id }) => id)
    const next = devices.length < devicesPerPart ? undefined : devices.at(-1)
    return { next, locations: ids.length === 0 ? [] : await selectShown(db, viewer, receivedSince, ids) }
  }
  let reading: Promise<Part> | undefined = read(pageRequest({}).after)
  while (reading !== undefined) {
    const { next, locations }: Part = await reading
    reading = next && read(next)
    // Whoever asks for the next part gets its error; a caller that has gone does not.
    reading?.catch(() => undefined)
    yield locations
  }
}

async function selectDevicesAfter(
  db: Db,
  viewer: Viewer,
  subClientId: string | undefined,
  { after, count }: { readonly after: Position; readonly count: number },
): Promise<Position[]> {
  const { rows } = await db.query<Position>(
    `select d.created_at as at, d.device_id as id from ${filtered} and (d.created_at, d.device_id) > ($4::timestamptz, $5)
      order by d.created_at, d.device_id
      limit $6`,
    [...filterValues(viewer, subClientId), after.at, after.id, count],
  )
  return rows
}

async function selectShown(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  receivedSince: Date | undefined,
  deviceIds: readonly string[],
): Promise<Location[]> {
  const { rows } = await db.query<LocationRow>(
    `with newest as materialized (
       select distinct on (l.source_id)
              l.source_id, l.latitude, l.longitude, l.fix_recorded_at, l.fix_received_at, l.fix,
              max(l.received_at) over (partition by l.source_id) as last_seen_at
         from latest_states l
        where l.source_id = any ($2::text[]) and l.reseller_id = $1
        order by l.source_id, l.fix_recorded_at desc nulls last
     )
     select d.device_id, d.imei, d.name, d.status, d.sub_client_id, d.vehicle_id, ${ms('d.created_at')} as created_at_ms,
            ${ms('s.last_seen_at')} as last_seen_at_ms, ${isConnected} as is_connected, s.latitude, s.longitude,
            ${ms('s.fix_recorded_at')} as fix_recorded_at_ms, ${ms('s.fix_received_at')} as fix_received_at_ms, s.fix
       from newest s
       join devices d on d.device_id = s.source_id
      where s.fix_recorded_at is not null and d.reseller_id = $1 and d.device_id = any ($2) and ($3::text is null or d.sub_client_id = $3)
        and ($4::timestamptz is null or s.fix_received_at >= $4)
      order by d.created_at, d.device_id`,
    [resellerId, textArray(deviceIds), subClientPin ?? null, receivedSince ?? null],
  )
  return rows.map(locationFromRow)
}

export async function countLocations(db: Db, viewer: Viewer, subClientId: string | undefined): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count
       from (select l.source_id
               from latest_states l
              where l.reseller_id = $1 and l.fix_recorded_at is not null and l.source_id in (select d.device_id from ${filtered})
              group by l.source_id) placed`,
    filterValues(viewer, subClientId),
  )
  return rows[0]?.count ?? 0
}

type LocationRow = {
  device_id: string
  imei: string | null
  name: string | null
  status: DeviceStatus
  sub_client_id: string | null
  vehicle_id: string | null
  created_at_ms: number
  last_seen_at_ms: number
  is_connected: boolean
  latitude: number
  longitude: number
  fix_recorded_at_ms: number
  fix_received_at_ms: number
  fix: Fix | null
}

function locationFromRow(row: LocationRow): Location {
  return {
    deviceId: row.device_id,
    imei: row.imei ?? undefined,
    name: row.name ?? undefined,
    status: row.status,
    subClientId: row.sub_client_id ?? undefined,
    vehicleId: row.vehicle_id ?? undefined,
    deviceCreatedAtMs: row.created_at_ms,
    lastSeenAt: new Date(row.last_seen_at_ms),
    isConnected: row.is_connected,
    latitude: row.latitude,
    longitude: row.longitude,
    recordedAtMs: row.fix_recorded_at_ms,
    receivedAtMs: row.fix_received_at_ms,
    fix: row.fix ?? {},
  }
}
