// What the operator reports of a SIM when an action is done with it: its own word for the new state, and whatever changed with that.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { reviewAnomalies } from '../anomalies/review-anomalies.ts'
import { applyOperatorSim } from '../apply-operator-sim.ts'
import type { OperatorConnection } from '../connections/connection.ts'
import { type ActionRequest, OperatorError, type OperatorSim, type SimOperator } from '../operators/operator.ts'
import type { SimActionRecord } from './sim-action.ts'

export type SettledAction = {
  readonly database: Database
  readonly connection: OperatorConnection
  readonly operator: SimOperator
  readonly action: SimActionRecord
  readonly request: ActionRequest
  readonly signal: AbortSignal
  readonly now: () => Date
}

/** `read`: what was read of the SIM to see that the action is done. Without it the operator is asked, once: a question that fails is left to the next synchronisation. */
export async function seeAfterAction(settled: SettledAction, read: OperatorSim | undefined): Promise<void> {
  const { database, connection, operator, action, now } = settled
  const { resellerId, requestedAt, sentAt = requestedAt } = action
  const seen = read ?? (await askOnce(settled))
  if (seen === undefined) return
  await database.tenant(resellerId, async (db) => {
    const at = now()
    // As if it had been asked before the action: that set the state, and an answer that lags does not take it back.
    const applied = await applyOperatorSim(db, { connection, caps: operator.caps, seen, askedAt: sentAt, at })
    if (applied.outcome !== 'refused') await reviewAnomalies(db, resellerId, [applied.simId], at)
  })
}

async function askOnce({ operator, request, signal }: SettledAction): Promise<OperatorSim | undefined> {
  try {
    return await operator.getSim(request.sim, signal)
  } catch (error) {
    if (error instanceof OperatorError) return undefined
    throw error
  }
}
