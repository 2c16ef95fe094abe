import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from '../fleet/viewer.ts'
import type { Credentials } from './credentials.ts'
import type { DeviceStatus, LivingDevice, LivingDeviceStatus } from './device.ts'

export type NewDevice = {
  readonly deviceId: string
  readonly name: string | undefined
  readonly imei: string | undefined
  readonly deviceType: string
  readonly connectionMethod: string
  readonly simNumber: string | undefined
  readonly status: 'active' | 'pending'
  readonly subClientId: string | undefined
  readonly vehicleId: string | undefined
}

/** What was not given stays; `undefined` inside a given field removes it. */
export type DeviceChanges = {
  readonly name?: string | undefined
  readonly deviceType?: string
  readonly connectionMethod?: string
  readonly simNumber?: string | undefined
  readonly status?: LivingDeviceStatus
  readonly subClientId?: string | undefined
  readonly vehicleId?: string | undefined
}

/** The device as it stands, locked until the end of the transaction. */
export type HeldDevice = {
  readonly deviceId: string
  readonly status: DeviceStatus
  readonly subClientId: string | undefined
  readonly vehicleId: string | undefined
  readonly decommissionedAt: Date | undefined
}

/** Violates `devices_imei_key` when a living device of the reseller has the IMEI. */
export async function insertDevice(
  db: Db,
  resellerId: string,
  device: NewDevice,
  { secretSha256, passwordHash }: Pick<Credentials, 'secretSha256' | 'passwordHash'>,
  createdAt: Date,
): Promise<void> {
  await db.query(
    `insert into devices
       (reseller_id, device_id, name, imei, device_type, connection_method, sim_number, status, sub_client_id, vehicle_id,
        vehicle_linked_at, mqtt_secret_sha256, mqtt_password_hash, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $10::text is null then null else $13::timestamptz end, $11, $12, $13, $13)`,
    [
      resellerId,
      device.deviceId,
      device.name ?? null,
      device.imei ?? null,
      device.deviceType,
      device.connectionMethod,
      device.simNumber ?? null,
      device.status,
      device.subClientId ?? null,
      device.vehicleId ?? null,
      secretSha256,
      passwordHash,
      createdAt,
    ],
  )
  if (device.vehicleId !== undefined) await insertVehicleSource(db, resellerId, device.vehicleId, device.deviceId)
}

/** By id, or by IMEI among living devices. */
export async function selectDeviceForUpdate(db: Db, viewer: Viewer, idOrImei: string): Promise<HeldDevice | undefined> {
  const { rows } = await db.query<HeldDeviceRow>(
    `select device_id, status, sub_client_id, vehicle_id, decommissioned_at
       from devices
      where reseller_id = $1 and (device_id = $2 or (imei = $2 and status <> 'decommissioned'))
        and ($3::text is null or sub_client_id = $3)
        for no key update`,
    [viewer.resellerId, idOrImei, viewer.subClientPin ?? null],
  )
  return rows[0] === undefined ? undefined : heldDeviceFromRow(rows[0])
}

/** By id, or by IMEI: the living device that has it, else the one that had it last. */
export async function selectDeviceEverForUpdate(db: Db, viewer: Viewer, idOrImei: string): Promise<HeldDevice | undefined> {
  const { rows } = await db.query<HeldDeviceRow>(
    `select device_id, status, sub_client_id, vehicle_id, decommissioned_at
       from devices
      where reseller_id = $1 and (device_id = $2 or imei = $2) and ($3::text is null or sub_client_id = $3)
      order by decommissioned_at desc nulls first
      limit 1
        for no key update`,
    [viewer.resellerId, idOrImei, viewer.subClientPin ?? null],
  )
  return rows[0] === undefined ? undefined : heldDeviceFromRow(rows[0])
}

/** A change that changes nothing leaves `updated_at` as it is. */
export async function updateDevice(db: Db, resellerId: string, deviceId: string, changes: DeviceChanges, at: Date): Promise<void> {
  await db.query(
    `update devices d
        set name = n.name, device_type = n.device_type, connection_method = n.connection_method, sim_number = n.sim_number,
            status = n.status, sub_client_id = n.sub_client_id, vehicle_id = n.vehicle_id,
            vehicle_linked_at = case when n.vehicle_id is not distinct from d.vehicle_id and not n.is_overtaken then d.vehicle_linked_at
                                     when n.vehicle_id is not null then $14::timestamptz end,
            vehicle_since = case when n.vehicle_id is not distinct from d.vehicle_id or (d.vehicle_id is null and d.vehicle_since is null)
                                 then d.vehicle_since else $14 end,
            updated_at = $14
       from (select case when $3 then $4 else name end as name,
                    coalesce($5, device_type) as device_type,
                    coalesce($6, connection_method) as connection_method,
                    case when $7 then $8 else sim_number end as sim_number,
                    coalesce($9, status) as status,
                    case when $10 then $11 else sub_client_id end as sub_client_id,
                    case when $12 then $13 else vehicle_id end as vehicle_id,
                    -- Linked anew to where it is, it becomes the device of its vehicle again that another has been since.
                    $12 and exists (select from devices o
                                     where o.reseller_id = $1 and o.vehicle_id = $13 and o.device_id <> $2 and o.status <> 'decommissioned'
                                       and o.vehicle_linked_at >= h.vehicle_linked_at) as is_overtaken
               from devices h
              where reseller_id = $1 and device_id = $2
                for no key update) n
      where d.reseller_id = $1 and d.device_id = $2
        and (n.is_overtaken or (d.name, d.device_type, d.connection_method, d.sim_number, d.status, d.sub_client_id, d.vehicle_id)
               is distinct from (n.name, n.device_type, n.connection_method, n.sim_number, n.status, n.sub_client_id, n.vehicle_id))`,
    [
      resellerId,
      deviceId,
      'name' in changes,
      changes.name ?? null,
      changes.deviceType ?? null,
      changes.connectionMethod ?? null,
      'simNumber' in changes,
      changes.simNumber ?? null,
      changes.status ?? null,
      'subClientId' in changes,
      changes.subClientId ?? null,
      'vehicleId' in changes,
      changes.vehicleId ?? null,
      at,
    ],
  )
  if (changes.vehicleId !== undefined) await insertVehicleSource(db, resellerId, changes.vehicleId, deviceId)
}

/** Readings of a vehicle are found through every device that ever reported for it, also after the device has moved on. */
async function insertVehicleSource(db: Db, resellerId: string, vehicleId: string, deviceId: string): Promise<void> {
  await db.query('insert into vehicle_sources (reseller_id, vehicle_id, source_id) values ($1, $2, $3) on conflict do nothing', [
    resellerId,
    vehicleId,
    deviceId,
  ])
}

/**
 * Takes off a vehicle the living devices of other sub-clients than the one it went to. One of no sub-client stays: nobody but the reseller
 * is shown its readings.
 */
export async function updateForeignDevicesUnlinked(
  db: Db,
  resellerId: string,
  vehicle: { readonly vehicleId: string; readonly subClientId: string },
  at: Date,
): Promise<void> {
  await db.query(
    `update devices set vehicle_id = null, vehicle_linked_at = null, vehicle_since = $4, updated_at = $4
      where reseller_id = $1 and vehicle_id = $2 and sub_client_id <> $3 and status <> 'decommissioned'`,
    [resellerId, vehicle.vehicleId, vehicle.subClientId, at],
  )
}

/** Takes all living devices off a vehicle. */
export async function updateDevicesUnlinked(db: Db, resellerId: string, vehicleId: string, at: Date): Promise<void> {
  await db.query(
    `update devices set vehicle_id = null, vehicle_linked_at = null, vehicle_since = $3, updated_at = $3
      where reseller_id = $1 and vehicle_id = $2 and status <> 'decommissioned'`,
    [resellerId, vehicleId, at],
  )
}

/** Takes the living devices out of a sub-client; returns how many. Decommissioned ones keep it, as their history. */
export async function updateDevicesUnassigned(db: Db, resellerId: string, subClientId: string, at: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update devices set sub_client_id = null, updated_at = $3
      where reseller_id = $1 and sub_client_id = $2 and status <> 'decommissioned'`,
    [resellerId, subClientId, at],
  )
  return rowCount ?? 0
}

/** Nothing that was ever a credential of the device works afterwards, tokens aside, and the kept answer that showed it is gone. */
export async function updateDeviceDecommissioned(db: Db, resellerId: string, deviceId: string, at: Date): Promise<void> {
  await db.query(
    `update devices
        set status = 'decommissioned', decommissioned_at = $3, updated_at = $3, mqtt_secret_sha256 = null, mqtt_password_hash = null,
            previous_secret_sha256 = null, previous_secret_until = null
      where reseller_id = $1 and device_id = $2`,
    [resellerId, deviceId, at],
  )
  await deleteRegistration(db, resellerId, deviceId)
}

/** The secret before stays good until `graceUntil`, or not at all. The answer that showed it is not replayed any more. */
export async function updateDeviceCredentials(
  db: Db,
  resellerId: string,
  deviceId: string,
  { secretSha256, passwordHash }: Pick<Credentials, 'secretSha256' | 'passwordHash'>,
  graceUntil: Date | undefined,
  at: Date,
): Promise<void> {
  await db.query(
    `update devices
        set previous_secret_sha256 = case when $5::timestamptz is null then null else mqtt_secret_sha256 end,
            previous_secret_until = $5, mqtt_secret_sha256 = $3, mqtt_password_hash = $4, updated_at = $6
      where reseller_id = $1 and device_id = $2`,
    [resellerId, deviceId, secretSha256, passwordHash, graceUntil ?? null, at],
  )
  await deleteRegistration(db, resellerId, deviceId)
}

/** The answer to a registration, which shows the credentials of then. */
export async function deleteRegistration(db: Db, resellerId: string, deviceId: string): Promise<void> {
  await db.query('delete from device_registrations where reseller_id = $1 and device_id = $2', [resellerId, deviceId])
}

/** By id or IMEI, in the order asked, of the resellers of this transaction. */
export async function selectLivingDevices(
  db: Db,
  asked: readonly { resellerId: string; reference: string }[],
): Promise<(LivingDevice | undefined)[]> {
  const { rows } = await db.query<LivingDeviceRow>(
    `select d.device_id, d.imei, d.status, d.sub_client_id, d.vehicle_id, d.vehicle_since, v.sub_client_id as vehicle_sub_client_id
       from unnest($1::text[], $2::text[]) with ordinality as a (reseller_id, reference, position)
       left join lateral (
         select * from devices i where i.reseller_id = a.reseller_id and i.device_id = a.reference and i.status <> 'decommissioned'
         union all
         select * from devices i where i.reseller_id = a.reseller_id and i.imei = a.reference and i.status <> 'decommissioned'
       ) d on true
       left join vehicles v on v.reseller_id = d.reseller_id and v.vehicle_id = d.vehicle_id
      order by a.position`,
    [asked.map((a) => a.resellerId), asked.map((a) => a.reference)],
  )
  return rows.map((row) => (row.device_id === null ? undefined : livingDeviceFromRow({ ...row, device_id: row.device_id })))
}

/** Of the resellers of this transaction. Does nothing to a device that is not pending. */
export async function activatePendingDevices(
  db: Db,
  devices: readonly { resellerId: string; deviceId: string }[],
  at: Date,
): Promise<void> {
  // Locked in one order, or two batches of the same devices could each wait for the other.
  await db.query(
    `with pending as (
       select d.reseller_id, d.device_id
         from devices d
         join unnest($1::text[], $2::text[]) as a (reseller_id, device_id) using (reseller_id, device_id)
        where d.status = 'pending'
        order by d.device_id
          for no key update of d
     )
     update devices d set status = 'active', updated_at = $3
       from pending p
      where d.reseller_id = p.reseller_id and d.device_id = p.device_id`,
    [devices.map((d) => d.resellerId), devices.map((d) => d.deviceId), at],
  )
}

type HeldDeviceRow = {
  device_id: string
  status: DeviceStatus
  sub_client_id: string | null
  vehicle_id: string | null
  decommissioned_at: Date | null
}

function heldDeviceFromRow(row: HeldDeviceRow): HeldDevice {
  return {
    deviceId: row.device_id,
    status: row.status,
    subClientId: row.sub_client_id ?? undefined,
    vehicleId: row.vehicle_id ?? undefined,
    decommissionedAt: row.decommissioned_at ?? undefined,
  }
}

type LivingDeviceRow = {
  device_id: string | null
  imei: string | null
  status: LivingDeviceStatus
  sub_client_id: string | null
  vehicle_id: string | null
  vehicle_since: Date | null
  vehicle_sub_client_id: string | null
}

function livingDeviceFromRow(row: LivingDeviceRow & { device_id: string }): LivingDevice {
  return {
    deviceId: row.device_id,
    imei: row.imei ?? undefined,
    status: row.status,
    subClientId: row.sub_client_id ?? undefined,
    vehicleId: row.vehicle_id ?? undefined,
    vehicleSubClientId: row.vehicle_sub_client_id ?? undefined,
    ...(row.vehicle_since === null ? {} : { vehicleSinceMs: row.vehicle_since.getTime() }),
  }
}
