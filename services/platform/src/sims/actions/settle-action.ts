// How an action ends: the SIM is in its new state, or the action has the reason why it is not.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Author } from '../../audit/audit.ts'
import { writeEvents } from '../../events/outbox.ts'
import type { OperatorConnection } from '../connections/connection.ts'
import { planAfter } from '../rate-plan-of-sim.ts'
import type { Sim } from '../sim.ts'
import { storeSim } from '../store-sim.ts'
import type { SimActionRecord } from './sim-action.ts'
import { updateActionSettled } from './sim-actions.sql.ts'

const DAY_MS = 86_400_000

/** The SIM is held. Does nothing to one that was settled before. */
export async function settleDone(
  db: Db,
  sim: Sim,
  action: SimActionRecord,
  connection: OperatorConnection,
  at: Date,
  job?: string,
): Promise<SimActionRecord> {
  if (!(await updateActionSettled(db, action, { job }, at))) return action
  const { source, actionId, actorType, actorId, resellerId } = action
  // Of an action that was asked for while somebody else had the SIM, the reason is theirs: it is on the row of the action.
  const reason = action.subClientId === sim.subClientId ? action.reason : undefined
  // Without the request: that is on the row of the action.
  const author: Author = { resellerId, type: actorType as Author['type'], id: actorId, at }
  const moved = simAfter(sim, { ...action, reason }, connection, at)
  await storeSim(db, sim, { ...moved, ...(await planAfter(db, connection, sim, moved)) }, { author, source, reason, actionId })
  return { ...action, state: 'done', settledAt: at, job: job ?? action.job }
}

/** The SIM keeps its state. */
export async function settleFailed(
  db: Db,
  sim: Sim,
  action: SimActionRecord,
  error: NonNullable<SimActionRecord['error']>,
  at: Date,
): Promise<void> {
  if (!(await updateActionSettled(db, action, { error }, at))) return
  const { simId, iccid, msisdn = null, deviceId = null, status, resellerId, subClientId } = sim
  const { actionId, kind } = action
  const failed = { simId, iccid, msisdn, deviceId, actionId, action: kind, status, ...error }
  await writeEvents(db, [{ resellerId, type: 'sim.action.failed', data: failed, subClientId, occurredAt: at }])
}

function simAfter(sim: Sim, action: SimActionRecord, connection: OperatorConnection, at: Date): Sim {
  const { kind, statusTo, source, reason, custodyUntil, operatorPlan = sim.operatorPlan } = action
  const heldFor = action.holdInvoiceId === undefined ? undefined : action.subClientId
  const moved: Sim = { ...sim, status: statusTo }
  // What it was in before is as it was, with who suspended it and until when it is parked.
  if (sim.status === 'terminating' && kind === 'activate' && statusTo !== 'active') return moved
  switch (statusTo) {
    case 'active':
      return { ...moved, operatorPlan, activatedAt: sim.activatedAt ?? at }
    case 'test':
      return { ...moved, operatorPlan }
    case 'suspended':
      return kind === 'expire_custody'
        ? { ...moved, suspendedBy: 'system', suspendedReason: reason ?? 'Safe custody ended.', heldFor }
        : { ...moved, suspendedBy: source === 'request' ? 'customer' : 'system', suspendedReason: reason, heldFor }
    case 'safe_custody': {
      const { parkingRatePlan } = connection.settings
      const operatorPlanBefore = sim.isParked ? sim.operatorPlanBefore : sim.operatorPlan
      return { ...moved, custodyUntil, operatorPlanBefore, operatorPlan: (parkingRatePlan as string | undefined) ?? sim.operatorPlan }
    }
    case 'terminating':
      return { ...moved, statusBefore: sim.status, terminatesAt: new Date(at.getTime() + connection.terminationGraceDays * DAY_MS) }
    default:
      return moved
  }
}
