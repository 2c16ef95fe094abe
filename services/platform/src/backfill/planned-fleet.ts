// The fleet as it would be if what readings name were created: by it a source is checked before anything is.

import { andThen } from '@roadworthy/service-kit/pacing/maybe-promise'
import { isDeviceReference, isImei } from '../devices/device.ts'
import type { FleetDirectory, ResolvedDevice, ResolvedVehicle } from '../ingest/resolve.ts'
import { BackfillProblem } from './past-source.ts'

/** Of one import. */
const MAX_NEW = 20_000
const ID_DIGITS = 8

export type PlannedFleet = {
  readonly directory: FleetDirectory
  /** By IMEI. */
  readonly newDevices: ReadonlyMap<string, ResolvedDevice>
  /** By reference. */
  readonly newVehicles: ReadonlyMap<string, ResolvedVehicle>
}

/** What is planned has an id that nothing has. `subClientId` is that of new devices. */
export function planFleet(known: FleetDirectory, subClientId: string | undefined): PlannedFleet {
  const newDevices = new Map<string, ResolvedDevice>()
  const newVehicles = new Map<string, ResolvedVehicle>()
  const plan = <T>(planned: Map<string, T>, name: string, thing: T, what: string): T => {
    if (planned.size >= MAX_NEW)
      throw new BackfillProblem(`More than ${MAX_NEW} ${what} would be created. Does the right column name them?`)
    planned.set(name, thing)
    return thing
  }
  const planDevice = (imei: string) =>
    plan(newDevices, imei, { deviceId: `dev-new${imei}`, imei, status: 'pending', subClientId, vehicleId: undefined }, 'devices')
  return {
    newDevices,
    newVehicles,
    directory: {
      ...known,
      findDevice: (resellerId, reference) =>
        newDevices.get(reference) ??
        andThen(known.findDevice(resellerId, reference), (device) => {
          if (device !== undefined || !isDeviceReference(reference) || !isImei(reference)) return device
          return newDevices.get(reference) ?? planDevice(reference)
        }),
      findVehicle: (resellerId, reference) => newVehicles.get(reference) ?? known.findVehicle(resellerId, reference),
      createNamedVehicle: (_resellerId, { reference, subClientId: ofVehicle }) => {
        const vehicleId = `veh-new${String(newVehicles.size).padStart(ID_DIGITS, '0')}`
        return newVehicles.get(reference) ?? plan(newVehicles, reference, { vehicleId, subClientId: ofVehicle }, 'vehicles')
      },
    },
  }
}
