// For tests: both adapters against the emulator, a process of its own, by one clock that the test moves.

import assert from 'node:assert/strict'
import { airtelConnection, ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { RequestLimits } from '@roadworthy/service-kit/network/guarded-request'
import { type OperatorConnection, openOperator } from './open-operator.ts'
import { type ActionRequest, OperatorError, type OperatorId, type SimAction, type SimOperator, type SimPage } from './operator.ts'
import { freeGates } from './test-turns.ts'

export const testGuard = createAddressGuard({
  allowCidrs: '127.0.0.0/8',
  resolveName: async () => {
    throw new Error('no test asks for a name')
  },
})

export type OperatorBench = {
  readonly emulator: RunningEmulator
  readonly now: () => Date
  /** Of the emulator and of the adapters. */
  moveClock(ms: number): Promise<void>
  /** Each has limits of its own, so that a test's faults are not the next one's. */
  open(operator: OperatorId, change?: { nth?: number; limits?: RequestLimits; connection?: Partial<OperatorConnection> }): SimOperator
}

/** Whoever starts it stops the emulator. */
export async function startBench(options: EmulatorOptions & { readonly clock: Date }): Promise<OperatorBench> {
  const emulator = await startEmulator(options)
  let nowMs = options.clock.getTime()
  const now = () => new Date(nowMs)
  return {
    emulator,
    now,
    moveClock: async (ms) => {
      nowMs += ms
      await emulator.patch({ clock: { set: now().toISOString() } })
    },
    open: (operator, { nth = 1, limits, connection } = {}) => {
      const own = operator === 'cisco' ? ciscoConnection(emulator.url, nth) : airtelConnection(emulator.url, nth)
      // Nobody waits for a turn in tests that are about something else.
      const deps = { guard: testGuard, gates: freeGates(), now, ...(limits === undefined ? {} : { limits }) }
      return openOperator({ ...own, ...connection } as OperatorConnection, deps)
    },
  }
}

const signal = new AbortController().signal

export async function readAll(operator: SimOperator, modifiedSince?: Date): Promise<SimPage[]> {
  const pages: SimPage[] = []
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page: SimPage = await operator.listSims({ cursor, modifiedSince }, signal)
    pages.push(page)
    cursor = page.next
  }
  return pages
}

export type KnownSim = { iccid: string; msisdn: string; state: string; imei: string | null; word: string | null }

export async function simsOf({ emulator }: OperatorBench, state: string, account = 1): Promise<KnownSim[]> {
  const { accounts } = await emulator.state()
  return (accounts[account - 1]?.sims ?? []).filter((sim) => sim.state === state) as KnownSim[]
}

/** A new SIM of its own, so that tests do not change each other's. */
export async function freshSim(
  { emulator }: OperatorBench,
  state: 'inventory' | 'test' | 'active' | 'suspended' | 'custody' | 'disconnecting',
): Promise<KnownSim> {
  const { accounts } = await emulator.patch({ add_sims: { count: 1, state } })
  const sim = accounts[0]?.sims.at(-1)
  assert.ok(sim)
  return sim as KnownSim
}

export async function receivedFor({ emulator }: OperatorBench, iccid: string) {
  const { accounts } = await emulator.state()
  return (accounts[0]?.received ?? []).filter((each) => each.iccid === iccid)
}

export async function refusalOf(work: Promise<unknown>): Promise<OperatorError> {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof OperatorError, String(error))
  return error
}

export const requestFor = (sim: KnownSim, action: SimAction, from: ActionRequest['from']): ActionRequest => ({
  actionId: `act-${sim.iccid}`,
  sim: { iccid: sim.iccid, msisdn: sim.msisdn },
  action,
  from,
  plan: 'M2M-100MB',
})
