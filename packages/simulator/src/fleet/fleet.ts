// A fleet: vehicles that live on one clock. Same settings, same readings, byte for byte, however the time is cut into calls.
import { nextStepS, type StepSettings, stepVehicle, stopEngine } from '../physics/step-vehicle.ts'
import { ambientTempC } from './climate.ts'
import { type ComponentTruth, createComponent, type FaultKind, faultKinds, faultSpecs, truthOf } from './components.ts'
import { createProfile } from './profile.ts'
import { createStream, nextBetween } from './random.ts'
import { readingOf, type WireRecord } from './reading.ts'
import { DEPOT } from './regions.ts'
import type { Vehicle, VehicleProfile, VehicleState } from './vehicle-state.ts'

export type FaultPlan = { readonly vehicleIndex: number; readonly kind: FaultKind; readonly onsetMs: number; readonly rampS: number }

export type FleetSettings = StepSettings & {
  readonly vehicleCount: number
  readonly startAtMs: number
  readonly schedule: VehicleProfile['schedule']
  /** Seconds between readings while the ignition is on, and while it is off. */
  readonly intervalS: number
  readonly parkedIntervalS: number
  readonly faults: readonly FaultPlan[]
}

export type Fleet = { readonly settings: FleetSettings; readonly vehicles: readonly Vehicle[] }

const fleetDefaults = {
  wearFactor: 1,
  repairAfterS: 86_400,
  schedule: 'shifts',
  intervalS: 10,
  parkedIntervalS: 60,
  faults: [],
} as const satisfies Partial<FleetSettings>

export function createFleet(
  options: { seed: number; vehicleCount: number; startAtMs: number } & { [K in keyof FleetSettings]?: FleetSettings[K] },
): Fleet {
  const settings: FleetSettings = { ...fleetDefaults, ...options }
  const vehicles = Array.from({ length: settings.vehicleCount }, (_, index): Vehicle => {
    const profile = createProfile(settings.seed, index, settings.schedule, settings.startAtMs)
    return { profile, state: createState(profile, settings) }
  })
  return { settings, vehicles }
}

function createState(profile: VehicleProfile, settings: FleetSettings): VehicleState {
  const random = createStream(settings.seed, `vehicle/${profile.index}`)
  const { model } = profile
  const ageDays = (new Date(settings.startAtMs).getUTCFullYear() - profile.modelYear + nextBetween(random, 0.2, 0.9)) * 365
  const odometerKm = Math.round(ageDays * model.dutyKmPerDay * nextBetween(random, 0.35, 0.75))
  const ambientC = ambientTempC(profile.region, settings.startAtMs, settings.seed)
  // A fleet that never sleeps is met warm; one that works in shifts is met as the night left it.
  const coolantC = settings.schedule === 'continuous' ? nextBetween(random, 55, 84) : ambientC
  const components = Object.fromEntries(
    faultKinds.map((kind) => {
      const component = createComponent(random, kind, faultSpecs[kind].lifeUnit === 'km' ? odometerKm : ageDays)
      const plan = settings.faults.find((fault) => fault.vehicleIndex === profile.index && fault.kind === kind)
      if (plan) component.injected = { onsetMs: plan.onsetMs, rampS: plan.rampS }
      return [kind, component]
    }),
  ) as VehicleState['components']
  return {
    atMs: settings.startAtMs,
    random,
    odometerKm,
    origin: { atMs: settings.startAtMs, odometerKm },
    fuelL: model.tankL * nextBetween(random, 0.35, 0.95),
    sloshPct: 0,
    motion: {
      phase: 'parked',
      phaseUntilMs: settings.startAtMs + nextBetween(random, 10, 240) * 1000,
      path: [DEPOT],
      deliveries: [],
      alongM: 0,
      nextLightM: Number.MAX_SAFE_INTEGER,
      speedKmh: 0,
      accelMps2: 0,
      headingDeg: Math.floor(nextBetween(random, 0, 360)),
      wander: 0,
      harshUntilMs: 0,
      loadKg: 0,
    },
    engine: {
      ...{ runTimeS: 0, rpm: 0, gear: 0, powerKw: 0, throttlePct: 0, fuelRateLph: 0, speedAverageKmh: 0, fuelRateAverageLph: 0 },
      ...{ coolantC, oilC: coolantC, intakeC: ambientC, oilPressureKpa: 0, fanOn: false },
    },
    electrics: { charge: nextBetween(random, 0.86, 0.97), busV: model.systemV * 1.05, surfaceV: 0 },
    components,
    severity: Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as VehicleState['severity'],
    codes: [],
    pendingSinceMs: {},
    events: [],
    nextReadingMs: settings.startAtMs,
  }
}

/**
 * Runs every vehicle up to an instant and hands out its readings in the order of its own time, one vehicle after the other. `intervalS`
 * overrides the settings' interval, so that history can be laid down more thinly than live data.
 */
export function advanceFleet(
  fleet: Fleet,
  untilMs: number,
  onReading: (record: WireRecord, vehicle: Vehicle) => void,
  intervalS?: number,
): void {
  for (const vehicle of fleet.vehicles) advanceVehicle(fleet.settings, vehicle, untilMs, onReading, intervalS)
}

function advanceVehicle(
  settings: FleetSettings,
  vehicle: Vehicle,
  untilMs: number,
  onReading: (record: WireRecord, vehicle: Vehicle) => void,
  intervalS = settings.intervalS,
): void {
  const { state } = vehicle
  while (state.atMs + nextStepS(state) * 1000 <= untilMs) {
    stepVehicle(vehicle, settings)
    // An ignition event is sent at once: cranking is over in two seconds, and its dip in voltage with it.
    const events = state.events.splice(0)
    for (const event of events) onReading(readingAt(vehicle, event, settings), vehicle)
    if (events.length > 0 || state.atMs >= state.nextReadingMs) {
      if (events.length === 0) onReading(readingAt(vehicle, 'periodic', settings), vehicle)
      const waitS = state.motion.phase === 'parked' ? settings.parkedIntervalS : intervalS
      state.nextReadingMs = state.atMs + waitS * 1000
    } else if (state.motion.phase !== 'parked') {
      state.nextReadingMs = Math.min(state.nextReadingMs, state.atMs + intervalS * 1000)
    }
  }
}

function readingAt(vehicle: Vehicle, event: string, settings: FleetSettings): WireRecord {
  return readingOf(vehicle, event, settings.seed)
}

export type VehicleTruth = { readonly imei: string; readonly vehicleIndex: number; readonly components: readonly ComponentTruth[] }

/** What is really wrong with each vehicle at this instant, and how long each component has left. */
export function groundTruth(fleet: Fleet): VehicleTruth[] {
  return fleet.vehicles.map(({ profile, state }) => ({
    imei: profile.imei,
    vehicleIndex: profile.index,
    components: faultKinds.map((kind) =>
      truthOf(kind, state.components[kind], state.atMs, fleet.settings.wearFactor, kmPerDayOf(profile, state)),
    ),
  }))
}

/** A vehicle that never rests makes about as much in every class: trucks are slower and stop less. */
const CONTINUOUS_KM_PER_DAY = 1_000

/** What the vehicle really drives, once it has been watched for a day; until then what its kind and schedule are built for. */
function kmPerDayOf(profile: VehicleProfile, state: VehicleState): number {
  const days = (state.atMs - state.origin.atMs) / 86_400_000
  if (days >= 1) return Math.max(1, (state.odometerKm - state.origin.odometerKm) / days)
  return profile.schedule === 'continuous' ? CONTINUOUS_KM_PER_DAY : profile.model.dutyKmPerDay
}

export type ForeseenFailure = {
  readonly imei: string
  readonly vehicleIndex: number
  readonly kind: FaultKind
  readonly failsAt: string
  readonly remainingDays: number
  readonly remainingKm: number
}

/**
 * The failures that will happen until an instant if nothing is repaired or injected meanwhile, found by driving a copy of the fleet ahead:
 * exact, whatever roads and loads are still to come, where `groundTruth` can only suppose that they go on as before. Costs about 0.2 s for
 * each day of a vehicle.
 */
export function foreseeFailures(fleet: Fleet, untilMs: number): ForeseenFailure[] {
  const settings = { ...fleet.settings, repairAfterS: Number.POSITIVE_INFINITY }
  return fleet.vehicles.flatMap((vehicle) => {
    const now = vehicle.state
    const ahead: Vehicle = { profile: vehicle.profile, state: structuredClone(now) }
    advanceVehicle(settings, ahead, untilMs, () => {})
    return faultKinds.flatMap((kind) => {
      const { failedMs, failedKm } = ahead.state.components[kind]
      if (failedMs === null || failedKm === null || now.components[kind].failedMs !== null) return []
      const { imei, index } = vehicle.profile
      const remaining = { remainingDays: (failedMs - now.atMs) / 86_400_000, remainingKm: failedKm - now.odometerKm }
      return [{ imei, vehicleIndex: index, kind, failsAt: new Date(failedMs).toISOString(), ...remaining }]
    })
  })
}

/** Starts a fault on a vehicle; a fault already injected on that component is replaced. */
export function injectFault(fleet: Fleet, plan: FaultPlan): void {
  const component = fleet.vehicles[plan.vehicleIndex]?.state.components[plan.kind]
  if (!component) throw new RangeError(`no vehicle ${plan.vehicleIndex} in a fleet of ${fleet.vehicles.length}`)
  component.injected = { onsetMs: plan.onsetMs, rampS: plan.rampS }
}

/** Everything that a fleet of the same settings needs to go on where this one stands. Plain JSON. */
export type FleetSnapshot = { readonly seed: number; readonly states: readonly VehicleState[] }

export function snapshotFleet(fleet: Fleet): FleetSnapshot {
  return structuredClone({ seed: fleet.settings.seed, states: fleet.vehicles.map(({ state }) => state) })
}

/**
 * Puts a stored fleet on the road again at its new start. While nobody watched, every vehicle stood where it was: odometers go on, engines
 * are cold. A snapshot of another seed or size does not fit and is refused with `false`.
 */
export function resumeFleet(fleet: Fleet, snapshot: FleetSnapshot): boolean {
  if (snapshot.seed !== fleet.settings.seed || snapshot.states.length !== fleet.vehicles.length) return false
  for (const [index, vehicle] of fleet.vehicles.entries()) {
    const stored = snapshot.states[index]
    if (!stored) return false
    const state = structuredClone(stored)
    const { startAtMs } = fleet.settings
    if (state.atMs < startAtMs) {
      const ambientC = ambientTempC(vehicle.profile.region, startAtMs, fleet.settings.seed)
      const stoodS = (startAtMs - state.atMs) / 1000
      const warmth = Math.exp(-stoodS / 6_000)
      stopEngine(state, startAtMs + (20 + 7 * (index % 30)) * 1000)
      state.events = []
      state.engine.coolantC = ambientC + (state.engine.coolantC - ambientC) * warmth
      state.engine.oilC = ambientC + (state.engine.oilC - ambientC) * warmth
      state.atMs = startAtMs
      state.nextReadingMs = startAtMs
    }
    vehicle.state = state
  }
  return true
}
