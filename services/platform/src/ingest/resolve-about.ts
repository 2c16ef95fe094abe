// Whose a record is: its device, its vehicle and its sub-client, and whether who sent it may speak for them.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { andThen, type MaybePromise } from '@roadworthy/service-kit/pacing/maybe-promise'
import { areOfDifferentSubClients, MAX_NAMED_VEHICLES, vehicleIsRetired, vehicleOfOtherSubClient } from '../fleet/vehicle.ts'
import { sourceOfNamed } from '../readings/source-id.ts'
import type { Inbound } from './inbound.ts'
import type { Identity, Normalized } from './normalize.ts'
import type { FleetDirectory, ResolvedDevice, ResolvedVehicle } from './resolve.ts'

/** Who a record turned out to be about. */
export type About = {
  readonly sourceId: string
  readonly device: ResolvedDevice | undefined
  readonly vehicleId: string | undefined
  readonly subClientId: string | undefined
  /** What the record called a vehicle that is retired, or one that is not known and that its sender may not create. */
  readonly unusedVehicle?: { readonly reference: string; readonly isRetired: boolean }
}

/** Synchronous when everything the record names is in memory, which is nearly always. */
export function resolveAbout(
  directory: FleetDirectory,
  inbound: Inbound,
  { identity, content }: Normalized,
): MaybePromise<About | Problem> {
  const deviceRef = inbound.senderDeviceId ?? identity.deviceId
  if (deviceRef === undefined) return resolveVehicleOnly(directory, inbound, identity, identity.vehicleRef ?? '')
  return andThen(directory.findDevice(inbound.resellerId, deviceRef), (device): MaybePromise<About | Problem> => {
    const refusal = refusalOfDevice(inbound, identity, deviceRef, device)
    if (refusal !== undefined || device === undefined) return refusal ?? deviceNotFound(deviceRef)
    const subClientId = identity.subClientId ?? device.subClientId
    const about = { sourceId: device.deviceId, device, subClientId }
    // Before any vehicle is looked at: none is created for a record that is refused.
    return andThen(subClientProblem(directory, inbound, subClientId, device), (problem): MaybePromise<About | Problem> => {
      if (problem !== undefined) return problem
      if (identity.vehicleRef === undefined) return ofLinkedVehicle(about, content.recordedAtMs)
      return andThen(resolveVehicle(directory, inbound, identity.vehicleRef, subClientId), (named) => {
        if (named instanceof Problem) return named
        if (named === undefined)
          return { ...about, vehicleId: undefined, unusedVehicle: { reference: identity.vehicleRef ?? '', isRetired: false } }
        if (!maySpeakFor(inbound, about, named)) return vehicleOfOtherSubClient()
        // The device is there and reports something: that is kept, as of a vehicle that is not known.
        if (named.isRetired === true)
          return { ...about, vehicleId: undefined, unusedVehicle: { reference: identity.vehicleRef ?? '', isRetired: true } }
        const { vehicleId } = named
        // Its own vehicle need not be named: named or not, it is the same reading.
        return vehicleId === device.vehicleId
          ? { ...about, vehicleId }
          : { ...about, vehicleId, sourceId: sourceOfNamed(device.deviceId, vehicleId) }
      })
    })
  })
}

function refusalOfDevice(inbound: Inbound, identity: Identity, reference: string, device: ResolvedDevice | undefined): Problem | undefined {
  if (device === undefined) return deviceNotFound(reference)
  if (inbound.senderDeviceId !== undefined && !speaksForItself(identity.deviceId, device)) {
    return new Problem('invalid_request', '"device_id" names another device than the one that is connected.', {
      details: { field: 'device_id' },
    })
  }
  if (inbound.subClientPin !== undefined && device.subClientId !== inbound.subClientPin) return deviceNotFound(reference)
  if (device.status !== 'suspended') return undefined
  return new Problem('device_suspended', 'The device is suspended; its readings are not taken.')
}

function speaksForItself(named: string | undefined, device: ResolvedDevice): boolean {
  return named === undefined || named === device.deviceId || named === device.imei
}

type OfDevice = { readonly sourceId: string; readonly device: ResolvedDevice; readonly subClientId: string | undefined }

/**
 * Where a device was when it recorded something, as far as is known: it may send days of readings after it was moved to another vehicle.
 * Spec gap §2.5: those are stored without a vehicle. In its first vehicle a device may send what is older than its registration.
 */
function ofLinkedVehicle(about: OfDevice, recordedAtMs: number): About | Problem {
  const { vehicleId, vehicleSinceMs, vehicleSubClientId } = about.device
  if (vehicleId === undefined || (vehicleSinceMs !== undefined && recordedAtMs < vehicleSinceMs)) return { ...about, vehicleId: undefined }
  return areOfDifferentSubClients(about.subClientId, vehicleSubClientId) ? vehicleOfOtherSubClient() : { ...about, vehicleId }
}

/**
 * Spec gap §2.5: a device reports for vehicles of its own sub-client, of none, and for the one it is linked to. Of no sub-client itself, it
 * reports for no sub-client's vehicles by naming them; whoever has the reseller's right may state that it does.
 */
function maySpeakFor(inbound: Inbound, { device, subClientId }: OfDevice, vehicle: ResolvedVehicle): boolean {
  if (areOfDifferentSubClients(subClientId, vehicle.subClientId)) return false
  const isOfReseller = subClientId === undefined && vehicle.subClientId !== undefined
  return !isOfReseller || inbound.senderDeviceId === undefined || device.vehicleId === vehicle.vehicleId
}

function resolveVehicleOnly(
  directory: FleetDirectory,
  inbound: Inbound,
  identity: Identity,
  reference: string,
): MaybePromise<About | Problem> {
  const owner = identity.subClientId ?? inbound.subClientPin
  return andThen(subClientProblem(directory, inbound, owner, undefined), (problem): MaybePromise<About | Problem> => {
    if (problem !== undefined) return problem
    return andThen(resolveVehicle(directory, inbound, reference, owner), (vehicle): MaybePromise<About | Problem> => {
      if (vehicle instanceof Problem) return vehicle
      // Where no device is named there is nothing to store the reading under.
      if (vehicle === undefined) return noSuchVehicle()
      if (areOfDifferentSubClients(owner, vehicle.subClientId)) return vehicleOfOtherSubClient()
      if (vehicle.isRetired === true) return vehicleIsRetired()
      const { vehicleId } = vehicle
      const subClientId = owner ?? vehicle.subClientId
      const about = { sourceId: vehicleId, device: undefined, vehicleId, subClientId }
      return andThen(subClientProblem(directory, inbound, subClientId, undefined), (ofVehicle) => ofVehicle ?? about)
    })
  })
}

/**
 * Spec gap §2.5: `vehicle_id` is our id or the caller's own reference; one nobody registered creates the vehicle. Undefined where the sender
 * may not: a key without `telemetry:write`, and a device beyond what its reseller lets devices create.
 */
function resolveVehicle(
  directory: FleetDirectory,
  inbound: Inbound,
  reference: string,
  subClientId: string | undefined,
): MaybePromise<ResolvedVehicle | Problem | undefined> {
  const { resellerId, subClientPin, senderDeviceId, mayCreateVehicles = true } = inbound
  return andThen(directory.findVehicle(resellerId, reference), (vehicle): MaybePromise<ResolvedVehicle | Problem | undefined> => {
    if (vehicle !== undefined) return subClientPin !== undefined && vehicle.subClientId !== subClientPin ? noSuchVehicle() : vehicle
    const by = senderDeviceId === undefined ? 'reseller' : 'device'
    if (!mayCreateVehicles) return undefined
    return andThen(directory.createNamedVehicle(resellerId, { reference, subClientId, by }), (created) => {
      if (created !== undefined) return subClientPin !== undefined && created.subClientId !== subClientPin ? noSuchVehicle() : created
      return by === 'device' ? undefined : tooManyVehicles()
    })
  })
}

/** Why nothing is taken for a sub-client, if so. */
function subClientProblem(
  directory: FleetDirectory,
  { resellerId, subClientPin, senderDeviceId }: Inbound,
  subClientId: string | undefined,
  device: ResolvedDevice | undefined,
): MaybePromise<Problem | undefined> {
  if (subClientPin !== undefined && subClientId !== subClientPin) return subClientNotFound(subClientId ?? '')
  if (subClientId === undefined) return undefined
  return andThen(directory.findSubClientStatus(resellerId, subClientId), (status) => {
    if (status === undefined) return subClientNotFound(subClientId)
    if (device !== undefined && !mayCarryTo(subClientId, device, senderDeviceId !== undefined)) {
      return new Problem('invalid_request', '"sub_client_id" is not that of the device. Leave it out, or reassign the device.', {
        details: { field: 'sub_client_id' },
      })
    }
    if (status === 'active') return undefined
    return new Problem('sub_client_suspended', `The sub-client is ${status}; its readings are not taken.`)
  })
}

/**
 * Spec gap §2.5: a record cannot carry a reading to another sub-client than its device's, which would see it and be billed for it. Of a device
 * of none the reseller may name whose it is; the device itself may not.
 */
function mayCarryTo(subClientId: string, device: ResolvedDevice, speaksItself: boolean): boolean {
  return device.subClientId === subClientId || (device.subClientId === undefined && !speaksItself)
}

const deviceNotFound = (reference: string) =>
  new Problem('device_not_found', 'There is no registered device with this id or IMEI.', { details: { device_id: reference } })

const subClientNotFound = (subClientId: string) =>
  new Problem('not_found', 'There is no such sub-client.', { details: { field: 'sub_client_id', sub_client_id: subClientId } })

const noSuchVehicle = () => new Problem('not_found', 'There is no such vehicle.', { details: { field: 'vehicle_id' } })

const tooManyVehicles = () =>
  new Problem(
    'quota_exceeded',
    `Readings have created ${MAX_NAMED_VEHICLES} vehicles by naming them, which is as many as a reseller may have. Register the vehicle (POST /vehicles), or retire those that are none.`,
    { details: { field: 'vehicle_id', quota: MAX_NAMED_VEHICLES } },
  )
