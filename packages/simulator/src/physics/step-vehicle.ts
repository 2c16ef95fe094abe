// One vehicle, one step of time: phases of its day, then each physical system in turn. The order is the order of cause and effect.
import { ambientTempC } from '../fleet/climate.ts'
import { type FaultKind, faultKinds, faultSpecs, repairComponent, severityOf, wearComponent } from '../fleet/components.ts'
import { nextBetween, nextGaussian } from '../fleet/random.ts'
import { isEngineOn, type StopKind, type Vehicle, type VehicleProfile, type VehicleState } from '../fleet/vehicle-state.ts'
import { runDiagnostics } from './diagnostics.ts'
import { runElectrics } from './electrics.ts'
import { drive, startTrip } from './motion.ts'
import { powerLimitMps2, runPowertrain } from './powertrain.ts'
import { coolDown, runThermal } from './thermal.ts'

export type StepSettings = {
  readonly seed: number
  /** How much faster than life components wear. 0: nothing wears by itself. */
  readonly wearFactor: number
  /** How long a failed component stays failed before the workshop replaces it. */
  readonly repairAfterS: number
}

/** The physics' own clock. Parked vehicles take longer steps: nothing happens to them but cooling. */
const STEP_S = 1
const PARKED_STEP_S = 10
const CRANK_S = 2
const REFUEL_BELOW_SHARE = 0.2
const EMPTY_SHARE = 0.03
/** A line that has come off pumps this much out. */
const LEAK_L_PER_S = { car: 1 / 60, van: 1.5 / 60, truck: 6 / 60 } as const
/** Braking work per kilometre and tonne that wears pads at the ordinary rate: the mean of this fleet over a working month. */
const ORDINARY_BRAKE_KWH_PER_KM_T = 0.0125

/** Length of the step that comes next. It depends on the state alone, so that however the time is cut into calls, the steps are the same. */
export function nextStepS(state: VehicleState): number {
  const { phase, phaseUntilMs } = state.motion
  return phase === 'parked' && phaseUntilMs - state.atMs > PARKED_STEP_S * 1000 ? PARKED_STEP_S : STEP_S
}

/** Advances a vehicle by one step. */
export function stepVehicle(vehicle: Vehicle, settings: StepSettings): void {
  const { profile, state } = vehicle
  const ambientC = ambientTempC(profile.region, state.atMs, settings.seed)
  const dtS = nextStepS(state)
  for (const kind of faultKinds) state.severity[kind] = severityOf(state.components[kind], state.atMs, settings.wearFactor)

  const odometerBeforeKm = state.odometerKm
  advancePhase(profile, state, settings)
  let brakeKw = 0
  if (isEngineOn(state)) {
    const stop = state.motion.phase === 'driving' ? drive(profile, state, dtS, powerLimitMps2(profile, state)) : undefined
    brakeKw = runPowertrain(profile, state, dtS)
    runThermal(profile, state, ambientC, dtS)
    state.engine.runTimeS += dtS
    if (stop) come(profile, state, stop)
  } else {
    coolDown(profile, state, ambientC, dtS)
  }
  runElectrics(profile, state, ambientC, dtS)
  runFuel(profile, state, dtS)
  wear(profile, state, settings, state.odometerKm - odometerBeforeKm, brakeKw, ambientC, dtS)
  runDiagnostics(profile, state, ambientC)
  state.atMs += dtS * 1000
}

/** Leaves a phase whose time is up. */
function advancePhase(profile: VehicleProfile, state: VehicleState, settings: StepSettings): void {
  const { motion, engine } = state
  if (state.atMs < motion.phaseUntilMs) return
  if (motion.phase === 'parked') {
    repairDue(state, settings)
    if (state.fuelL < profile.model.tankL * REFUEL_BELOW_SHARE) state.fuelL = profile.model.tankL * nextBetween(state.random, 0.92, 0.98)
    if (motion.deliveries.length === 0 && motion.path.length < 2) startTrip(profile, state)
    motion.phase = 'cranking'
    motion.phaseUntilMs = state.atMs + CRANK_S * 1000
    state.events.push('ignition_on')
  } else if (motion.phase === 'cranking') {
    motion.phase = 'halted'
    engine.runTimeS = 0
    engine.rpm = profile.model.idleRpm
    motion.phaseUntilMs = state.atMs + nextBetween(state.random, 8, 25) * 1000
  } else if (motion.phase === 'halted') {
    motion.phase = 'driving'
    motion.phaseUntilMs = Number.MAX_SAFE_INTEGER
  }
}

/** Decides what a stop means: waiting at a light with the engine on, or parking. */
function come(profile: VehicleProfile, state: VehicleState, stop: StopKind): void {
  const { motion, random } = state
  motion.accelMps2 = 0
  if (stop === 'light' && state.fuelL > profile.model.tankL * EMPTY_SHARE) {
    motion.phase = 'halted'
    motion.phaseUntilMs = state.atMs + nextBetween(random, 8, 45) * 1000
    return
  }
  const pauseS = stop === 'delivery' ? unloadingS(profile, state) : restAtDepotS(profile, state)
  stopEngine(state, state.atMs + pauseS * 1000)
}

/** Switches the engine off until an instant. */
export function stopEngine(state: VehicleState, untilMs: number): void {
  const { motion, engine } = state
  if (isEngineOn(state)) state.events.push('ignition_off')
  motion.phase = 'parked'
  motion.phaseUntilMs = untilMs
  motion.speedKmh = 0
  motion.accelMps2 = 0
  Object.assign(engine, { rpm: 0, gear: 0, powerKw: 0, throttlePct: 0, fuelRateLph: 0, runTimeS: 0 })
}

function unloadingS(profile: VehicleProfile, state: VehicleState): number {
  if (profile.schedule === 'continuous') return nextBetween(state.random, 90, 240)
  return profile.model.kind === 'truck' ? nextBetween(state.random, 3_600, 7_200) : nextBetween(state.random, 900, 3_000)
}

const FIRST_HOUR = 6
const LAST_HOUR = 18

function restAtDepotS(profile: VehicleProfile, state: VehicleState): number {
  const pauseS = nextBetween(state.random, 240, 900)
  if (profile.schedule === 'continuous') return pauseS / 2
  const hourMs = 3_600_000
  const localMs = state.atMs + profile.region.utcOffsetH * hourMs
  const hour = (localMs / hourMs) % 24
  if (hour >= FIRST_HOUR && hour < LAST_HOUR) return pauseS
  const daysToRest = hour >= LAST_HOUR ? 1 : 0
  const midnightMs = Math.floor(localMs / 86_400_000) * 86_400_000
  // 1 January 1970 was a Thursday: day 2 and 3 of each week are Saturday and Sunday.
  const weekDay = (Math.floor(localMs / 86_400_000) + daysToRest) % 7
  const weekEnd = weekDay === 2 ? 2 : weekDay === 3 ? 1 : 0
  return (midnightMs + (daysToRest + weekEnd) * 86_400_000 + FIRST_HOUR * hourMs - localMs) / 1000 + pauseS
}

function runFuel(profile: VehicleProfile, state: VehicleState, dtS: number): void {
  const { model } = profile
  const leakL = LEAK_L_PER_S[model.kind] * state.severity.fuel_leak * dtS
  state.fuelL = Math.max(0, state.fuelL - (state.engine.fuelRateLph * dtS) / 3600 - leakL)
  const moving = state.motion.speedKmh > 1
  state.sloshPct += (-state.sloshPct * dtS) / 12 + (moving ? nextGaussian(state.random) * 0.35 * Math.sqrt(Math.min(dtS, 4)) : 0)
  if (dtS >= PARKED_STEP_S) state.sloshPct *= 0.3
  if (isEngineOn(state) && state.fuelL < model.tankL * EMPTY_SHARE) stopEngine(state, state.atMs + 420_000)
}

function wear(
  profile: VehicleProfile,
  state: VehicleState,
  settings: StepSettings,
  km: number,
  brakeKw: number,
  ambientC: number,
  dtS: number,
): void {
  const tonnes = (profile.model.massKg + profile.model.payloadKg / 2) / 1000
  for (const kind of faultKinds) {
    const component = state.components[kind]
    if (faultSpecs[kind].lifeUnit === 'day') {
      // Grid corrosion doubles for every 10 K above 25 °C (Arrhenius rule of battery makers), and cold hardly spares it.
      wearComponent(component, dtS / 86_400, Math.max(0.6, 2 ** ((ambientC - 20) / 10)), settings.wearFactor, state.atMs)
    } else if (kind === 'brakes') {
      const ordinaryKwh = km * ORDINARY_BRAKE_KWH_PER_KM_T * tonnes
      const stress = ordinaryKwh > 0 ? (brakeKw * dtS) / 3600 / ordinaryKwh : 0
      wearComponent(component, km, stress, settings.wearFactor, state.atMs)
    } else {
      wearComponent(component, km, stressOf(kind, state), settings.wearFactor, state.atMs)
    }
    if (component.failedMs === state.atMs) component.failedKm = state.odometerKm
  }
}

/** Accelerated-failure-time factors: heat for the engine and cooling, load for the gearbox. */
function stressOf(kind: FaultKind, state: VehicleState): number {
  const { engine } = state
  if (kind === 'transmission') return 0.7 + 0.6 * Math.min(1, state.motion.loadKg / 20_000 + engine.throttlePct / 120)
  if (kind === 'oil_pressure') return engine.oilC < 60 ? 1.6 : 1 + Math.max(0, engine.oilC - 110) / 20
  return 1
}

function repairDue(state: VehicleState, settings: StepSettings): void {
  for (const kind of faultKinds) {
    const component = state.components[kind]
    if (component.failedMs === null || state.atMs - component.failedMs < settings.repairAfterS * 1000) continue
    repairComponent(state.random, kind, component)
    state.severity[kind] = 0
    state.codes = []
    state.pendingSinceMs = {}
    if (kind === 'battery') state.electrics.charge = 0.95
  }
}
