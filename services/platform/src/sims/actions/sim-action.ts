import type { SimAction as OperatorAction, SimStatus } from '../operators/operator.ts'
import type { SimActionKind } from '../sim-states.ts'

/**
 * `intended`: nothing was sent. `sending`: it may have been sent; the operator is asked before it is again. `running`: the operator took it.
 * `done` and `failed` are over.
 */
export type ActionState = 'intended' | 'sending' | 'running' | 'done' | 'failed'

/** Something that the operator is asked for. Its row is there before anything is sent. */
export type SimActionRecord = {
  readonly resellerId: string
  readonly actionId: string
  readonly simId: string
  readonly connectionId: string
  /** Whose the SIM was then. */
  readonly subClientId: string | undefined
  readonly kind: SimActionKind
  readonly statusFrom: SimStatus
  readonly statusTo: SimStatus
  /** Undefined where the operator has nothing to do. */
  readonly operatorAction: OperatorAction | undefined
  readonly operatorFrom: SimStatus | undefined
  readonly operatorPlan: string | undefined
  readonly state: ActionState
  readonly custodyUntil: Date | undefined
  readonly reason: string | undefined
  /** The invoice of the sub-client because of which it is to be suspended. */
  readonly holdInvoiceId: string | undefined
  readonly source: 'request' | 'system'
  readonly actorType: string
  readonly actorId: string
  /** The operator's name for it, and for what it was at before. */
  readonly job: string | undefined
  readonly otherJobs: readonly string[]
  readonly sendCount: number
  readonly lookCount: number
  readonly error: { readonly code: ActionErrorCode; readonly message: string } | undefined
  readonly requestedAt: Date
  readonly sentAt: Date | undefined
  readonly settledAt: Date | undefined
}

/**
 * `rejected`, `auth`, `not_found`: in the operator's words. `timed_out`: the operator could not be reached, and nothing was sent.
 * `outcome_unknown`: it was sent, and the operator did not report in time what became of it; the next synchronisation shows it.
 */
export type ActionErrorCode = 'rejected' | 'auth' | 'not_found' | 'timed_out' | 'outcome_unknown'
