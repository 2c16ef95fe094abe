// Deletes from PostgreSQL what a vehicle or a device reported.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { deleteReadingsOfSources } from './delete-readings.sql.ts'
import { namingDevice } from './source-id.ts'

/** Of the vehicle, whichever device reported it; and of the device, in whichever vehicle it was. */
export type Erased = { readonly resellerId: string; readonly vehicleId?: string | undefined; readonly deviceId?: string | undefined }

/** The sources under which it may have been reported: the device, the vehicle, and each vehicle that the device names (`sourceOfNamed`). */
export async function selectErasedSources(db: Db, { resellerId, vehicleId, deviceId }: Erased): Promise<string[]> {
  const { rows } = await db.query<{ source_id: string }>(
    `select source_id from vehicle_sources where reseller_id = $1 and (vehicle_id = $2 or source_id = $3 or starts_with(source_id, $3 || '.'))
      union
     select unnest(array_remove(array[$2, $3], null))`,
    [resellerId, vehicleId ?? null, deviceId ?? null],
  )
  return rows.map((row) => row.source_id)
}

/** When they were recorded; undefined: without a bound. */
export type Span = { readonly from?: Date | undefined; readonly to?: Date | undefined }

/** `limit` at most. Answers how many. */
export async function deleteErasedReadings(
  db: Db,
  { resellerId, vehicleId, deviceId }: Erased,
  { sources, from, to }: { readonly sources: readonly string[] } & Span,
  limit: number,
): Promise<number> {
  const condition = `(vehicle_id = $4 or device_id = $5)
        and recorded_at >= coalesce($6, '-infinity'::timestamptz) and recorded_at < coalesce($7, 'infinity'::timestamptz)`
  const values = [vehicleId ?? null, deviceId ?? null, from ?? null, to ?? null]
  return await deleteReadingsOfSources(db, { resellerId, sources }, { condition, values }, limit)
}

/** What was last known, and where a device was that named the vehicle. The next reading brings a state again, of itself alone. */
export async function deleteErasedStates(db: Db, { resellerId, vehicleId, deviceId }: Erased, sources: readonly string[]): Promise<void> {
  const gateways = sources.flatMap((source) => namingDevice(source) ?? [])
  await db.query(
    `delete from latest_states
      where source_id = any ($1) and reseller_id = $2
        and (vehicle_id = $3 or source_id = $4 or starts_with(source_id, $4 || '.') or (vehicle_id is null and source_id = any ($5)))`,
    [[...sources, ...gateways], resellerId, vehicleId ?? null, deviceId ?? null, gateways],
  )
}

/** The last messages of the device, and of each that reported for the vehicle: they have its readings, as they were sent. */
export async function deleteErasedMessages(db: Db, { resellerId }: Erased, sources: readonly string[]): Promise<void> {
  const devices = new Set(sources.map((source) => namingDevice(source) ?? source))
  await db.query('delete from device_messages where reseller_id = $1 and device_id = any ($2)', [resellerId, [...devices]])
}
