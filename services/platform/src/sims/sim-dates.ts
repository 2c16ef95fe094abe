// What happens to a SIM when a date comes: its safe custody is over, or the grace of its termination.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import { isOwnerWritable } from '../fleet/sub-client-access.ts'
import type { JobKind, JobOutcome } from '../jobs/job.ts'
import { type ActionWish, requestAction } from './actions/request-action.ts'
import { selectLiveAction } from './actions/sim-actions.sql.ts'
import { connectionCaps } from './connections/connection-caps.ts'
import { selectConnection } from './connections/connections.sql.ts'
import type { OperatorPool } from './connections/operator-pool.ts'
import { holdOfExpiry } from './holds/hold-sims.ts'
import { OperatorError } from './operators/operator.ts'
import type { Sim } from './sim.ts'
import { selectSim, selectSimForUpdate } from './sims.sql.ts'
import { SIM_DATES_JOB } from './store-sim.ts'

export type SimDatesDeps = { readonly database: Database; readonly operators: OperatorPool; readonly now: () => Date }

const MINUTE_MS = 60_000
/** Where the operator ends the grace, it is asked this often whether it has. */
const ASK_AGAIN_MS = 3_600_000
/** An end that the operator refused is tried again. */
const TRY_AGAIN_MS = 86_400_000

export function simDateJobs(deps: SimDatesDeps): JobKind[] {
  return [
    {
      kind: SIM_DATES_JOB,
      concurrency: 8,
      perReseller: 2,
      run: ({ resellerId, key }, signal) => meetDate(deps, resellerId, key, signal),
    },
  ]
}

async function meetDate(deps: SimDatesDeps, resellerId: string, simId: string, signal: AbortSignal): Promise<JobOutcome> {
  const db = deps.database.tenantPool(resellerId)
  const sim = await selectSim(db, { resellerId, subClientPin: undefined }, { simId })
  const dueAt = sim === undefined ? undefined : dateOf(sim)
  if (sim === undefined || dueAt === undefined) return 'done'
  const at = deps.now()
  if (dueAt > at) return { againAt: dueAt }
  if (sim.status === 'terminating' && !(await isGraceOver(deps, sim, signal))) return { againAt: later(at, ASK_AGAIN_MS) }
  return await deps.database.tenant(resellerId, (held) => askForEnd(held, sim, at))
}

/** When something of the SIM is due by itself. */
function dateOf({ status, custodyUntil, terminatesAt }: Sim): Date | undefined {
  return status === 'safe_custody' ? custodyUntil : status === 'terminating' ? terminatesAt : undefined
}

async function askForEnd(db: Db, seen: Sim, at: Date): Promise<JobOutcome> {
  const { resellerId, simId } = seen
  const sim = await selectSimForUpdate(db, { resellerId, subClientPin: undefined }, { simId })
  const dueAt = sim === undefined ? undefined : dateOf(sim)
  if (sim === undefined || dueAt === undefined) return 'done'
  if (dueAt > at) return { againAt: dueAt }
  // What is under way may change all of this.
  if ((await selectLiveAction(db, resellerId, simId)) !== undefined) return { againAt: later(at, MINUTE_MS) }
  const connection = await selectConnection(db, resellerId, sim.connectionId)
  if (connection?.enabled !== true) return { againAt: later(at, ASK_AGAIN_MS) }
  const kind = sim.status === 'safe_custody' ? 'expire_custody' : 'end_grace'
  const isActivating = kind === 'expire_custody' && connection.custodyOnExpiry === 'activate'
  const barring = isActivating ? ((await holdOfExpiry(db, sim, at)) ?? (await suspensionOf(db, sim))) : undefined
  await requestAction(db, sim, { kind, ...barring }, { author: systemAuthor(resellerId, at), source: 'system' })
  return { againAt: later(at, TRY_AGAIN_MS) }
}

/** A SIM of a suspended sub-client is not activated, by request or by itself. */
async function suspensionOf(db: Db, { resellerId, subClientId }: Sim): Promise<Partial<ActionWish>> {
  return (await isOwnerWritable(db, resellerId, subClientId)) ? {} : { staysBarred: true, reason: 'Its sub-client is suspended.' }
}

/** Where the operator ends it, it has; else our date alone decides. */
async function isGraceOver({ database, operators }: SimDatesDeps, sim: Sim, signal: AbortSignal): Promise<boolean> {
  const { resellerId, connectionId, iccid, msisdn } = sim
  const connection = await selectConnection(database.tenantPool(resellerId), resellerId, connectionId)
  if (connection === undefined) return false
  if (connectionCaps(connection).termination !== 'grace') return true
  try {
    const { status } = await operators.of(connection).getSim({ iccid, msisdn }, signal)
    return status === 'terminated'
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return error.kind === 'not_found'
  }
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
