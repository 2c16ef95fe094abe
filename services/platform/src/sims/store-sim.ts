// The one way in which a SIM changes: its row, the history that invoices are made from, the event, the audit log and the work that comes due,
// in one transaction.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { writeEvents } from '../events/outbox.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import { insertHistory, type SimChangeKind, type SimChangeSource } from './history.sql.ts'
import { askForHoldReview } from './holds/sim-hold-jobs.ts'
import { auditedSim, type Sim } from './sim.ts'
import { upsertSim } from './sims.sql.ts'

/** Who changes a SIM, and why. */
export type Cause = {
  readonly author: Author
  readonly source: SimChangeSource
  /** In the history in place of the author: the connection through which the operator reported it. */
  readonly connectionId?: string | undefined
  readonly reason?: string | undefined
  readonly actionId?: string | undefined
}

/** Looks at a SIM when its safe custody or its grace ends. */
export const SIM_DATES_JOB = 'sim_dates'

/** `before`: as it is held; undefined of a new one. Answers the SIM as it is stored. */
export async function storeSim(db: Db, before: Sim | undefined, changed: Sim, cause: Cause): Promise<Sim> {
  const { at } = cause.author
  const isMoving = before !== undefined && before.status !== changed.status
  const settled = withoutOthersReason(before, isMoving ? withoutLeftState({ ...changed, statusSince: at }) : changed)
  const change = changeOf(before, settled)
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(settled)) return before
  const after = { ...settled, updatedAt: at, lastHistorySeq: settled.lastHistorySeq + (change === undefined ? 0 : 1) }
  await upsertSim(db, after)
  if (change !== undefined) await insertHistory(db, after, historyEntry(after, change, cause))
  if (isMoving) await announce(db, before, after, cause)
  // Of what an operator reports, the log has what it did to the state: a first synchronisation finds thousands of SIMs.
  if (cause.source !== 'operator' || isMoving) await audit(db, before, after, cause, isMoving)
  const dueAt = after.status === 'safe_custody' ? after.custodyUntil : after.status === 'terminating' ? after.terminatesAt : undefined
  if (dueAt !== undefined) await upsertJob(db, { resellerId: after.resellerId, kind: SIM_DATES_JOB, key: after.simId }, dueAt)
  const isGiven = before?.subClientId !== after.subClientId
  if (after.status === 'active' && (isGiven || (isMoving && cause.source === 'request'))) await askWhetherHeld(db, after, at)
  return after
}

/** A sub-client that gets an active SIM, or one that becomes active, may have an invoice that holds SIMs. */
async function askWhetherHeld(db: Db, { resellerId, subClientId }: Sim, at: Date): Promise<void> {
  if (subClientId !== undefined) await askForHoldReview(db, resellerId, subClientId, at)
}

/** The reason belongs to the sub-client that had the SIM, and may name its invoice: the next sub-client does not read it. It stays in the history. */
function withoutOthersReason(before: Sim | undefined, after: Sim): Sim {
  const isHandedOn = before !== undefined && before.subClientId !== after.subClientId
  return isHandedOn ? { ...after, suspendedReason: undefined } : after
}

/** What belongs to a state goes with it. */
function withoutLeftState(sim: Sim): Sim {
  const { status } = sim
  return {
    ...sim,
    // Of one that is terminating it is kept: it may go back there.
    ...(status === 'suspended' || status === 'terminating'
      ? {}
      : { suspendedBy: undefined, suspendedReason: undefined, heldFor: undefined }),
    ...(status === 'safe_custody' || status === 'terminating' ? {} : { custodyUntil: undefined }),
    ...(status === 'terminating' ? {} : { statusBefore: undefined, terminatesAt: undefined }),
    ...(status === 'safe_custody' ? { isParked: true } : isAtLarge(status) ? { isParked: false, operatorPlanBefore: undefined } : {}),
    // The number is free for another SIM, and so is the device.
    ...(status === 'terminated' ? { deviceId: undefined } : {}),
  }
}

/** In none of the states in which the operator may have it in safe custody. */
function isAtLarge(status: Sim['status']): boolean {
  return status === 'active' || status === 'test' || status === 'inventory' || status === 'terminated'
}

function changeOf(before: Sim | undefined, after: Sim): SimChangeKind | undefined {
  if (before === undefined) return 'created'
  if (before.status !== after.status) return 'status'
  if (before.subClientId !== after.subClientId || before.deviceId !== after.deviceId) return 'allocation'
  if (before.planId !== after.planId) return 'plan'
  const details = ({ iccid, imsi, msisdn, eid, imei, operatorPlan, communicationPlan, suspendedBy, custodyUntil, ...rest }: Sim) => {
    const { connectionId, dataLimitBytes, metadata } = rest
    const named = { iccid, imsi, msisdn, eid, imei, operatorPlan, communicationPlan, suspendedBy, custodyUntil }
    return JSON.stringify({ ...named, connectionId, dataLimitBytes, metadata })
  }
  return details(before) === details(after) ? undefined : 'details'
}

function historyEntry(after: Sim, change: SimChangeKind, { author, source, connectionId, reason, actionId }: Cause) {
  const actor =
    source === 'operator' ? { actorType: 'operator', actorId: connectionId ?? '' } : { actorType: author.type, actorId: author.id }
  const { status, subClientId, deviceId, planId } = after
  return { seq: after.lastHistorySeq, at: author.at, change, status, subClientId, deviceId, planId, source, ...actor, reason, actionId }
}

async function announce(db: Db, before: Sim, after: Sim, { author, source, reason, actionId }: Cause): Promise<void> {
  const payload = {
    simId: after.simId,
    iccid: after.iccid,
    msisdn: after.msisdn ?? null,
    deviceId: after.deviceId ?? before.deviceId ?? null,
    previousStatus: before.status,
    status: after.status,
    source,
    reason: reason ?? null,
    actionId: actionId ?? null,
    custodyUntil: after.custodyUntil?.toISOString() ?? null,
    terminatesAt: after.terminatesAt?.toISOString() ?? null,
  }
  const { resellerId, subClientId } = after
  await writeEvents(db, [{ resellerId, type: 'sim.state.changed', data: payload, subClientId, occurredAt: author.at }])
}

async function audit(db: Db, before: Sim | undefined, after: Sim, { author }: Cause, isMoving: boolean): Promise<void> {
  const action = before === undefined ? 'sim.created' : isMoving ? 'sim.state_changed' : 'sim.updated'
  await writeAudit(db, author, {
    action,
    objectId: after.simId,
    subClientId: after.subClientId ?? before?.subClientId,
    before: before && auditedSim(before),
    after: { ...auditedSim(after), ...(before === undefined ? { iccid: after.iccid } : {}) },
  })
}
