// Accounts with SIMs in every state and a history that led there; the same for the same seed, account and time.

import type { Account } from './account.ts'
import { chance, chanceDigits, chanceIn } from './random.ts'
import { DEFAULT_PLAN, type EmulatedSim, luhnDigit, noteChange, PARKING_PLAN, type SimState, TEST_PLAN } from './sim.ts'
import { countUsage, cycleStart } from './usage.ts'

const DAY_MS = 86_400_000
const GRACE_MS = 5 * DAY_MS
/** What SIMs are, over and over: a fleet is mostly active. */
const STATES: readonly SimState[] = [
  ...['active', 'active', 'active', 'inventory', 'active', 'suspended', 'active', 'custody'],
  ...['active', 'test', 'active', 'inventory', 'active', 'disconnecting', 'active', 'terminated'],
] as SimState[]
const DAYS_OF_PAST = 120

/** `nth` counts from 1 and is part of every credential. */
export function createAccount(seed: number, nth: number, simCount: number, nowMs: number): Account {
  const account: Account = { nth, sims: [], jobs: [], received: [], nextJobId: nth * 1_000_000 + 1 }
  addSims(account, seed, simCount, nowMs)
  return account
}

export function addSims(account: Account, seed: number, count: number, nowMs: number, state?: SimState): EmulatedSim[] {
  const first = account.sims.length
  const added = Array.from({ length: count }, (_, index) => createSim(seed, account.nth, first + index, nowMs, state))
  account.sims.push(...added)
  return added
}

function createSim(seed: number, account: number, index: number, nowMs: number, asked: SimState | undefined): EmulatedSim {
  const serial = `${String(account).padStart(3, '0')}${String(index).padStart(7, '0')}`
  // 89: telecommunications, 91: India, 10: an issuer.
  const digits = `899110${chanceDigits(3, seed, account, 'batch')}${serial}`
  const startMs = nowMs - chanceIn(DAYS_OF_PAST / 2, DAYS_OF_PAST, seed, account, index, 'age') * DAY_MS
  const sim: EmulatedSim = {
    iccid: `${digits}${luhnDigit(digits)}`,
    imsi: `40410${serial}`,
    msisdn: `575${serial}`,
    imei: null,
    state: 'inventory',
    stateBefore: null,
    graceUntilMs: null,
    ratePlan: DEFAULT_PLAN,
    communicationPlan: 'CP-DATA-SMS',
    activatedMs: null,
    custodySinceMs: null,
    updatedMs: startMs,
    bytesPerDay: chanceIn(200_000, 4_000_000, seed, account, index, 'rate'),
    countedUntilMs: startMs,
    current: { startMs: cycleStart(startMs), bytes: 0, sms: 0, sessions: 0 },
    previous: null,
    history: [],
    word: null,
    isHidden: false,
    lagBytes: 0,
  }
  const state = asked ?? STATES[index % STATES.length] ?? 'active'
  const imei = `35${chanceDigits(12, seed, account, index, 'imei')}`
  for (const [nth, to] of pathTo(state).entries()) {
    // The moves are spread over the past; a grace is still running.
    const share = (nth + 1) / (pathTo(state).length + 1)
    const atMs = to === 'disconnecting' ? nowMs - DAY_MS : Math.round(startMs + (nowMs - startMs) * share)
    if (to !== 'inventory' && sim.imei === null) sim.imei = `${imei}${luhnDigit(imei)}`
    moveSim(seed, sim, to, atMs)
  }
  countUsage(seed, sim, nowMs)
  return sim
}

function pathTo(state: SimState): SimState[] {
  if (state === 'inventory') return []
  if (state === 'test' || state === 'active') return [state]
  return ['active', state]
}

/** Puts the SIM into a state at a time, whatever state it is in, with all that follows from it. */
export function moveSim(seed: number, sim: EmulatedSim, to: SimState, atMs: number, plan?: string): void {
  countUsage(seed, sim, atMs)
  const from = sim.state
  const ratePlan =
    plan ??
    (to === 'test' ? TEST_PLAN : to === 'custody' ? PARKING_PLAN : from === 'custody' || from === 'test' ? DEFAULT_PLAN : sim.ratePlan)
  noteChange(sim, { field: 'SIM Status', prior: from, value: to, atMs })
  noteChange(sim, { field: 'Rate Plan', prior: sim.ratePlan, value: ratePlan, atMs })
  sim.stateBefore = to === 'disconnecting' ? from : null
  sim.graceUntilMs = to === 'disconnecting' ? atMs + GRACE_MS : null
  sim.custodySinceMs = to === 'custody' ? atMs : null
  if (to === 'active') sim.activatedMs ??= atMs
  sim.state = to
  sim.ratePlan = ratePlan
  sim.updatedMs = atMs
}

/** How long a job takes: about what is asked for, different for each, the same for the same seed. */
export function jobDuration(seed: number, jobId: number, meanMs: number): number {
  return Math.round(meanMs * (0.5 + chance(seed, 'job', jobId)))
}
