// A SIM belongs to whoever has the device that it is in. What devices and sub-clients do is learnt by background work that their slices ask
// for in the transaction of the change.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { DEVICE_CHANGED_JOB, SUB_CLIENT_LEFT_JOB } from '../devices/device-jobs.ts'
import type { JobKind } from '../jobs/job.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import { selectDevicesByNumber, selectNumberedDeviceForUpdate } from './device-numbers.read.sql.ts'
import { iccidKey, luhnDigit, readSimReference, type SimReference } from './iccid.ts'
import type { Sim } from './sim.ts'
import { selectSimForUpdate, selectSimOfDeviceForUpdate, selectSimsOfSubClientForUpdate } from './sims.sql.ts'
import { type Cause, storeSim } from './store-sim.ts'

type FollowDeps = { readonly database: Database; readonly now: () => Date }

const BATCH = 100

export function followJobs({ database, now }: FollowDeps): JobKind[] {
  return [
    {
      kind: DEVICE_CHANGED_JOB,
      concurrency: 4,
      perReseller: 2,
      run: async ({ resellerId, key }) => {
        await database.tenant(resellerId, (db) => followDevice(db, resellerId, key, now()))
        return 'done'
      },
    },
    {
      kind: SUB_CLIENT_LEFT_JOB,
      concurrency: 2,
      perReseller: 1,
      run: async ({ resellerId, key }) => {
        const at = now()
        const count = await database.tenant(resellerId, (db) => releaseSome(db, resellerId, key, at))
        return count < BATCH ? 'done' : { againAt: at }
      },
    },
  ]
}

/** A SIM that becomes known, or leaves its device, may be the one that is recorded for another device. */
export async function lookForDevice(db: Db, sim: Sim, at: Date): Promise<void> {
  if (sim.deviceId !== undefined || sim.status === 'terminated') return
  for (const deviceId of await selectDevicesByNumber(db, sim.resellerId, numbersOf(sim)))
    await upsertJob(db, { resellerId: sim.resellerId, kind: DEVICE_CHANGED_JOB, key: deviceId }, at)
}

/** As the number on a device may be written: with and without the check digit, or as a telephone number. */
function numbersOf({ iccid, msisdn }: Sim): string[] {
  const key = iccidKey(iccid) ?? iccid
  const withCheckDigit = `${key}${luhnDigit(key)}`
  // Of a key of 19 digits it is unknown whether its last one is the check digit.
  return [key, withCheckDigit, key.slice(0, -1), ...(msisdn === undefined ? [] : [msisdn])]
}

/** Links the device to the SIM whose number it has, and brings the SIM to where the device is. */
async function followDevice(db: Db, resellerId: string, deviceId: string, at: Date): Promise<void> {
  const device = await selectNumberedDeviceForUpdate(db, resellerId, deviceId)
  const sim = await selectSimOfDeviceForUpdate(db, resellerId, deviceId)
  const cause = (reason: string): Cause => ({ author: systemAuthor(resellerId, at), source: 'system', reason })
  const release = async (reason: string) => {
    if (sim !== undefined) await lookForDevice(db, await storeSim(db, sim, { ...sim, deviceId: undefined }, cause(reason)), at)
  }
  if (device === undefined || device.status === 'decommissioned') return await release('The device was decommissioned.')
  const reference = device.simNumber === undefined ? undefined : readSimReference(device.simNumber)
  const isNamed = sim !== undefined && (reference === undefined || isReferredTo(sim, reference))
  const named = isNamed || reference === undefined ? undefined : await findFree(db, resellerId, reference, device.subClientId)
  if (named !== undefined) {
    await release('The device has another SIM by its SIM number.')
    await storeSim(db, named, { ...named, deviceId, subClientId: device.subClientId }, cause('The device has its number.'))
  } else if (sim !== undefined && sim.subClientId !== device.subClientId) {
    await storeSim(db, sim, { ...sim, subClientId: device.subClientId }, cause('The device went to another sub-client.'))
  }
}

/** One that is in no device, and of the sub-client of the device or of none: nobody's SIM is taken for a number that somebody wrote. */
async function findFree(db: Db, resellerId: string, reference: SimReference, subClientId: string | undefined): Promise<Sim | undefined> {
  const sim = await selectSimForUpdate(db, { resellerId, subClientPin: undefined }, reference)
  if (sim === undefined || sim.deviceId !== undefined || sim.status === 'terminated') return undefined
  return sim.subClientId === undefined || sim.subClientId === subClientId ? sim : undefined
}

function isReferredTo(sim: Sim, reference: SimReference): boolean {
  if ('simId' in reference) return reference.simId === sim.simId
  return 'msisdn' in reference ? reference.msisdn === sim.msisdn : reference.iccidKey === iccidKey(sim.iccid)
}

async function releaseSome(db: Db, resellerId: string, subClientId: string, at: Date): Promise<number> {
  const held = await selectSimsOfSubClientForUpdate(db, resellerId, subClientId, BATCH)
  const cause: Cause = { author: systemAuthor(resellerId, at), source: 'system', reason: 'The sub-client was deactivated.' }
  for (const sim of held) await storeSim(db, sim, { ...sim, subClientId: undefined }, cause)
  return held.length
}
