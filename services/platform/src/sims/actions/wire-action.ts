import type { SimAction } from '@roadworthy/contracts/sim-billing/sim-actions'
import type { SimActionRecord } from './sim-action.ts'

export function toWireAction(action: SimActionRecord): SimAction {
  const { state, error } = action
  return {
    action_id: action.actionId,
    sim_id: action.simId,
    action: action.kind,
    state: state === 'done' || state === 'failed' ? state : 'pending',
    status_from: action.statusFrom,
    status_to: action.statusTo,
    reason: action.reason ?? null,
    source: action.source,
    operator_job: action.job ?? null,
    error: error === undefined ? null : { ...error },
    requested_at: action.requestedAt.toISOString(),
    settled_at: action.settledAt?.toISOString() ?? null,
  }
}
