// What a SIM is inside the emulator, whichever wire form it is looked at through, and which moves between states a platform allows.

export const simStates = ['inventory', 'test', 'active', 'suspended', 'custody', 'disconnecting', 'terminated'] as const
export type SimState = (typeof simStates)[number]

/** A move that is not here is refused, as a real platform does. `disconnecting` goes back to what it came from. */
const MOVES: Readonly<Record<SimState, readonly SimState[]>> = {
  inventory: ['test', 'active'],
  test: ['active'],
  active: ['suspended', 'custody', 'disconnecting', 'terminated'],
  suspended: ['active', 'custody', 'disconnecting', 'terminated'],
  custody: ['active', 'disconnecting', 'terminated'],
  disconnecting: ['active', 'suspended', 'custody', 'terminated'],
  terminated: [],
}

export function mayMove(from: SimState, to: SimState): boolean {
  return MOVES[from].includes(to)
}

/** By which Control Center's users distinguish parked SIMs from suspended ones. */
export const PARKING_PLAN = 'PARKING'
export const DEFAULT_PLAN = 'M2M-100MB'
export const TEST_PLAN = 'M2M-TEST'

/** A change of one field, as a history shows it. */
export type Change = {
  readonly field: 'SIM Status' | 'Rate Plan' | 'Communication Plan' | 'IMEI'
  readonly prior: string
  readonly value: string
  readonly atMs: number
}

/** What was counted in a billing cycle, from its first instant. */
export type Counted = { readonly startMs: number; bytes: number; sms: number; sessions: number }

export type EmulatedSim = {
  /** 20 digits, the last of which checks the others. */
  readonly iccid: string
  readonly imsi: string
  /** 13 digits, as M2M numbers in India have. */
  readonly msisdn: string
  imei: string | null
  state: SimState
  stateBefore: SimState | null
  /** Until then `disconnecting` can be taken back. */
  graceUntilMs: number | null
  ratePlan: string
  communicationPlan: string
  activatedMs: number | null
  custodySinceMs: number | null
  updatedMs: number
  bytesPerDay: number
  /** Usage is counted until then. */
  countedUntilMs: number
  current: Counted
  previous: Counted | null
  history: Change[]
  /** For tests: a word to show instead of the state's. */
  word: string | null
  /** For tests: the platform does not know it any more. */
  isHidden: boolean
  /** For tests: counters that are behind by so much. */
  lagBytes: number
}

const MAX_HISTORY = 500

export function noteChange(sim: EmulatedSim, change: Change): void {
  if (change.prior === change.value) return
  sim.history.push(change)
  if (sim.history.length > MAX_HISTORY) sim.history.shift()
  sim.updatedMs = change.atMs
}

/** The check digit of ISO/IEC 7812-1. */
export function luhnDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}
