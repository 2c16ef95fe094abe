// The states of a SIM and every move between them, as a table. The diagram in docs/sims.md is made of it (sim-states-diagram.test.ts).

import type { SimStatus } from './operators/operator.ts'

/** What callers ask for, and what happens when a date comes. */
export const simActionKinds = ['activate', 'activate_test', 'suspend', 'safe_custody', 'terminate', 'expire_custody', 'end_grace'] as const
export type SimActionKind = (typeof simActionKinds)[number]

type Move = {
  readonly from: SimStatus
  readonly action: SimActionKind
  /** `before`: what it was in when termination was asked for. */
  readonly to: SimStatus | 'before'
  /** Only the service itself asks for it. */
  readonly isBySystem?: true
}

export const simMoves: readonly Move[] = [
  { from: 'inventory', action: 'activate', to: 'active' },
  { from: 'inventory', action: 'activate_test', to: 'test' },
  { from: 'test', action: 'activate', to: 'active' },
  { from: 'active', action: 'suspend', to: 'suspended' },
  { from: 'active', action: 'safe_custody', to: 'safe_custody' },
  { from: 'active', action: 'terminate', to: 'terminating' },
  { from: 'suspended', action: 'activate', to: 'active' },
  { from: 'suspended', action: 'safe_custody', to: 'safe_custody' },
  { from: 'suspended', action: 'terminate', to: 'terminating' },
  { from: 'safe_custody', action: 'activate', to: 'active' },
  { from: 'safe_custody', action: 'terminate', to: 'terminating' },
  { from: 'safe_custody', action: 'expire_custody', to: 'suspended', isBySystem: true },
  { from: 'safe_custody', action: 'expire_custody', to: 'active', isBySystem: true },
  { from: 'terminating', action: 'activate', to: 'before' },
  { from: 'terminating', action: 'end_grace', to: 'terminated', isBySystem: true },
]

/** Where an action leads to by itself: asked of a SIM that is there already, it does nothing. */
const destinations: Readonly<Partial<Record<SimActionKind, SimStatus>>> = {
  activate: 'active',
  activate_test: 'test',
  suspend: 'suspended',
  safe_custody: 'safe_custody',
  terminate: 'terminating',
}

export type SimState = {
  readonly status: SimStatus
  readonly statusBefore: SimStatus | undefined
  readonly suspendedBy: 'customer' | 'system' | 'operator' | undefined
}

/** `same`: there is nothing to do. `illegal`: what could be asked for instead. */
export type Judged =
  | { readonly verdict: 'move'; readonly to: SimStatus }
  | { readonly verdict: 'same' }
  | { readonly verdict: 'illegal'; readonly possible: readonly SimStatus[] }

/** By the table alone. `expiry`: what the connection sets for safe custody that ends by itself. */
export function judgeAction(state: SimState, action: SimActionKind, expiry: 'suspend' | 'activate' = 'suspend'): Judged {
  if (destinations[action] === state.status) return { verdict: 'same' }
  // A SIM that is terminated is where a termination leads to.
  if (action === 'terminate' && state.status === 'terminated') return { verdict: 'same' }
  const expected = action === 'expire_custody' ? (expiry === 'suspend' ? 'suspended' : 'active') : undefined
  const move = movesFrom(state).find((each) => each.action === action && (expected === undefined || each.to === expected))
  return move === undefined ? { verdict: 'illegal', possible: [] } : { verdict: 'move', to: targetOf(move, state) }
}

export function movesFrom({ status, suspendedBy }: SimState): readonly Move[] {
  const moves = simMoves.filter(({ from }) => from === status)
  // What the operator imposed is lifted by the operator; nothing but an end can be asked for.
  return status === 'suspended' && suspendedBy === 'operator' ? moves.filter(({ action }) => action === 'terminate') : moves
}

export function targetOf({ to }: Move, { statusBefore }: SimState): SimStatus {
  return to === 'before' ? (statusBefore ?? 'active') : to
}
