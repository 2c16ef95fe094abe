// From what is asked for to an intent that is stored. Nothing is sent here: the work that sends it is asked for in the same transaction.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import { type Author, writeAudit } from '../../audit/audit.ts'
import { upsertJob } from '../../jobs/jobs.sql.ts'
import { noSuchConnection, type SealedConnection } from '../connections/connection.ts'
import { connectionCaps } from '../connections/connection-caps.ts'
import { selectConnection } from '../connections/connections.sql.ts'
import type { OperatorCaps, SimStatus } from '../operators/operator.ts'
import { selectOperatorPlanOfPlan } from '../plans.read.sql.ts'
import type { Sim } from '../sim.ts'
import { judgeAction, type SimActionKind } from '../sim-states.ts'
import { judgeRequest, type OperatorStep, planStep } from './plan-step.ts'
import { settleDone } from './settle-action.ts'
import type { SimActionRecord } from './sim-action.ts'
import { insertAction, selectLiveAction } from './sim-actions.sql.ts'

/** What is asked for. */
export type ActionWish = {
  readonly kind: SimActionKind
  /** The operator's plan that the SIM is to have. */
  readonly ratePlan?: string | undefined
  readonly reason?: string | undefined
  /** The invoice of its sub-client because of which it is suspended. */
  readonly holdInvoiceId?: string | undefined
  /** Of a custody that ends: the SIM is suspended, whatever its connection sets. */
  readonly staysBarred?: boolean | undefined
  /** Of safe custody: when it is to end, or in how many days. */
  readonly until?: Date | undefined
  readonly days?: number | undefined
}

/** A leap second has the form of a time, and no place in the clock. */
export function readUntil(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const atMs = parseRfc3339(text)
  if (atMs !== undefined) return new Date(atMs)
  const message = `"until" must be an RFC 3339 date and time with an offset, such as 2026-01-31T08:15:00.000Z, not ${JSON.stringify(text)}.`
  throw new Problem('invalid_request', message, { details: { in: 'body', field: 'until' } })
}

/** By the id of an action: sends it, and sees to it until it is over. */
export const SIM_ACTION_JOB = 'sim_action'

const DAY_MS = 86_400_000

/** Of a SIM that is held. Answers the action, or nothing where the SIM is in that state already. */
export async function requestAction(
  db: Db,
  sim: Sim,
  wish: ActionWish,
  by: { readonly author: Author; readonly source: 'request' | 'system' },
): Promise<SimActionRecord | undefined> {
  const { author, source } = by
  const { resellerId, simId } = sim
  const live = await selectLiveAction(db, resellerId, simId)
  if (live !== undefined) {
    throw new Problem('sim_action_in_progress', 'The operator is still at another action of this SIM.', {
      details: { pending_action: live.kind, action_id: live.actionId },
    })
  }
  const connection = await selectConnection(db, resellerId, sim.connectionId)
  if (connection === undefined) throw noSuchConnection()
  const caps = connectionCaps(connection)
  const to = judge(sim, wish, caps, connection)
  if (to === undefined) return undefined
  if (!connection.enabled) throw new Problem('conflict', 'The operator connection of this SIM is switched off.')
  const step = await stepOf(db, sim, wish, to, caps)
  const action: SimActionRecord = {
    ...{ resellerId, actionId: newId('sac'), simId, connectionId: sim.connectionId, subClientId: sim.subClientId },
    ...{ kind: wish.kind, statusFrom: sim.status, statusTo: to },
    ...{ operatorAction: step.action, operatorFrom: step.from, operatorPlan: step.plan, state: 'intended' },
    custodyUntil: wish.kind === 'safe_custody' ? custodyEnd(wish, connection, author.at) : undefined,
    ...{
      reason: wish.reason,
      holdInvoiceId: wish.holdInvoiceId,
      source,
      actorType: author.type,
      actorId: author.id,
      requestedAt: author.at,
    },
    ...{ job: undefined, otherJobs: [], sendCount: 0, lookCount: 0, error: undefined, sentAt: undefined, settledAt: undefined },
  }
  await insertAction(db, action)
  await auditRequest(db, sim, action, author)
  if (step.action === undefined) return await settleDone(db, sim, action, connection, author.at)
  await upsertJob(db, { resellerId, kind: SIM_ACTION_JOB, key: action.actionId, group: sim.connectionId }, author.at)
  return action
}

/** Where it leads to, or nothing where the SIM is there. Throws `invalid_transition`. */
function judge(sim: Sim, wish: ActionWish, caps: OperatorCaps, { custodyOnExpiry }: SealedConnection): SimStatus | undefined {
  const { kind, staysBarred = false } = wish
  const onExpiry = staysBarred ? 'suspend' : custodyOnExpiry
  const judged = kind === 'expire_custody' ? judgeAction(sim, kind, onExpiry) : judgeRequest(sim, kind, caps)
  if (judged.verdict === 'same') return undefined
  if (judged.verdict === 'move') return judged.to
  const isImposed = sim.status === 'suspended' && sim.suspendedBy === 'operator'
  const isOffered = judgeAction(sim, kind).verdict === 'illegal'
  const why = isImposed
    ? 'The operator suspended it, and only the operator can lift that.'
    : isOffered
      ? 'What can be done is in "possible".'
      : 'The operator does not offer it.'
  throw new Problem('invalid_transition', `A SIM that is ${sim.status} cannot be asked to ${kind}. ${why}`, {
    details: { status: sim.status, action: kind, possible: judged.possible, ...(isImposed ? { suspended_by: 'operator' } : {}) },
  })
}

async function stepOf(db: Db, sim: Sim, { kind, ratePlan }: ActionWish, to: SimStatus, caps: OperatorCaps): Promise<OperatorStep> {
  const plan = ratePlan ?? (sim.operatorPlan === undefined ? await operatorPlanOf(db, sim) : undefined)
  const step = planStep(sim, kind, to, caps, plan)
  if (step === undefined) throw new Error(`${kind} of ${sim.simId} was judged possible, and its operator does not offer it`)
  const isPlanNeeded =
    step.action === 'activate' || (step.action === 'resume' && step.from === 'safe_custody' && caps.custody === 'emulated')
  if (isPlanNeeded && step.plan === undefined) {
    throw new Problem('invalid_request', 'The operator’s rate plan of this SIM is not known: give "rate_plan".', {
      details: { in: 'body', field: 'rate_plan' },
    })
  }
  return step
}

/** By the rate plan that the SIM is billed by. */
async function operatorPlanOf(db: Db, { resellerId, planId }: Sim): Promise<string | undefined> {
  return planId === undefined ? undefined : await selectOperatorPlanOfPlan(db, resellerId, planId)
}

function custodyEnd({ until, days }: ActionWish, { custodyMinDays, custodyMaxDays }: SealedConnection, at: Date): Date {
  const refused = (field: string, message: string) => new Problem('invalid_request', message, { details: { in: 'body', field } })
  if (until !== undefined && days !== undefined) throw refused('days', 'Give "until" or "days", not both.')
  const field = until === undefined ? 'days' : 'until'
  const end = until ?? new Date(at.getTime() + (days ?? custodyMaxDays) * DAY_MS)
  const heldDays = (end.getTime() - at.getTime()) / DAY_MS
  if (heldDays > custodyMaxDays) throw refused(field, `Safe custody lasts ${custodyMaxDays} days at most.`)
  if (heldDays <= 0) throw refused(field, 'Safe custody ends in the future.')
  if (heldDays < custodyMinDays)
    throw refused(field, `Safe custody is agreed for ${custodyMinDays} days at least; it can be left sooner by activating the SIM.`)
  return end
}

async function auditRequest(db: Db, sim: Sim, action: SimActionRecord, author: Author): Promise<void> {
  if (action.source === 'system') return
  await writeAudit(db, author, {
    action: 'sim.action_requested',
    objectId: sim.simId,
    subClientId: sim.subClientId,
    after: {
      actionId: action.actionId,
      action: action.kind,
      from: action.statusFrom,
      to: action.statusTo,
      reason: action.reason,
      custodyUntil: action.custodyUntil,
      operatorPlan: action.operatorPlan,
    },
  })
}
