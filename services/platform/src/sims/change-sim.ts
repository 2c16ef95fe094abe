// Making a SIM known, and setting whose it is, in which device and by which plan. Locks are taken in one order: sub-client, device, SIM.

import type { SimCreate, SimUpdate } from '@roadworthy/contracts/sim-billing/sims'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { type Database, type Db, isUniqueViolation } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Author } from '../audit/audit.ts'
import { deviceIsDecommissioned, isDeviceReference, noSuchDevice } from '../devices/device.ts'
import { type HeldDevice, selectDeviceForUpdate } from '../devices/devices.sql.ts'
import { assertMetadata } from '../fleet/sub-client.ts'
import { assertOwnerWritable, requireWritableSubClient } from '../fleet/sub-client-access.ts'
import type { Viewer } from '../fleet/viewer.ts'
import type { Caller } from '../keys/caller.ts'
import { noSuchConnection } from './connections/connection.ts'
import { selectConnection } from './connections/connections.sql.ts'
import { lookForDevice } from './follow-devices.ts'
import { isIccid, readSimReference, type SimReference } from './iccid.ts'
import { assertPlanInUse, planFor } from './rate-plan-of-sim.ts'
import { BYTES_PER_MB, noSuchSim, type ShownSim, type Sim } from './sim.ts'
import { countLivingSimsByNumber, selectSim, selectSimForUpdate } from './sims.sql.ts'
import { type Cause, storeSim } from './store-sim.ts'

const refused = (field: string, message: string) => new Problem('invalid_request', message, { details: { in: 'body', field } })

/** By id, ICCID or number. */
export async function requireSim(db: Db, viewer: Viewer, text: string): Promise<ShownSim> {
  const reference = readSimReference(text)
  const sim = reference === undefined ? undefined : await selectSim(db, viewer, reference)
  if (sim === undefined) throw noSuchSim()
  return sim
}

/** A number is that of the SIM that lives. Where several that live have it, it is unknown which one is to be changed. */
export async function requireHeldSim(db: Db, viewer: Viewer, reference: SimReference | undefined): Promise<Sim> {
  const sim = reference === undefined ? undefined : await selectSimForUpdate(db, viewer, reference)
  if (sim === undefined) throw noSuchSim()
  if (reference !== undefined && 'msisdn' in reference && (await countLivingSimsByNumber(db, viewer, reference.msisdn)) > 1)
    throw new Problem('conflict', 'Several SIMs have this number: name the one that is meant by its id or ICCID.')
  return sim
}

export async function createSim(database: Database, caller: Caller, given: SimCreate, author: Author): Promise<string> {
  const { resellerId } = author
  if (!isIccid(given.iccid)) throw refused('iccid', 'The last of the 20 digits of "iccid" is not their check digit.')
  if (given.metadata !== undefined) assertMetadata(given.metadata)
  const simId = newId('sim')
  try {
    await database.tenant(resellerId, async (db) => {
      // An account is the reseller's: to a key of one sub-client there is none.
      const connection = caller.subClientPin === undefined ? await selectConnection(db, resellerId, given.connection_id) : undefined
      if (connection === undefined) throw noSuchConnection()
      const device = await holdPlaces(db, caller, given, given.device_id ?? undefined)
      const blank = blankSim({ resellerId, simId, connectionId: connection.connectionId, iccid: given.iccid }, author.at)
      const described = {
        ...blank,
        imsi: given.imsi ?? undefined,
        msisdn: given.msisdn ?? undefined,
        operatorPlan: given.rate_plan ?? undefined,
      }
      const assigned = await assign(db, caller, described, given, device)
      const plan = assigned.planId === undefined ? await planFor(db, connection, assigned) : undefined
      const cause: Cause = { author, source: 'request' }
      await lookForDevice(db, await storeSim(db, undefined, { ...assigned, ...plan }, cause), author.at)
    })
  } catch (error) {
    throw toConflict(error)
  }
  return simId
}

export async function updateSim(database: Database, caller: Caller, text: string, given: SimUpdate, author: Author): Promise<string> {
  const { resellerId } = author
  if (given.metadata !== undefined) assertMetadata(given.metadata)
  try {
    return await database.tenant(resellerId, async (db) => {
      // Not held yet: its device is held first.
      const seen = await requireSim(db, caller, text)
      const named = given.device_id === undefined ? seen.deviceId : (given.device_id ?? undefined)
      const device = await holdPlaces(db, caller, given, named)
      const reference = readSimReference(text)
      const isByNumber = reference !== undefined && 'msisdn' in reference
      const sim = await requireHeldSim(db, caller, isByNumber ? reference : { simId: seen.simId })
      if (sim.simId !== seen.simId) throw new Problem('conflict', 'The number went to another SIM at the same moment. Try again.')
      if (sim.deviceId !== seen.deviceId)
        throw new Problem('conflict', 'The SIM was put into another device at the same moment. Try again.')
      if (given.sub_client_id === undefined || given.sub_client_id === sim.subClientId)
        await assertOwnerWritable(db, resellerId, sim.subClientId)
      const after = await storeSim(db, sim, await assign(db, caller, sim, given, device), { author, source: 'request' })
      if (sim.deviceId !== undefined) await lookForDevice(db, after, author.at)
      return sim.simId
    })
  } catch (error) {
    throw toConflict(error)
  }
}

/** Holds the sub-client and the device that are named, so that both stay what they are. */
async function holdPlaces(db: Db, caller: Caller, given: SimUpdate, device: string | undefined): Promise<HeldDevice | undefined> {
  const { sub_client_id: subClientId } = given
  if (caller.subClientPin !== undefined && subClientId === null)
    throw refused('sub_client_id', 'This key belongs to one sub-client and cannot take a SIM out of it.')
  if (typeof subClientId === 'string') await requireWritableSubClient(db, caller, subClientId)
  if (device === undefined) return undefined
  const held = isDeviceReference(device) ? await selectDeviceForUpdate(db, caller, device) : undefined
  if (held === undefined) throw noSuchDevice()
  if (held.status === 'decommissioned' && typeof given.device_id === 'string') throw deviceIsDecommissioned()
  return held
}

/** `device`: that the SIM is in afterwards. A SIM of nobody goes to whoever has the device; everything else is for the caller to decide. */
async function assign(db: Db, caller: Caller, sim: Sim, given: SimUpdate, device: HeldDevice | undefined): Promise<Sim> {
  const isMoving = given.device_id !== undefined || given.sub_client_id !== undefined
  if (isMoving && sim.status === 'terminated')
    throw new Problem('conflict', 'The SIM is terminated: it cannot be given to anybody.', { details: { status: sim.status } })
  const isAdopted = given.sub_client_id === undefined && sim.subClientId === undefined && typeof given.device_id === 'string'
  const subClientId = isAdopted
    ? device?.subClientId
    : given.sub_client_id === undefined
      ? sim.subClientId
      : (given.sub_client_id ?? undefined)
  if (isMoving && device !== undefined && device.subClientId !== subClientId) {
    const whose = device.subClientId === undefined ? 'no sub-client' : `sub-client ${device.subClientId}`
    throw new Problem('conflict', `The device belongs to ${whose}, and its SIM belongs to whoever has the device. Give both the same.`, {
      details: { device_id: device.deviceId, device_sub_client_id: device.subClientId ?? null },
    })
  }
  if (caller.subClientPin !== undefined && (given.plan_id !== undefined || given.data_limit_mb !== undefined)) {
    throw mayNotChoosePlan()
  }
  if (typeof given.plan_id === 'string' && given.plan_id !== sim.planId) await assertPlanInUse(db, sim.resellerId, given.plan_id, 'plan_id')
  const { data_limit_mb: limitMb } = given
  return {
    ...sim,
    subClientId,
    deviceId: device?.deviceId,
    ...(given.plan_id === undefined ? {} : { planId: given.plan_id ?? undefined, isDefaultPlan: false }),
    dataLimitBytes: limitMb === undefined ? sim.dataLimitBytes : limitMb === null ? undefined : limitMb * BYTES_PER_MB,
    metadata: given.metadata ?? sim.metadata,
  }
}

/** A sub-client does not choose the plan by which it is billed. */
export function mayNotChoosePlan(): Problem {
  return new Problem('missing_scope', 'This key belongs to one sub-client and cannot change what its SIMs are billed by.', {
    details: { required_scope: 'billing:write' },
  })
}

export function blankSim(ids: Pick<Sim, 'resellerId' | 'simId' | 'connectionId' | 'iccid'>, at: Date): Sim {
  const absent = undefined
  return {
    ...ids,
    ...{ imsi: absent, msisdn: absent, eid: absent, imei: absent },
    ...{ status: 'inventory', statusBefore: absent, statusSince: at, suspendedBy: absent, suspendedReason: absent, heldFor: absent },
    ...{
      custodyUntil: absent,
      terminatesAt: absent,
      planId: absent,
      isDefaultPlan: false,
      operatorPlan: absent,
      operatorPlanBefore: absent,
      isParked: false,
    },
    ...{ communicationPlan: absent, apn: absent, ipAddress: absent, subClientId: absent, deviceId: absent, dataLimitBytes: absent },
    ...{ cycleStart: absent, cycleEnd: absent, cycleBytes: 0, cycleSms: 0, cycleSessions: 0, usageAt: absent, activatedAt: absent },
    ...{ operatorStatus: absent, operatorChangedAt: absent, operatorSyncedAt: absent, metadata: {} },
    ...{ lastHistorySeq: 0, lastUsageSeq: 0, createdAt: at, updatedAt: at },
  }
}

function toConflict(error: unknown): unknown {
  if (isUniqueViolation(error, 'sims_iccid_key')) return new Problem('already_exists', 'A SIM with this ICCID is known already.')
  if (isUniqueViolation(error, 'sims_device_key'))
    return new Problem('conflict', 'The device has another SIM; take that out first: PUT "device_id": null.', {
      details: { field: 'device_id' },
    })
  return error
}
