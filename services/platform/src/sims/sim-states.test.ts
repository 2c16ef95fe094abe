// Goal: the table of moves is whole, its rules hold for every state and action, and the diagram in the guide is made of it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { planStep, possibleOf, type StepSim, statusAtOperator } from './actions/plan-step.ts'
import { type SimStatus, simStatuses } from './operators/operator.ts'
import { judgeAction, simActionKinds, simMoves } from './sim-states.ts'

const GUIDE = path.join(import.meta.dirname, '../../../../docs/sims.md')
const cisco = {
  actions: ['activate', 'activate_test', 'suspend', 'resume', 'safe_custody', 'terminate'],
  custody: 'emulated',
  termination: 'immediate',
} as const
const airtel = {
  actions: ['activate', 'resume', 'safe_custody', 'terminate', 'resume_termination'],
  custody: 'native',
  termination: 'grace',
} as const

const simIn = (status: SimStatus, given: Partial<StepSim> = {}): StepSim => ({
  ...{ status, statusBefore: undefined, suspendedBy: undefined, isParked: status === 'safe_custody' },
  ...{ operatorPlan: 'M2M', operatorPlanBefore: undefined },
  ...given,
})

/** As GitHub draws it. */
function diagram(): string {
  const lines = simMoves.flatMap(({ from, action, to, isBySystem }) => {
    const label = isBySystem === true ? `${action} (by itself)` : action
    return to === 'before'
      ? ['active', 'suspended', 'safe_custody'].map((before) => `  ${from} --> ${before}: ${label}, if it was ${before}`)
      : [`  ${from} --> ${to}: ${label}`]
  })
  return ['stateDiagram-v2', '  [*] --> inventory', ...lines, '  terminated --> [*]'].join('\n')
}

test('the diagram in the guide is that of the table', () => {
  const [, drawn] = /```mermaid\n([\s\S]*?)\n```/.exec(readFileSync(GUIDE, 'utf8')) ?? []
  assert.equal(drawn, diagram(), `docs/sims.md should have:\n${diagram()}`)
})

test('every state but the last is left, and every state is reached', () => {
  for (const status of simStatuses) {
    assert.equal(
      simMoves.some(({ from }) => from === status),
      status !== 'terminated',
      status,
    )
    assert.equal(
      simMoves.some(({ to }) => to === status),
      status !== 'inventory',
      status,
    )
  }
})

test('an action of a state is a move, nothing to do, or refused, and nothing else', () => {
  for (const status of simStatuses) {
    for (const action of simActionKinds) {
      const judged = judgeAction(simIn(status), action)
      const isMove = simMoves.some((move) => move.from === status && move.action === action)
      const there = {
        activate: 'active',
        activate_test: 'test',
        suspend: 'suspended',
        safe_custody: 'safe_custody',
        terminate: 'terminating',
      }
      const isSame = there[action as keyof typeof there] === status || (action === 'terminate' && status === 'terminated')
      assert.equal(judged.verdict, isSame ? 'same' : isMove ? 'move' : 'illegal', `${action} of ${status}`)
    }
  }
})

test('what the operator suspended can only be ended', () => {
  const sim = simIn('suspended', { suspendedBy: 'operator' })
  assert.deepEqual(possibleOf(sim, cisco), ['terminating'])
  assert.deepEqual(possibleOf(simIn('suspended', { suspendedBy: 'customer' }), cisco), ['active', 'safe_custody', 'terminating'])
})

test('what an operator does not offer is not possible', () => {
  assert.deepEqual(possibleOf(simIn('inventory'), airtel), ['active'])
  assert.deepEqual(possibleOf(simIn('active'), airtel), ['safe_custody', 'terminating'])
  assert.deepEqual(possibleOf(simIn('active'), { ...cisco, custody: false, actions: ['resume', 'suspend'], termination: false }), [
    'suspended',
  ])
})

test('the operator is asked for what brings the SIM from where it is in its eyes', () => {
  const asked = (sim: StepSim, kind: (typeof simActionKinds)[number], to: SimStatus, caps: typeof cisco | typeof airtel) => {
    const step = planStep(sim, kind, to, caps)
    return step === undefined ? undefined : [step.action, step.from, step.plan]
  }
  const parked = { isParked: true, operatorPlanBefore: 'Before' }
  // A custody that is over here is none to the operator.
  assert.deepEqual(asked(simIn('suspended', parked), 'activate', 'active', cisco), ['resume', 'safe_custody', 'Before'])
  assert.deepEqual(asked(simIn('suspended', parked), 'safe_custody', 'safe_custody', cisco), [undefined, 'safe_custody', undefined])
  assert.deepEqual(asked(simIn('safe_custody'), 'expire_custody', 'suspended', airtel), [undefined, 'safe_custody', undefined])
  // Where the end is final at once, the SIM is barred until it comes.
  assert.deepEqual(asked(simIn('active'), 'terminate', 'terminating', cisco), ['suspend', 'active', undefined])
  assert.deepEqual(asked(simIn('suspended'), 'terminate', 'terminating', cisco), [undefined, 'suspended', undefined])
  assert.deepEqual(asked(simIn('active'), 'terminate', 'terminating', airtel), ['terminate', 'active', undefined])
  const ending = simIn('terminating', { statusBefore: 'active' })
  assert.equal(statusAtOperator(ending, cisco), 'suspended')
  assert.deepEqual(asked(ending, 'activate', 'active', cisco), ['resume', 'suspended', undefined])
  assert.deepEqual(asked(ending, 'activate', 'active', airtel), ['resume_termination', 'terminating', undefined])
  assert.deepEqual(asked(ending, 'end_grace', 'terminated', cisco), ['terminate', 'suspended', undefined])
  assert.deepEqual(asked(ending, 'end_grace', 'terminated', airtel), [undefined, 'terminating', undefined])
})
