// The one path every reading takes, whichever door it came through. Read it top to bottom:
// resolve who it is about → normalise and judge (pure) → take from the sub-client's limit → commit with others → one outcome per input.

import type { Database } from '@roadworthy/service-kit/db'
import { Problem } from '@roadworthy/service-kit/problem'
import type { Period } from '@roadworthy/service-kit/zoned-time'
import { createReading, type Reading } from '../readings/reading.ts'
import { readingId } from '../readings/reading-id.ts'
import type { StreamProgress } from '../streams/offsets.sql.ts'
import { ActiveDays } from './active-days.ts'
import { createGroupCommit, type GroupCommitLimits } from './group-commit.ts'
import type { Inbound, Ingest, Outcome } from './inbound.ts'
import { type Identity, type Normalized, normalize, type TimeWindow } from './normalize.ts'
import { admit, type ReadingQuota } from './reading-quota.ts'
import type { FleetDirectory, ResolvedDevice, ResolvedVehicle } from './resolve.ts'
import type { Stored } from './store-group.ts'

export type IngestDeps = {
  readonly database: Database
  readonly directory: FleetDirectory
  readonly now: () => Date
  readonly window: TimeWindow
  readonly quota: ReadingQuota
  readonly limits: GroupCommitLimits
  readonly onUnstorable: (error: unknown, reading: Reading) => void
}

export type IngestPipeline = {
  readonly ingest: Ingest
  readonly queuedCount: () => number
  /** Resolves when everything accepted has been committed or rejected. */
  drain(): Promise<void>
}

type Maybe<T> = T | Promise<T>

/** Who a record turned out to be about. */
type About = {
  readonly sourceId: string
  readonly device: ResolvedDevice | undefined
  readonly vehicleId: string | undefined
  readonly subClientId: string | undefined
}

export function createIngestPipeline(deps: IngestDeps): IngestPipeline {
  const commit = createGroupCommit(deps)
  const activeDays = new ActiveDays()

  // Not async: what waits for the commit must hold neither the records as they came nor the readings made of them.
  const ingest: Ingest = (batch, progress) => {
    const prepared = prepareAll({ ...deps, activeDays }, batch, deps.now())
    return prepared instanceof Promise ? prepared.then((all) => store(all, progress)) : store(prepared, progress)
  }

  const store = (all: readonly Prepared[], progress: readonly StreamProgress[] | undefined): Promise<Outcome[]> => {
    const { prepared, settle: settleQuota } = admit(deps.quota, all)
    const readings = prepared.filter((result): result is Reading => !(result instanceof Problem))
    const outcomes = prepared.map(toOutcome)
    if (readings.length === 0) return Promise.resolve(outcomes)
    const speakers = distinctSpeakers(readings)
    const newlyActive = newlyActiveAmong(readings)
    return commit.store(readings, readings.length === prepared.length ? progress : undefined).then(
      async (stored) => {
        settleQuota(stored)
        for (const { nth, day, ...device } of newlyActive) if (stored[nth] === 'stored') activeDays.remember(device, day)
        await activatePending(deps.directory, speakers)
        return settle(outcomes, stored)
      },
      (error: unknown) => {
        settleQuota(undefined)
        throw error
      },
    )
  }

  return { ingest, queuedCount: commit.queuedCount, drain: commit.drain }
}

type PrepareDeps = Pick<IngestDeps, 'directory' | 'window'> & { readonly activeDays: ActiveDays }

/** A reading that can be stored, or why the record is refused. */
type Prepared = Reading | Problem

/** Synchronous when everything the records name is in memory, which is nearly always. */
function prepareAll(deps: PrepareDeps, batch: readonly Inbound[], now: Date): Maybe<Prepared[]> {
  const prepared = batch.map((inbound) => prepare(deps, inbound, now))
  return prepared.some((result) => result instanceof Promise) ? Promise.all(prepared) : (prepared as Prepared[])
}

function prepare(deps: PrepareDeps, inbound: Inbound, now: Date): Maybe<Prepared> {
  const receivedAt = inbound.receivedAt ?? now
  let normalized: Normalized
  try {
    normalized = normalize(inbound.record, receivedAt.getTime(), deps.window)
    assertNamesSomething(inbound, normalized)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  const about = resolve(deps.directory, inbound, normalized)
  const finish = (resolved: About | Problem) =>
    resolved instanceof Problem ? resolved : withActiveDay(deps, toReading(inbound, normalized, resolved, receivedAt))
  return about instanceof Promise ? about.then(finish) : finish(about)
}

/** Says of a reading which day its device may become active with. */
function withActiveDay({ directory, activeDays }: PrepareDeps, reading: Reading): Maybe<Reading> {
  const { resellerId, receivedAtMs } = reading
  if (activeDays.isKnown(reading, receivedAtMs)) return reading
  return andThen(directory.findTimeZone(resellerId), (timeZone) => {
    if (timeZone === undefined) throw new Error(`there is no reseller ${resellerId}`)
    return { ...reading, activeDay: activeDays.dayOf(timeZone, receivedAtMs) }
  })
}

function assertNamesSomething(inbound: Inbound, { identity, content }: Normalized): void {
  if (inbound.speakerDeviceId !== undefined) return
  if (inbound.kind === 'track') {
    if (identity.deviceId === undefined)
      throw new Problem('invalid_request', '"device_id" is required.', { details: { field: 'device_id' } })
    if (content.position === undefined) {
      throw new Problem('invalid_request', 'A track point needs "latitude" and "longitude".', { details: { field: 'latitude' } })
    }
  } else if (identity.deviceId === undefined && identity.vehicleRef === undefined) {
    throw new Problem('invalid_request', '"device_id" or "vehicle_id" is required.', { details: { field: 'device_id' } })
  }
}

/** Continues at once when the value is there, later when it is on its way. */
function andThen<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function resolve(directory: FleetDirectory, inbound: Inbound, { identity, content }: Normalized): Maybe<About | Problem> {
  const { resellerId } = inbound
  const deviceRef = inbound.speakerDeviceId ?? identity.deviceId
  if (deviceRef === undefined) return resolveVehicleOnly(directory, inbound, identity, identity.vehicleRef ?? '')
  return andThen(directory.findDevice(resellerId, deviceRef), (device): Maybe<About | Problem> => {
    if (device === undefined) return deviceNotFound(deviceRef)
    if (inbound.speakerDeviceId !== undefined && !speaksForItself(identity.deviceId, device)) {
      return new Problem('invalid_request', '"device_id" names another device than the one that is connected.', {
        details: { field: 'device_id' },
      })
    }
    if (inbound.subClientPin !== undefined && device.subClientId !== inbound.subClientPin) return deviceNotFound(deviceRef)
    if (device.status === 'suspended') return new Problem('device_suspended', 'The device is suspended; its readings are not taken.')
    const vehicle =
      identity.vehicleRef === undefined
        ? undefined
        : resolveVehicle(directory, inbound, identity.vehicleRef, identity.subClientId ?? device.subClientId)
    return andThen(vehicle, (named): Maybe<About | Problem> => {
      if (named instanceof Problem) return named
      const subClientId = identity.subClientId ?? device.subClientId
      const vehicleId = named?.vehicleId ?? vehicleAt(device, content.recordedAtMs)
      const about = { sourceId: device.deviceId, device, vehicleId, subClientId }
      return requireActiveSubClient(directory, inbound, about)
    })
  })
}

/**
 * Where a device was when it recorded something, as far as is known: it may send days of readings after it was moved to another vehicle.
 * Spec gap §2.5: those are stored without a vehicle. In its first vehicle a device may send what is older than its registration.
 */
function vehicleAt({ vehicleId, vehicleSinceMs }: ResolvedDevice, recordedAtMs: number): string | undefined {
  return vehicleSinceMs === undefined || recordedAtMs >= vehicleSinceMs ? vehicleId : undefined
}

function resolveVehicleOnly(directory: FleetDirectory, inbound: Inbound, identity: Identity, reference: string): Maybe<About | Problem> {
  return andThen(resolveVehicle(directory, inbound, reference, identity.subClientId), (vehicle): Maybe<About | Problem> => {
    if (vehicle instanceof Problem) return vehicle
    const subClientId = identity.subClientId ?? vehicle.subClientId
    return requireActiveSubClient(directory, inbound, {
      sourceId: vehicle.vehicleId,
      device: undefined,
      vehicleId: vehicle.vehicleId,
      subClientId,
    })
  })
}

/** Spec gap §2.5: `vehicle_id` is our id or the caller's own reference; one nobody registered creates the vehicle. */
function resolveVehicle(
  directory: FleetDirectory,
  inbound: Inbound,
  reference: string,
  subClientId: string | undefined,
): Maybe<ResolvedVehicle | Problem> {
  const { resellerId, subClientPin } = inbound
  return andThen(directory.findVehicle(resellerId, reference), (vehicle): Maybe<ResolvedVehicle | Problem> => {
    if (vehicle !== undefined) {
      const isHidden = subClientPin !== undefined && vehicle.subClientId !== subClientPin
      return isHidden ? new Problem('not_found', 'There is no such vehicle.') : vehicle
    }
    const owner = subClientId ?? subClientPin
    if (owner === undefined) return directory.createUnregisteredVehicle(resellerId, reference, undefined)
    // Before it is created, or a pinned key would leave a vehicle behind with a sub-client it cannot see.
    if (subClientPin !== undefined && owner !== subClientPin) return subClientNotFound(owner)
    // Never create a vehicle for a sub-client that turns out to be unknown.
    return andThen(
      directory.findSubClientStatus(resellerId, owner),
      (status): Maybe<ResolvedVehicle | Problem> =>
        status === undefined ? subClientNotFound(owner) : directory.createUnregisteredVehicle(resellerId, reference, owner),
    )
  })
}

function requireActiveSubClient(directory: FleetDirectory, inbound: Inbound, about: About): Maybe<About | Problem> {
  const { subClientId } = about
  if (inbound.subClientPin !== undefined && subClientId !== inbound.subClientPin) return subClientNotFound(subClientId ?? '')
  if (subClientId === undefined) return about
  return andThen(directory.findSubClientStatus(inbound.resellerId, subClientId), (status) => {
    if (status === undefined) return subClientNotFound(subClientId)
    // Spec gap §2.5: a record cannot carry a reading to another sub-client than its device's, which would see it and be billed for it.
    if (about.device?.subClientId !== undefined && about.device.subClientId !== subClientId) {
      return new Problem('invalid_request', '"sub_client_id" is not that of the device. Leave it out, or reassign the device.', {
        details: { field: 'sub_client_id' },
      })
    }
    if (status !== 'active') return new Problem('sub_client_suspended', `The sub-client is ${status}; its readings are not taken.`)
    return about
  })
}

const deviceNotFound = (reference: string) =>
  new Problem('device_not_found', 'There is no registered device with this id or IMEI.', { details: { device_id: reference } })

const subClientNotFound = (subClientId: string) =>
  new Problem('not_found', 'There is no such sub-client.', { details: { field: 'sub_client_id', sub_client_id: subClientId } })

function speaksForItself(named: string | undefined, device: ResolvedDevice): boolean {
  return named === undefined || named === device.deviceId || named === device.imei
}

function toReading(inbound: Inbound, { content }: Normalized, about: About, receivedAt: Date): Reading {
  return createReading(content, {
    kind: inbound.kind,
    resellerId: inbound.resellerId,
    sourceId: about.sourceId,
    deviceId: about.device?.deviceId,
    vehicleId: about.vehicleId,
    subClientId: about.subClientId,
    receivedAtMs: receivedAt.getTime(),
  })
}

/** What the caller is told when the store takes the reading. */
function toOutcome(prepared: Prepared): Outcome {
  if (prepared instanceof Problem) return { status: 'refused', problem: prepared }
  const { deviceId, vehicleId, subClientId } = prepared
  return { status: 'stored', readingId: readingId(prepared), deviceId, vehicleId, subClientId, receivedAtMs: prepared.receivedAtMs }
}

/** Corrects the outcomes by what the store said of those that were handed to it. */
function settle(outcomes: readonly Outcome[], stored: readonly Stored[]): Outcome[] {
  let next = 0
  return outcomes.map((outcome) => {
    if (outcome.status === 'refused') return outcome
    const said = stored[next++]
    if (said === 'stored') return outcome
    if (said === 'duplicate') return { ...outcome, status: 'duplicate' }
    return { status: 'refused', problem: new Problem('invalid_request', 'The reading holds a value that cannot be stored.') }
  })
}

type NewlyActive = Pick<Reading, 'resellerId' | 'subClientId' | 'deviceId'> & { readonly nth: number; readonly day: Period }

/** Nearly always none. */
function newlyActiveAmong(readings: readonly Reading[]): NewlyActive[] {
  return readings.flatMap(({ resellerId, subClientId, deviceId, activeDay: day }, nth) =>
    day === undefined ? [] : [{ resellerId, subClientId, deviceId, nth, day }],
  )
}

type Speaker = { readonly resellerId: string; readonly deviceId: string }

function distinctSpeakers(readings: readonly Reading[]): Speaker[] {
  const speakers = new Map<string, Speaker>()
  let last: string | undefined
  for (const { resellerId, deviceId } of readings) {
    // Batches come from one device, or a few: looking at the one before saves nearly every look.
    if (deviceId === undefined || deviceId === last) continue
    last = deviceId
    speakers.set(deviceId, { resellerId, deviceId })
  }
  return [...speakers.values()]
}

/** Spec gap §3: a pre-provisioned device becomes active with its first authenticated message. */
async function activatePending(directory: FleetDirectory, speakers: readonly Speaker[]): Promise<void> {
  const pending: (Speaker & { imei: string | undefined })[] = []
  for (const { resellerId, deviceId } of speakers) {
    const found = directory.findDevice(resellerId, deviceId)
    const device = found instanceof Promise ? await found : found
    if (device?.status === 'pending') pending.push({ resellerId, deviceId, imei: device.imei })
  }
  if (pending.length > 0) await directory.activateDevices(pending)
}
