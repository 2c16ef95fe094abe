// What wears and fails on a vehicle, and the truth about it. Nothing here is ever sent: readings show only what the physics makes of it.
import type { RandomStream } from './random.ts'
import { nextWeibull } from './random.ts'

export type FaultSpec = {
  /** Component as predictions name it. */
  readonly component: 'engine' | 'lubrication' | 'cooling' | 'battery' | 'charging' | 'fuel' | 'brakes' | 'transmission'
  readonly lifeUnit: 'km' | 'day'
  /** Weibull life. `shape` > 1 is wear-out. */
  readonly shape: number
  readonly scale: number
}

/**
 * Fault modes with their life priors. Brakes, battery, engine, transmission and fuel system are the engine's own documented priors
 * (brake pads: Hella Pagid's 15,000 to 80,000 km; battery: 3 to 5 years); the rest are judgement of the same kind.
 */
export const faultSpecs = {
  coolant_leak: { component: 'cooling', lifeUnit: 'km', shape: 2.0, scale: 300_000 },
  thermostat_open: { component: 'cooling', lifeUnit: 'km', shape: 2.0, scale: 260_000 },
  alternator: { component: 'charging', lifeUnit: 'km', shape: 2.5, scale: 280_000 },
  overcharge: { component: 'charging', lifeUnit: 'km', shape: 1.5, scale: 900_000 },
  battery: { component: 'battery', lifeUnit: 'day', shape: 2.5, scale: 1_700 },
  oil_pressure: { component: 'lubrication', lifeUnit: 'km', shape: 2.2, scale: 400_000 },
  misfire: { component: 'engine', lifeUnit: 'km', shape: 1.5, scale: 300_000 },
  fuel_leak: { component: 'fuel', lifeUnit: 'km', shape: 1.5, scale: 450_000 },
  brakes: { component: 'brakes', lifeUnit: 'km', shape: 3.0, scale: 65_000 },
  transmission: { component: 'transmission', lifeUnit: 'km', shape: 2.0, scale: 350_000 },
} as const satisfies Record<string, FaultSpec>

export type FaultKind = keyof typeof faultSpecs
export const faultKinds = Object.keys(faultSpecs) as FaultKind[]

/** The last share of a life over which the fault shows and grows: the P-F interval of reliability-centred maintenance (Moubray 1997). */
const PF_SHARE = 0.06
/** How many km or days of stress the average of `stress` remembers. */
const STRESS_MEMORY = 1_500

/** Plain data; lives are in the unit of the fault's spec. */
export type ComponentState = {
  life: number
  used: number
  /** Wear per km or day relative to ordinary duty, averaged over the recent past. */
  stress: number
  injected: { onsetMs: number; rampS: number } | null
  onsetMs: number | null
  failedMs: number | null
  /** Odometer at the failure. */
  failedKm: number | null
  repairCount: number
}

/** A component of a vehicle with that much behind it: lives are renewed until one reaches the present, so its age is not the vehicle's. */
export function createComponent(stream: RandomStream, kind: FaultKind, behind: number): ComponentState {
  const { shape, scale } = faultSpecs[kind]
  let life = nextWeibull(stream, shape, scale)
  let start = 0
  // A fleet starts serviced: a component past its onset is renewed at once. Eight renewals are far beyond any real vehicle.
  for (let i = 0; i < 8 && behind - start > life * (1 - PF_SHARE); i++) {
    start = Math.min(start + life, behind)
    life = Math.max(nextWeibull(stream, shape, scale), scale / 20)
  }
  const used = Math.min(behind - start, life * (1 - 2 * PF_SHARE))
  return { life, used, stress: 1, injected: null, onsetMs: null, failedMs: null, failedKm: null, repairCount: 0 }
}

/** 0 sound, 1 failed. The worse of the natural wear and an injected fault. `wearFactor` 0 switches natural wear off. */
export function severityOf(state: ComponentState, atMs: number, wearFactor: number): number {
  const natural = wearFactor > 0 ? (state.used / state.life - (1 - PF_SHARE)) / PF_SHARE : 0
  const injected = state.injected ? (atMs - state.injected.onsetMs) / (state.injected.rampS * 1000) : 0
  return Math.min(1, Math.max(0, natural, injected))
}

/** Adds wear of `amount` km or days at a stress relative to ordinary duty, and notes when onset and failure were crossed. */
export function wearComponent(state: ComponentState, amount: number, stress: number, wearFactor: number, atMs: number): number {
  state.used += amount * stress * wearFactor
  state.stress += (stress - state.stress) * Math.min(1, amount / STRESS_MEMORY)
  const severity = severityOf(state, atMs, wearFactor)
  if (severity > 0 && state.onsetMs === null) state.onsetMs = atMs
  if (severity >= 1 && state.failedMs === null) state.failedMs = atMs
  return severity
}

/** Replaces the component by a new one with a life of its own. */
export function repairComponent(stream: RandomStream, kind: FaultKind, state: ComponentState): void {
  const { shape, scale } = faultSpecs[kind]
  Object.assign(state, {
    life: Math.max(nextWeibull(stream, shape, scale), scale / 20),
    used: 0,
    injected: null,
    onsetMs: null,
    failedMs: null,
    failedKm: null,
    repairCount: state.repairCount + 1,
  })
}

export type ComponentTruth = {
  readonly kind: FaultKind
  readonly component: FaultSpec['component']
  readonly severity: number
  readonly onsetAt: string | null
  readonly failedAt: string | null
  readonly repairCount: number
  /** What is left at the vehicle's present stress and duty, on the real clock: acceleration is already divided out. `null` = never. */
  readonly remainingDays: number | null
  readonly remainingKm: number | null
}

/** The truth about one component. Remaining life is exact for an injected fault, and exact up to the future stress for natural wear. */
export function truthOf(kind: FaultKind, state: ComponentState, atMs: number, wearFactor: number, kmPerDay: number): ComponentTruth {
  const { component, lifeUnit } = faultSpecs[kind]
  const unitsLeft = Math.max(0, state.life - state.used) / Math.max(state.stress, 1e-6)
  const daysNatural = wearFactor > 0 ? (lifeUnit === 'km' ? unitsLeft / kmPerDay : unitsLeft) / wearFactor : Number.POSITIVE_INFINITY
  const daysInjected = state.injected
    ? Math.max(0, state.injected.onsetMs + state.injected.rampS * 1000 - atMs) / 86_400_000
    : Number.POSITIVE_INFINITY
  const days = Math.min(daysNatural, daysInjected)
  return {
    kind,
    component,
    severity: severityOf(state, atMs, wearFactor),
    onsetAt: state.onsetMs === null ? null : new Date(state.onsetMs).toISOString(),
    failedAt: state.failedMs === null ? null : new Date(state.failedMs).toISOString(),
    repairCount: state.repairCount,
    remainingDays: Number.isFinite(days) ? days : null,
    remainingKm: Number.isFinite(days) ? days * kmPerDay : null,
  }
}
