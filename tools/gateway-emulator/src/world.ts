// What every part of the emulator stands on: the state, the time in it, the faults that are waiting to strike.

import type { Account, Checkout, EmulatorState, Fault, GatewayKind, Payment } from './state.ts'

export type World = {
  readonly state: EmulatorState
  /** Of this server, without a slash at the end; known once it listens. */
  baseUrl: string
  /** Unix milliseconds of the emulator's own clock. */
  now(): number
  /** To be called after every change: it keeps the state, and has due deliveries sent. */
  changed(): void
}

/** The next fault of these kinds that fits, which has struck herewith. */
export function takeFault(
  world: World,
  kinds: readonly string[],
  fits: { gateway: GatewayKind; operation?: string; event?: string; isReporting?: boolean },
): Fault | undefined {
  const { faults } = world.state
  const at = faults.findIndex((fault) => {
    if (!kinds.includes(fault.kind) || fault.count < 1) return false
    if (fault.gateway !== undefined && fault.gateway !== fits.gateway) return false
    if (fits.operation !== undefined && fault.operation !== undefined && fault.operation !== fits.operation) return false
    if (fits.event === undefined) return true
    return fault.event === undefined ? fits.isReporting === true : fault.event === '*' || fault.event === fits.event
  })
  const fault = faults[at]
  if (fault === undefined) return undefined
  fault.count--
  if (fault.count < 1) faults.splice(at, 1)
  world.changed()
  return fault
}

export function accountOf(world: World, key: string): Account | undefined {
  return world.state.accounts.find((account) => account.key === key)
}

/** Of what belongs to the account, the one of that id. */
export function ownById<T extends { readonly id: string; readonly account: string }>(
  all: readonly T[],
  { key }: Account,
  id: string | undefined,
): T | undefined {
  return all.find((each) => each.id === id && each.account === key)
}

export function checkoutOf(world: World, payment: Payment): Checkout | undefined {
  return world.state.checkouts.find((checkout) => checkout.id === payment.checkoutId)
}
