// The 12 V or 24 V network: a lead-acid battery (Thevenin model) on an alternator with a temperature-compensated regulator.
import { nextGaussian } from '../fleet/random.ts'
import { isEngineOn, type VehicleProfile, type VehicleState } from '../fleet/vehicle-state.ts'

/** Resting voltage of a 12 V battery at 0 and 100 % charge; straight between (maker's tables: 11.89 and 12.65 V). */
const EMPTY_V = 11.89
const FULL_V = 12.65
/** Regulator set point at 25 °C, and its slope: charging voltage falls as it gets warmer (VDA: about -8 mV/K). */
const REGULATOR_V = 14.15
const REGULATOR_V_PER_C = -0.008
const REGULATOR_MIN_V = 13.6
const REGULATOR_MAX_V = 14.4
const SURFACE_CHARGE_V = 0.12
const SURFACE_DECAY_S = 1_500
const PARKED_A = 0.03
/** Ignition, lights, blower and engine electronics; the truck's draw is at twice the voltage. */
const RUNNING_A = 28
const KEY_ON_A = 8
/** Below this a starter hardly turns and draws no more. */
const STALLED_STARTER_V = 6
/** A regulator that has lost its reference. A 24 V set point stays under the 30 V that a J1939 gauge is documented to show. */
const OVERCHARGE_V = { 12: 1.6, 24: 0.75 } as const

type Battery = { openV: number; resistanceOhm: number; capacityAh: number }

/** Per 12 V block. A failing battery sulphates (resistance, capacity) and at last shorts a cell, which takes 2 V with it. */
function batteryOf(profile: VehicleProfile, state: VehicleState, ambientC: number): Battery {
  const worn = state.severity.battery
  const cold = 1 + Math.max(0, 20 - ambientC) / 60
  return {
    openV: EMPTY_V + (FULL_V - EMPTY_V) * state.electrics.charge - 0.45 * worn - 4 * Math.max(0, worn - 0.6),
    resistanceOhm: (0.55 / profile.model.batteryAh) * cold * (1 + 4 * worn),
    capacityAh: profile.model.batteryAh * (1 - 0.6 * worn),
  }
}

/** Updates bus voltage and state of charge for one step. */
export function runElectrics(profile: VehicleProfile, state: VehicleState, ambientC: number, dtS: number): void {
  const { model } = profile
  const { electrics, engine, motion } = state
  const blocks = model.systemV / 12
  const battery = batteryOf(profile, state, ambientC)
  let batteryA: number
  let blockV: number
  if (isEngineOn(state)) {
    ;[blockV, batteryA] = charging(profile, state, battery, ambientC)
    electrics.surfaceV = batteryA > 0.05 ? SURFACE_CHARGE_V : electrics.surfaceV * Math.exp(-dtS / 60)
  } else if (motion.phase === 'cranking') {
    // Three to four times the capacity figure in amperes: 220 A for a car, 700 A for a truck.
    batteryA = -Math.min(3.6 * model.batteryAh, Math.max(0, battery.openV - STALLED_STARTER_V) / battery.resistanceOhm)
    blockV = battery.openV + batteryA * battery.resistanceOhm
    engine.rpm = 210
  } else {
    batteryA = state.motion.phaseUntilMs - state.atMs < 5_000 ? -KEY_ON_A : -PARKED_A
    electrics.surfaceV *= Math.exp(-dtS / SURFACE_DECAY_S)
    blockV = battery.openV + electrics.surfaceV + batteryA * battery.resistanceOhm
  }
  electrics.charge = Math.min(1, Math.max(0, electrics.charge + (batteryA * dtS) / 3600 / battery.capacityAh))
  electrics.busV = Math.max(0, blocks * (blockV + nextGaussian(state.random) * 0.015))
}

/** Voltage of one block and the current into it (negative: out of it) with the alternator turning. */
function charging(profile: VehicleProfile, state: VehicleState, battery: Battery, ambientC: number): [voltageV: number, batteryA: number] {
  const { alternator, overcharge } = state.severity
  const underBonnetC = ambientC + 15
  const wanted = REGULATOR_V + REGULATOR_V_PER_C * (underBonnetC - 25)
  const setV =
    Math.min(REGULATOR_MAX_V, Math.max(REGULATOR_MIN_V, wanted)) - 0.6 * alternator + OVERCHARGE_V[profile.model.systemV] * overcharge
  const speedShare = Math.min(1, Math.max(0.5, state.engine.rpm / 2_000))
  const availableA = profile.model.alternatorA * speedShare * Math.max(0, 1 - alternator)
  // A battery takes less the fuller it is: C/4 when half empty, a trickle when full.
  const acceptA = battery.capacityAh * Math.max(0.002, 0.5 * (1 - state.electrics.charge))
  const chargeA = Math.min(acceptA, (setV - battery.openV) / battery.resistanceOhm)
  if (availableA >= RUNNING_A + chargeA) return [setV, chargeA]
  const shortA = availableA - RUNNING_A
  return [Math.min(setV, battery.openV + shortA * battery.resistanceOhm), shortA]
}
