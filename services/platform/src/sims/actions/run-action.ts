// Sends an action to its operator, once, and sees to it until it is over. A process may be killed between any two lines of this: the row shows
// that something may have been sent before anything is, and what may have been sent is looked up at the operator before it is sent again. No
// operator of ours recognises a request that comes twice.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { JobKind, JobOutcome } from '../../jobs/job.ts'
import type { SealedConnection } from '../connections/connection.ts'
import { selectConnection } from '../connections/connections.sql.ts'
import type { OperatorPool } from '../connections/operator-pool.ts'
import { type ActionFinding, type ActionRequest, OperatorError, type OperatorSim, type SimOperator } from '../operators/operator.ts'
import type { Sim } from '../sim.ts'
import { selectSim, selectSimForUpdate } from '../sims.sql.ts'
import { SIM_ACTION_JOB } from './request-action.ts'
import { seeAfterAction } from './see-after-action.ts'
import { settleDone, settleFailed } from './settle-action.ts'
import type { ActionErrorCode, SimActionRecord } from './sim-action.ts'
import { selectAction, updateActionLooked, updateActionRunning, updateActionSending, updateActionUnsent } from './sim-actions.sql.ts'

export type RunActionDeps = {
  readonly database: Database
  readonly operators: OperatorPool
  /** The clock that the adapters have too. */
  readonly now: () => Date
}

/** What an operator took for an action is looked up this soon, and then after waits that double. Assumptions: jobs take seconds to minutes. */
const FIRST_LOOK_MS = 2_000
const LONGEST_LOOK_MS = 300_000
/** Nothing was sent, and the operator is away: for so long it is tried. An assumption of what somebody who asked still wants done. */
const GIVE_UP_UNSENT_MS = 86_400_000
/** It was sent, and the operator does not report what became of it. Airtel's documents give jobs a day or two. */
const GIVE_UP_SENT_MS = 3 * 86_400_000
/** Each time the operator had nothing of it, after the time in which it could still have begun with it. */
const MAX_SENDS = 5
/** The wait for a turn at the operator's limits, and its answer. What has not left by then does not leave. */
const SUBMIT_MS = 40_000
/**
 * Between the row that records it and the call: a process that was suspended for longer may have been taken for dead, and another have sent it.
 * Below the least `settleMs` of an operator by far.
 */
const MAX_HESITATION_MS = 5_000
const DISABLED_MS = 600_000

export function actionJobs(deps: RunActionDeps): JobKind[] {
  return [
    {
      kind: SIM_ACTION_JOB,
      concurrency: 16,
      // Calls of an operator take seconds: a reseller that changes thousands of SIMs has most slots, and a quarter of them stays free for the others.
      // Twice as many as an operator allows calls at once keep one account busy, and another that does not answer has no more. Assumptions.
      perReseller: 12,
      perGroup: 4,
      run: ({ resellerId, key }, signal) => runAction(deps, resellerId, key, signal),
    },
  ]
}

async function runAction(deps: RunActionDeps, resellerId: string, actionId: string, signal: AbortSignal): Promise<JobOutcome> {
  const db = deps.database.tenantPool(resellerId)
  const action = await selectAction(db, resellerId, actionId)
  if (action === undefined || action.state === 'done' || action.state === 'failed') return 'done'
  const connection = await selectConnection(db, resellerId, action.connectionId)
  if (connection === undefined) throw new Error(`the connection of action ${actionId} is gone`)
  const at = deps.now()
  if (isGivenUp(action, at)) return await giveUp(deps, action)
  // Whatever was sent is seen to also where the connection was switched off meanwhile.
  if (!connection.enabled && action.state === 'intended') return { againAt: new Date(at.getTime() + DISABLED_MS) }
  const operator = openOrRefuse(deps, connection)
  if (operator instanceof OperatorError) return await refused(deps, action, operator)
  const run: Run = { ...deps, action, connection, operator, request: toRequest(action, await requireSim(deps, action)), signal }
  return action.state === 'intended' ? await send(run) : await look(run)
}

type Run = RunActionDeps & {
  readonly action: SimActionRecord
  readonly connection: SealedConnection
  readonly operator: SimOperator
  readonly request: ActionRequest
  readonly signal: AbortSignal
}

async function send(run: Run): Promise<JobOutcome> {
  const { database, operator, action, request, signal, now } = run
  const { resellerId } = action
  let otherJobs: readonly string[]
  try {
    otherJobs = await operator.earlierJobs(request.sim, signal)
  } catch (error) {
    return await refused(run, action, requireOperatorError(error))
  }
  const isOurs = await database.tenant(resellerId, (db) => updateActionSending(db, action, otherJobs, now()))
  const intendedMs = performance.now()
  // Somebody else is at it: looks at what came of it.
  if (!isOurs) return { againAt: later(now(), FIRST_LOOK_MS) }
  const sent = { ...action, state: 'sending' as const, sendCount: action.sendCount + 1 }
  if (signal.aborted || performance.now() - intendedMs > MAX_HESITATION_MS) return { againAt: now() }
  try {
    const { state, job } = await operator.submit(request, AbortSignal.any([signal, AbortSignal.timeout(SUBMIT_MS)]))
    if (state === 'done') return await done(run, sent, { job })
    await database.tenant(resellerId, (db) => updateActionRunning(db, sent, job))
    return { againAt: later(now(), FIRST_LOOK_MS) }
  } catch (error) {
    const failure = requireOperatorError(error)
    if (failure.kind === 'unknown_outcome') return { againAt: later(now(), FIRST_LOOK_MS) }
    // Nothing was done: it need not be looked up.
    await database.tenant(resellerId, (db) => updateActionUnsent(db, action, sent.sendCount))
    return await refused(run, { ...sent, state: 'intended' }, failure)
  }
}

async function look(run: Run): Promise<JobOutcome> {
  const { operator, action, request, signal, database, now } = run
  const { sentAt = action.requestedAt, job, otherJobs, resellerId } = action
  let finding: ActionFinding
  try {
    finding = await operator.findAction({ ...request, sentAt, job, otherJobs }, signal)
  } catch (error) {
    const failure = requireOperatorError(error)
    await database.tenant(resellerId, (db) => updateActionLooked(db, action))
    // Whatever keeps us from asking shows nothing of what became of it.
    return againAfter(failure, now(), lookAgainMs(action))
  }
  switch (finding.state) {
    case 'done':
      return await done(run, action, finding)
    case 'rejected': {
      const error = { code: 'rejected' as const, message: finding.detail }
      return await settle(run, (db, sim) => settleFailed(db, sim, action, error, now()))
    }
    case 'running': {
      const { job: found } = finding
      await database.tenant(resellerId, (db) => updateActionRunning(db, action, found))
      return { againAt: later(now(), lookAgainMs(action)) }
    }
    case 'undecided':
      await database.tenant(resellerId, (db) => updateActionLooked(db, action))
      return { againAt: later(now(), Math.min(LONGEST_LOOK_MS, Math.max(FIRST_LOOK_MS, finding.retryAfterMs))) }
    case 'absent':
      return await sendAgain(run)
  }
}

async function done(run: Run, action: SimActionRecord, { job, seen }: Done): Promise<'done'> {
  await settle(run, (db, sim) => settleDone(db, sim, action, run.connection, run.now(), job))
  await seeAfterAction({ ...run, action }, seen)
  return 'done'
}
type Done = { readonly job: string | undefined; readonly seen?: OperatorSim | undefined }

/** What the operator took once is not sent again, whatever it reports of it now. */
async function sendAgain(run: Run): Promise<JobOutcome> {
  const { action, now } = run
  if (action.state === 'sending' && action.sendCount < MAX_SENDS) return await send(run)
  if (action.state === 'sending') return await giveUp(run, action)
  return { againAt: later(now(), LONGEST_LOOK_MS) }
}

/** The operator did nothing, and stated why. */
async function refused(deps: RunActionDeps, action: SimActionRecord, failure: OperatorError): Promise<JobOutcome> {
  const { kind, message } = failure
  if (kind === 'rate' || kind === 'unavailable') return againAfter(failure, deps.now(), LONGEST_LOOK_MS)
  // Of an action that may have been sent before, a refusal to send it again decides nothing.
  if (action.state !== 'intended') return { againAt: later(deps.now(), LONGEST_LOOK_MS) }
  const code: ActionErrorCode = kind === 'unknown_outcome' ? 'outcome_unknown' : kind
  return await settle({ ...deps, action }, (db, sim) => settleFailed(db, sim, action, { code, message }, deps.now()))
}

/** An operator that is to be left alone is left alone for all actions at that account. */
function againAfter({ retryAfterMs }: OperatorError, at: Date, elseMs: number): JobOutcome {
  const againAt = later(at, retryAfterMs ?? elseMs)
  return { againAt, groupRestsUntil: retryAfterMs === undefined ? undefined : againAt }
}

function isGivenUp({ state, requestedAt, sentAt }: SimActionRecord, at: Date): boolean {
  if (state === 'intended') return at.getTime() - requestedAt.getTime() > GIVE_UP_UNSENT_MS
  return at.getTime() - (sentAt ?? requestedAt).getTime() > GIVE_UP_SENT_MS
}

async function giveUp(deps: RunActionDeps, action: SimActionRecord): Promise<JobOutcome> {
  const error =
    action.state === 'intended'
      ? { code: 'timed_out' as const, message: 'The operator could not be reached for a day. Nothing was sent.' }
      : {
          code: 'outcome_unknown' as const,
          message: 'It was sent, and the operator does not report what became of it. The next synchronisation shows it.',
        }
  return await settle({ ...deps, action }, (db, sim) => settleFailed(db, sim, action, error, deps.now()))
}

type Settle = (db: Parameters<typeof settleDone>[0], sim: Sim) => Promise<unknown>

async function settle({ database, action }: { database: Database; action: SimActionRecord }, run: Settle): Promise<'done'> {
  const { resellerId, simId } = action
  await database.tenant(resellerId, async (db) => {
    const sim = await selectSimForUpdate(db, { resellerId, subClientPin: undefined }, { simId })
    if (sim === undefined) throw new Error(`the SIM of action ${action.actionId} is gone`)
    await run(db, sim)
  })
  return 'done'
}

function openOrRefuse({ operators }: RunActionDeps, connection: SealedConnection): SimOperator | OperatorError {
  try {
    return operators.of(connection)
  } catch (error) {
    return requireOperatorError(error)
  }
}

async function requireSim({ database }: RunActionDeps, { resellerId, simId, actionId }: SimActionRecord): Promise<Sim> {
  const sim = await selectSim(database.tenantPool(resellerId), { resellerId, subClientPin: undefined }, { simId })
  if (sim === undefined) throw new Error(`the SIM of action ${actionId} is gone`)
  return sim
}

function toRequest(action: SimActionRecord, { iccid, msisdn }: Sim): ActionRequest {
  const { actionId, operatorAction, operatorFrom, statusFrom, operatorPlan, reason } = action
  if (operatorAction === undefined) throw new Error(`action ${actionId} has nothing for the operator to do`)
  return { actionId, sim: { iccid, msisdn }, action: operatorAction, from: operatorFrom ?? statusFrom, plan: operatorPlan, reason }
}

/** Anything else is a bug or an outage of ours: the work is done again, and begins with the state in the row. */
function requireOperatorError(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error
  throw error
}

function lookAgainMs({ lookCount }: SimActionRecord): number {
  return Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(lookCount, 20))
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
