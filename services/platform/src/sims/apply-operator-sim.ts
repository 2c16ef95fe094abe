// What an operator reports of a SIM becomes what is known here. The operator is the truth, within what its answers can be trusted for: old pages,
// changes that are under way, and states that it has no word for.

import assert from 'node:assert/strict'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { systemAuthor } from '../audit/audit.ts'
import { selectSimsWithLiveAction } from './actions/live-actions.read.sql.ts'
import { statusAtOperator } from './actions/plan-step.ts'
import { blankSim } from './change-sim.ts'
import type { OperatorConnection } from './connections/connection.ts'
import { lookForDevice } from './follow-devices.ts'
import { iccidKey } from './iccid.ts'
import type { OperatorCaps, OperatorSim, SimStatus } from './operators/operator.ts'
import { planAfter, planFor } from './rate-plan-of-sim.ts'
import type { Sim } from './sim.ts'
import { selectSimsByIccidForUpdate } from './sims.sql.ts'
import { type Cause, storeSim } from './store-sim.ts'

export type SeenSim = {
  readonly connection: OperatorConnection
  readonly caps: OperatorCaps
  readonly seen: OperatorSim
  /** When the operator was asked, by our clock: what changed here since is newer than its answer. */
  readonly askedAt: Date
  readonly at: Date
}

/** `stale`: the answer was older than what is known. `refused`: the SIM is not to be taken from this connection. */
export type Applied =
  | { readonly outcome: 'created' | 'updated' | 'unchanged' | 'stale'; readonly simId: string }
  | { readonly outcome: 'refused'; readonly code: string; readonly message: string }

const DAY_MS = 86_400_000

/**
 * Creates or updates the SIM, with its history (`source: "operator"`), event and audit, in the transaction of `db`. The status is left as it is
 * while an action of ours is live, while the operator reports that it is changing, and where its word for it is not known.
 */
export async function applyOperatorSim(db: Db, { seen, ...given }: SeenSim): Promise<Applied> {
  const [applied] = await applyOperatorSims(db, [seen], given)
  return applied ?? assert.fail('one was given')
}

/**
 * The same of several, in their order. They are locked in one order, so that two that hold SIMs do not wait for each other, and the statements of one do
 * not wait for the answers to those of another.
 */
export async function applyOperatorSims(db: Db, seen: readonly OperatorSim[], given: Omit<SeenSim, 'seen'>): Promise<Applied[]> {
  const { resellerId } = given.connection
  const keys = seen.map(({ iccid }) => iccidKey(iccid))
  const sims = await selectSimsByIccidForUpdate(
    db,
    resellerId,
    keys.filter((key) => key !== undefined),
  )
  const held = new Map(sims.map((sim) => [iccidKey(sim.iccid), sim]))
  const busy = await selectSimsWithLiveAction(
    db,
    resellerId,
    sims.map(({ simId }) => simId),
    given.askedAt,
  )
  const turns = new Map<string, Promise<Applied>>()
  return await allSettled(
    seen.map(async (sim, nth): Promise<Applied> => {
      const key = keys[nth]
      if (key === undefined) return { outcome: 'refused', code: 'invalid_iccid', message: 'The operator gave an ICCID that is none.' }
      const input = { ...given, seen: sim }
      const known = held.get(key)
      // An operator may list a SIM twice: the second time it is what the first made of it.
      const turn =
        turns.get(key)?.then(() => applyOperatorSim(db, input)) ??
        (known === undefined ? create(db, input) : update(db, known, busy.has(known.simId), input))
      turns.set(key, turn)
      return await turn
    }),
  )
}

/** Rejects when all have ended: what is sent after the transaction was rolled back would not be in it. */
async function allSettled<T>(works: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(works)
  return outcomes.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}

async function update(db: Db, held: Sim, isBusy: boolean, input: SeenSim): Promise<Applied> {
  const { connection, seen, at, askedAt } = input
  if (held.connectionId !== connection.connectionId) {
    const message = 'The SIM is known by another operator connection.'
    return { outcome: 'refused', code: 'sim_of_other_connection', message }
  }
  if (seen.modifiedAt !== undefined && held.operatorChangedAt !== undefined && seen.modifiedAt < held.operatorChangedAt)
    return { outcome: 'stale', simId: held.simId }
  const isOlder = held.statusSince > askedAt || isBusy
  const described = describe(held, input)
  const moved = isOlder || seen.isChanging ? described : withStatus(described, input)
  const plan = await planAfter(db, connection, held, moved)
  const after = await storeSim(db, held, { ...moved, ...plan }, causeOf(input))
  const isSame = after.lastHistorySeq === held.lastHistorySeq && after.operatorStatus === held.operatorStatus && isAlike(held, after)
  if (held.msisdn !== after.msisdn) await lookForDevice(db, after, at)
  return { outcome: isSame ? 'unchanged' : 'updated', simId: held.simId }
}

function causeOf({ connection: { resellerId, connectionId }, at }: SeenSim): Cause {
  return { author: systemAuthor(resellerId, at), source: 'operator', connectionId }
}

async function create(db: Db, input: SeenSim): Promise<Applied> {
  const { connection, seen, at } = input
  const { resellerId, connectionId } = connection
  const described = describe(blankSim({ resellerId, simId: newId('sim'), connectionId, iccid: seen.iccid }, at), input)
  const moved = withStatus(described, input)
  const isImposed = moved.status === 'suspended' && !input.caps.actions.includes('suspend')
  // Where whoever has the account can suspend, one that is suspended at first sight is not the operator's doing.
  const settled: Sim = {
    ...moved,
    statusSince: at,
    ...(moved.status === 'suspended' ? { suspendedBy: isImposed ? 'operator' : undefined } : {}),
  }
  const sim = await storeSim(db, undefined, { ...settled, ...(await planFor(db, connection, settled)) }, causeOf(input))
  await lookForDevice(db, sim, at)
  return { outcome: 'created', simId: sim.simId }
}

/** What the answer did not contain stays. */
function describe(sim: Sim, { seen, at }: SeenSim): Sim {
  return {
    ...sim,
    iccid: seen.iccid.length > sim.iccid.length ? seen.iccid : sim.iccid,
    imsi: seen.imsi ?? sim.imsi,
    msisdn: seen.msisdn ?? sim.msisdn,
    eid: seen.eid ?? sim.eid,
    imei: seen.imei ?? sim.imei,
    operatorPlan: seen.ratePlan ?? sim.operatorPlan,
    communicationPlan: seen.communicationPlan ?? sim.communicationPlan,
    apn: seen.apn ?? sim.apn,
    ipAddress: seen.ipAddress ?? sim.ipAddress,
    activatedAt: sim.activatedAt ?? seen.activatedAt,
    operatorStatus: seen.operatorStatus,
    operatorChangedAt: seen.modifiedAt ?? sim.operatorChangedAt,
    operatorSyncedAt: at,
  }
}

function withStatus(sim: Sim, { connection, caps, seen, at }: SeenSim): Sim {
  const { status } = seen
  if (status === undefined || isAgreed(sim, status, caps)) return sim
  const moved: Sim = { ...sim, status, isParked: status === 'safe_custody' }
  switch (status) {
    case 'active':
      return { ...moved, activatedAt: sim.activatedAt ?? at }
    case 'suspended':
      return { ...moved, suspendedBy: 'operator', suspendedReason: undefined }
    case 'safe_custody':
      return { ...moved, custodyUntil: new Date(at.getTime() + connection.custodyMaxDays * DAY_MS) }
    case 'terminating':
      return {
        ...moved,
        statusBefore: sim.status === 'terminated' ? undefined : sim.status,
        terminatesAt: new Date(at.getTime() + connection.terminationGraceDays * DAY_MS),
      }
    default:
      return moved
  }
}

/** Whether what the operator reports is what it should report of a SIM in this state. */
function isAgreed(sim: Sim, status: SimStatus, caps: OperatorCaps): boolean {
  // Final here. `operator_status` shows what the operator reports.
  if (sim.status === 'terminated' || status === sim.status) return true
  return status === statusAtOperator(sim, caps)
}

/** Apart from when the operator was asked. */
function isAlike(before: Sim, after: Sim): boolean {
  const { apn, ipAddress, activatedAt } = before
  return apn === after.apn && ipAddress === after.ipAddress && activatedAt?.getTime() === after.activatedAt?.getTime()
}
