// How ingest learns whom a reading is about, from memory whenever possible.

import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import { andThen } from '@roadworthy/service-kit/pacing/maybe-promise'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { SubClientStatus } from '../fleet/sub-client.ts'
import { selectSubClientStatuses } from '../fleet/sub-clients.sql.ts'
import { isVehicleReference } from '../fleet/vehicle.ts'
import { type NamedBy, selectVehiclesByReference, type VehicleOwner } from '../fleet/vehicles.sql.ts'
import { isServed } from '../limits/plans.ts'
import { type ResellerTerms, selectResellerTerms } from '../resellers/resellers.sql.ts'
import { isDeviceReference, type LivingDevice } from './device.ts'
import { activatePendingDevices, selectLivingDevices } from './devices.sql.ts'
import { NamedVehicles } from './named-vehicles.ts'
import { type Asked, TenantCache } from './tenant-cache.ts'

/**
 * The backstop for a notification lost without a word; as long as the heartbeat of the listening connection, which finds that out. A
 * second would ask for every device of a large fleet again with nearly every message it sends.
 */
const TTL_MS = 15_000
/** About 15 MB of devices, when all of them are remembered. */
const MAX_ENTRIES = 50_000

/** Calls `listener` with the reseller whose fleet changed, or with nothing when notifications may have been missed. */
export type OnFleetChanged = (listener: (resellerId?: string) => void) => void

export type PendingDevice = { readonly resellerId: string; readonly deviceId: string; readonly imei: string | undefined }

export type Directory = {
  findDevice(resellerId: string, idOrImei: string): LivingDevice | undefined | Promise<LivingDevice | undefined>
  findVehicle(resellerId: string, reference: string): VehicleOwner | undefined | Promise<VehicleOwner | undefined>
  createNamedVehicle(
    resellerId: string,
    named: { readonly reference: string; readonly subClientId: string | undefined; readonly by: NamedBy },
  ): VehicleOwner | undefined | Promise<VehicleOwner | undefined>
  findSubClientStatus(resellerId: string, subClientId: string): SubClientStatus | undefined | Promise<SubClientStatus | undefined>
  /** Of a reseller there is: IANA name. */
  findTimeZone(resellerId: string): string | undefined | Promise<string | undefined>
  /** Whether the subscription of a reseller has ended. */
  hasLapsed(resellerId: string): boolean | Promise<boolean>
  activateDevices(pending: readonly PendingDevice[]): Promise<void>
  /** For writes of this process, which must be seen at once and do not wait for their own notification. */
  forget(resellerId: string): void
}

/** Fits `FleetDirectory` of the ingest slice, which this slice must not import. */
export function createDirectory(deps: {
  database: Database
  now: () => Date
  onFleetChanged: OnFleetChanged
  ttlMs?: number
  maxEntries?: number
  maxNamedVehicles?: number
}): Directory {
  const { database, now, ttlMs = TTL_MS, maxEntries = MAX_ENTRIES } = deps
  const limits = { now, ttlMs, maxEntries }
  const load =
    <T>(select: (db: Parameters<Parameters<Database['tenant']>[1]>[0], asked: readonly Asked[]) => Promise<(T | undefined)[]>) =>
    (asked: readonly Asked[]) =>
      database.tenant([...new Set(asked.map(({ resellerId }) => resellerId))], (db) => select(db, asked))
  const devices = new TenantCache<LivingDevice>({ ...limits, load: load(selectLivingDevices) })
  const vehicles = new TenantCache<VehicleOwner>({ ...limits, load: load(selectVehiclesByReference) })
  const subClients = new TenantCache<SubClientStatus>({ ...limits, load: load(selectSubClientStatuses) })
  const resellers = new TenantCache<ResellerTerms>({
    ...limits,
    load: load((db, asked) =>
      selectResellerTerms(
        db,
        asked.map(({ resellerId }) => resellerId),
      ),
    ),
  })

  const namedVehicles = new NamedVehicles(database, now, deps.maxNamedVehicles)
  const forget = (resellerId?: string) => {
    for (const cache of [devices, vehicles, subClients, resellers, namedVehicles]) cache.forget(resellerId)
  }
  deps.onFleetChanged(forget)

  return {
    // A reference of a shape that is never stored needs no query, and junk from a device costs nothing.
    findDevice: (resellerId, idOrImei) => (isDeviceReference(idOrImei) ? devices.find(resellerId, idOrImei) : undefined),
    findVehicle: (resellerId, reference) => (isVehicleReference(reference) ? vehicles.find(resellerId, reference) : undefined),
    findSubClientStatus: (resellerId, subClientId) => (isSlug(subClientId) ? subClients.find(resellerId, subClientId) : undefined),
    findTimeZone: (resellerId) => andThen(resellers.find(resellerId, resellerId), (terms) => terms?.timeZone),
    hasLapsed: (resellerId) =>
      andThen(resellers.find(resellerId, resellerId), (terms) => terms !== undefined && !isServed(terms.subscription)),

    createNamedVehicle: (resellerId, named) => {
      if (!isVehicleReference(named.reference)) return undefined
      return andThen(resellers.find(resellerId, resellerId), (terms) =>
        namedVehicles.create(resellerId, named, terms?.deviceVehicleLimit ?? 0),
      )
    },

    // Nobody is notified and only these are forgotten: to whoever still believes one pending it is activated once more, for nothing.
    activateDevices: async (pending) => {
      const resellerIds = [...new Set(pending.map(({ resellerId }) => resellerId))]
      await database.tenant(resellerIds, (db) => activatePendingDevices(db, pending, now()))
      for (const { resellerId, deviceId, imei } of pending) {
        devices.forgetOne(resellerId, deviceId)
        if (imei !== undefined) devices.forgetOne(resellerId, imei)
      }
    },
    forget,
  }
}
