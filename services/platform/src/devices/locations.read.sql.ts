// Where devices were last: the readings slice keeps it for each vehicle a device reports for, this slice knows whose the device is.

import { fillPage } from '@roadworthy/service-kit/http/fill-page'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { selectInColumns } from '@roadworthy/service-kit/postgres/in-columns.sql'
import { type PageRequest, type Position, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { textArray } from '@roadworthy/service-kit/postgres/pg-arrays'
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

/** As float8, which JSON has as a number; and not by way of numeric, as `extract` goes. */
const ms = (column: string) => `round(date_part('epoch', ${column}) * 1000)`

export type LocationFilter = { readonly subClientId?: string | undefined; readonly receivedSince?: Date | undefined }

/** By id, or by IMEI among living devices. */
export async function selectLocation(db: Db, viewer: Viewer, idOrImei: string): Promise<Location | undefined> {
  const { resellerId, subClientPin } = viewer
  const deviceId = isImei(idOrImei) ? await selectIdByImei(db, viewer, idOrImei) : idOrImei
  if (deviceId === undefined) return undefined
  const devices = await selectInColumns<DeviceRow>(db, oneDevice, [resellerId, deviceId, subClientPin ?? null])
  return (await locate(db, resellerId, devices, undefined))[0]
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
    positionOf,
    selectShown: (devices) => locate(db, viewer.resellerId, devices, receivedSince),
  })
}

/** The first part is a quarter of the others: until it is there, the service has nothing to do but to wait for PostgreSQL. */
const FIRST_PART_SHARE = 4

/**
 * Of all living devices, in parts: of so many devices each at most, those that were ever anywhere. While the caller takes a part in, the next one is
 * located and the devices of the one after it are read, by a connection each.
 */
export async function* locationsInParts(
  db: Db,
  viewer: Viewer,
  { subClientId, receivedSince }: LocationFilter,
  devicesPerPart: number,
): AsyncGenerator<Location[], void> {
  let located: Promise<Location[]> | undefined
  for await (const devices of devicesInParts(db, viewer, subClientId, devicesPerPart)) {
    const locating = ahead(locate(db, viewer.resellerId, devices, receivedSince))
    if (located !== undefined) yield await located
    located = locating
  }
  if (located !== undefined) yield await located
}

async function* devicesInParts(
  db: Db,
  viewer: Viewer,
  subClientId: string | undefined,
  devicesPerPart: number,
): AsyncGenerator<DeviceRow[], void> {
  const read = (after: Position, count: number) => ahead(selectDevicesAfter(db, viewer, subClientId, { after, count }))
  let count = Math.ceil(devicesPerPart / FIRST_PART_SHARE)
  let reading: Promise<DeviceRow[]> | undefined = read(pageRequest('locations', {}).after, count)
  while (reading !== undefined) {
    const devices: DeviceRow[] = await reading
    const last = devices.length < count ? undefined : devices.at(-1)
    count = devicesPerPart
    reading = last && read(positionOf(last), count)
    yield devices
  }
}

/** Begun before it is awaited. Its error reaches the caller that awaits it; where the caller has gone, it ends no process. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

const positionOf = (device: DeviceRow) => ({ at: new Date(device.created_at_ms), id: device.device_id })

async function selectDevicesAfter(
  db: Db,
  viewer: Viewer,
  subClientId: string | undefined,
  { after, count }: { readonly after: Position; readonly count: number },
): Promise<DeviceRow[]> {
  const isOfAll = viewer.subClientPin === undefined && subClientId === undefined
  const values = [...filterValues(viewer, subClientId), after.at, after.id, count]
  return await selectInColumns<DeviceRow>(db, isOfAll ? devicesAfter : devicesOfSubClientAfter, values)
}

/**
 * Of these devices, where those were that were ever anywhere; with `receivedSince`, only what came in since. A device has a state for each vehicle that it
 * was in, which are put together here: devices and states may be on different nodes, and PostgreSQL takes twice as long to join and sort them.
 */
async function locate(db: Db, resellerId: string, devices: readonly DeviceRow[], receivedSince: Date | undefined): Promise<Location[]> {
  if (devices.length === 0) return []
  const states = await selectInColumns<StateRow>(db, statesOfSources, [resellerId, textArray(devices.map(({ device_id }) => device_id))])
  const newest = new Map<string, StateRow>()
  for (const row of states) {
    const known = newest.get(row.source_id)
    newest.set(row.source_id, known === undefined ? row : newerOf(known, row))
  }
  const sinceMs = receivedSince?.getTime() ?? Number.NEGATIVE_INFINITY
  return devices.flatMap((device) => {
    const state = newest.get(device.device_id)
    return isPlaced(state) && state.fix_received_at_ms >= sinceMs ? locationFrom(device, state) : []
  })
}

/** The state with the newer position, heard when the later of the two was. */
function newerOf(a: StateRow, b: StateRow): StateRow {
  const [newer, older] = (b.fix_recorded_at_ms ?? 0) > (a.fix_recorded_at_ms ?? 0) ? [b, a] : [a, b]
  return newer.received_at_ms >= older.received_at_ms ? newer : { ...newer, received_at_ms: older.received_at_ms }
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

const deviceColumns = {
  ...{ device_id: 'd.device_id', imei: 'd.imei', name: 'd.name', status: 'd.status', sub_client_id: 'd.sub_client_id' },
  ...{ vehicle_id: 'd.vehicle_id', created_at_ms: ms('d.created_at'), is_connected: isConnected },
}

const oneDevice = {
  name: 'device to locate',
  columns: deviceColumns,
  rest: 'from devices d where d.reseller_id = $1 and d.device_id = $2 and ($3::text is null or d.sub_client_id = $3)',
}

const devicesAfter = {
  name: 'devices to locate',
  columns: deviceColumns,
  rest: `from ${filtered} and (d.created_at, d.device_id) > ($4::timestamptz, $5) order by d.created_at, d.device_id limit $6`,
}

/** By a name of its own: the plan that is best for all devices would read all of them for those of one sub-client. */
const devicesOfSubClientAfter = { ...devicesAfter, name: 'devices of a sub-client to locate' }

type DeviceRow = {
  device_id: string
  imei: string | null
  name: string | null
  status: DeviceStatus
  sub_client_id: string | null
  vehicle_id: string | null
  created_at_ms: number
  is_connected: boolean
}

/** Of a source, of one vehicle. Times and places of the position are null where there is none. */
type StateRow = {
  source_id: string
  received_at_ms: number
  latitude: number | null
  longitude: number | null
  fix_recorded_at_ms: number | null
  fix_received_at_ms: number | null
  fix: Fix | null
}
const stateColumns = {
  ...{ source_id: 'l.source_id', latitude: 'l.latitude', longitude: 'l.longitude', fix: 'l.fix' },
  received_at_ms: ms('l.received_at'),
  fix_recorded_at_ms: ms('l.fix_recorded_at'),
  fix_received_at_ms: ms('l.fix_received_at'),
}
const statesOfSources = {
  name: 'states of sources',
  columns: stateColumns,
  rest: 'from latest_states l where l.source_id = any ($2::text[]) and l.reseller_id = $1',
}

type PlacedRow = StateRow & { latitude: number; longitude: number; fix_recorded_at_ms: number; fix_received_at_ms: number }

function isPlaced(state: StateRow | undefined): state is PlacedRow {
  return state !== undefined && state.fix_recorded_at_ms !== null
}

function locationFrom(device: DeviceRow, state: PlacedRow): Location {
  return {
    deviceId: device.device_id,
    imei: device.imei ?? undefined,
    name: device.name ?? undefined,
    status: device.status,
    subClientId: device.sub_client_id ?? undefined,
    vehicleId: device.vehicle_id ?? undefined,
    deviceCreatedAtMs: device.created_at_ms,
    lastSeenAt: new Date(state.received_at_ms),
    isConnected: device.is_connected,
    latitude: state.latitude,
    longitude: state.longitude,
    recordedAtMs: state.fix_recorded_at_ms,
    receivedAtMs: state.fix_received_at_ms,
    fix: state.fix ?? {},
  }
}
