import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from './viewer.ts'

/** What this slice asks of the devices slice, which imports this one: handed in where the routes are put together. */
export type DeviceLinks = {
  /** Takes the living devices out of a sub-client and returns how many there were. */
  unassignDevices(db: Db, resellerId: string, subClientId: string, at: Date): Promise<number>
  /** Links a device, by id or IMEI, to a vehicle. Throws when the viewer has no such device or may not change it. */
  linkDevice(db: Db, viewer: Viewer, deviceReference: string, vehicleId: string, at: Date): Promise<void>
  /** Takes all living devices off a vehicle. */
  unlinkDevices(db: Db, resellerId: string, vehicleId: string, at: Date): Promise<void>
  /** Takes off a vehicle that went to another sub-client the devices of others. */
  unlinkForeignDevices(db: Db, resellerId: string, vehicle: { vehicleId: string; subClientId: string }, at: Date): Promise<void>
}
