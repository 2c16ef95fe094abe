// A vehicle as plain data: what it is (profile, derived from the seed) and how it is (state, stored and resumed as JSON).
import type { Driver, VehicleModel } from './catalogue.ts'
import type { ComponentState, FaultKind } from './components.ts'
import type { RandomStream } from './random.ts'
import type { Region } from './regions.ts'

export type VehicleProfile = {
  readonly index: number
  readonly imei: string
  readonly vin: string
  readonly licensePlate: string
  readonly modelYear: number
  readonly model: VehicleModel
  readonly driver: Driver
  readonly region: Region
  /** `continuous` drives day and night with short pauses; `shifts` works from six to six and rests at week-ends. */
  readonly schedule: 'continuous' | 'shifts'
}

/** parked → cranking → driving ⇄ halted (engine on) → parked */
export type Phase = 'parked' | 'cranking' | 'driving' | 'halted'
export type StopKind = 'light' | 'delivery' | 'depot'

export type Motion = {
  phase: Phase
  phaseUntilMs: number
  /** Places still to pass, the one behind first. */
  path: string[]
  deliveries: string[]
  alongM: number
  nextLightM: number
  speedKmh: number
  accelMps2: number
  headingDeg: number
  /** Slow wandering of the speed the driver aims at, around 0. */
  wander: number
  harshUntilMs: number
  loadKg: number
}

export type Engine = {
  runTimeS: number
  rpm: number
  gear: number
  powerKw: number
  throttlePct: number
  fuelRateLph: number
  speedAverageKmh: number
  fuelRateAverageLph: number
  coolantC: number
  oilC: number
  intakeC: number
  oilPressureKpa: number
  fanOn: boolean
}

export type Electrics = {
  /** State of charge, 0 to 1. */
  charge: number
  busV: number
  /** Surface charge above the resting voltage; decays after charging stops. */
  surfaceV: number
}

export type FaultCode = { code: string; lamp: 'mil' | 'amber' | 'red' | 'protect'; activeSinceMs: number; lastTrueMs: number }

export type VehicleState = {
  atMs: number
  random: RandomStream
  odometerKm: number
  /** Where the records of this vehicle begin: its duty is what it has driven since. */
  origin: { atMs: number; odometerKm: number }
  fuelL: number
  sloshPct: number
  motion: Motion
  engine: Engine
  electrics: Electrics
  components: Record<FaultKind, ComponentState>
  severity: Record<FaultKind, number>
  codes: FaultCode[]
  pendingSinceMs: Record<string, number>
  events: string[]
  nextReadingMs: number
}

export type Vehicle = { readonly profile: VehicleProfile; state: VehicleState }

export function isEngineOn(state: VehicleState): boolean {
  return state.motion.phase === 'driving' || state.motion.phase === 'halted'
}
