// What an action comes to at an operator's platform: one of its calls, or none where the SIM is there already in the operator's eyes.

import type { OperatorCaps, SimAction, SimStatus } from '../operators/operator.ts'
import type { Sim } from '../sim.ts'
import { type Judged, judgeAction, movesFrom, type SimActionKind, targetOf } from '../sim-states.ts'

/** `action` is undefined where the platform has nothing to do. */
export type OperatorStep = {
  readonly action: SimAction | undefined
  /** What the SIM is in by the operator. */
  readonly from: SimStatus
  /** The operator's plan that it has afterwards; undefined: the one it has. */
  readonly plan: string | undefined
}

export type StepSim = Pick<Sim, 'status' | 'statusBefore' | 'suspendedBy' | 'isParked' | 'operatorPlan' | 'operatorPlanBefore'>
export type StepCaps = Pick<OperatorCaps, 'actions' | 'custody' | 'termination'>

/** Undefined where the operator does not offer it. `plan`: as it was asked for. */
export function planStep(sim: StepSim, kind: SimActionKind, to: SimStatus, caps: StepCaps, plan?: string): OperatorStep | undefined {
  const from = statusAtOperator(sim, caps)
  const step = (action: SimAction, planAfter = plan) => (caps.actions.includes(action) ? { action, from, plan: planAfter } : undefined)
  const nothing: OperatorStep = { action: undefined, from, plan: undefined }
  const resume = () => step('resume', plan ?? (sim.isParked ? sim.operatorPlanBefore : undefined))
  switch (kind) {
    case 'activate':
      if (sim.status === 'terminating') {
        if (caps.termination === 'grace') return step('resume_termination')
        return to === 'active' && from !== 'active' ? resume() : nothing
      }
      return from === 'inventory' || from === 'test' ? step('activate', plan ?? sim.operatorPlan) : resume()
    case 'expire_custody':
      // A SIM in safe custody is barred: there it stays until it is activated.
      return to === 'active' ? resume() : nothing
    case 'activate_test':
      return step('activate_test')
    case 'suspend':
      return step('suspend')
    case 'safe_custody':
      return from === 'safe_custody' ? nothing : step('safe_custody')
    case 'terminate':
      if (caps.termination === false) return undefined
      if (caps.termination === 'grace') return step('terminate')
      // It is final there, so the SIM is barred until the grace is over.
      return from === 'active' ? (step('suspend') ?? nothing) : nothing
    case 'end_grace':
      return caps.termination === 'immediate' ? step('terminate') : nothing
  }
}

/** What the SIM is in by the operator, which knows neither our grace nor that a custody is over. */
export function statusAtOperator({ status, statusBefore, isParked }: StepSim, caps: StepCaps): SimStatus {
  if (status === 'terminating' && caps.termination === 'grace') return 'terminating'
  if (isParked) return 'safe_custody'
  if (status !== 'terminating') return status
  return statusBefore === 'active' && caps.actions.includes('suspend') ? 'suspended' : (statusBefore ?? 'active')
}

/** By the table of moves, and by what the operator offers. */
export function judgeRequest(sim: StepSim, kind: SimActionKind, caps: StepCaps): Judged {
  const judged = judgeAction(sim, kind)
  if (judged.verdict === 'same') return judged
  if (judged.verdict === 'move' && planStep(sim, kind, judged.to, caps) !== undefined) return judged
  return { verdict: 'illegal', possible: possibleOf(sim, caps) }
}

/** The states that a caller can bring the SIM to from where it is. */
export function possibleOf(sim: StepSim, caps: StepCaps): SimStatus[] {
  const open = movesFrom(sim).filter((move) => {
    return move.isBySystem !== true && planStep(sim, move.action, targetOf(move, sim), caps) !== undefined
  })
  return [...new Set(open.map((move) => targetOf(move, sim)))]
}
