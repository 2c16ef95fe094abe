// From speed and load to engine speed, power and fuel: longitudinal vehicle dynamics (Gillespie, Fundamentals of Vehicle Dynamics, ch. 2).
import type { VehicleModel } from '../fleet/catalogue.ts'
import { nextGaussian } from '../fleet/random.ts'
import type { VehicleProfile, VehicleState } from '../fleet/vehicle-state.ts'

const GRAVITY_MPS2 = 9.81
const AIR_DENSITY_KG_M3 = 1.2
const DRIVELINE_EFFICIENCY = 0.9
/** Alternator, pumps, steering and cabin. */
const ACCESSORY_SHARE = 0.02
/** Fuel per work beyond turning the engine (the slope of the Willans line): about 175 g/kWh of diesel, 215 g/kWh of petrol. */
const FUEL_L_PER_KWH = { diesel: 0.21, petrol: 0.29 } as const
/** Fuel that only turns the engine, per kW of rated power at idle speed: 0.6 L/h for a car, 2.4 L/h for a long-haul truck. */
const IDLE_LPH_PER_KW = 0.007
const AVERAGE_S = 300

function resistanceN(model: VehicleModel, massKg: number, speedMps: number, slope: number): number {
  const rolling = model.rollingCoefficient * massKg * GRAVITY_MPS2
  return rolling + 0.5 * AIR_DENSITY_KG_M3 * model.dragAreaM2 * speedMps ** 2 + massKg * GRAVITY_MPS2 * slope
}

/** Rolling country: gradients up to about 1 %, tied to the odometer so that they are the same whatever the step. */
function slopeAt(odometerKm: number): number {
  return 0.006 * Math.sin(odometerKm * 1.9) + 0.004 * Math.sin(odometerKm * 0.53 + 1)
}

/** Acceleration that the rated power leaves at this speed. */
export function powerLimitMps2(profile: VehicleProfile, state: VehicleState): number {
  const { model } = profile
  const massKg = model.massKg + state.motion.loadKg
  const speedMps = Math.max(3, state.motion.speedKmh / 3.6)
  const force = (model.maxPowerKw * 1000 * 0.85 * DRIVELINE_EFFICIENCY) / speedMps
  return Math.max(0.03, (force - resistanceN(model, massKg, speedMps, slopeAt(state.odometerKm))) / massKg)
}

/** Updates gear, engine speed, power, throttle and fuel rate of a running engine; returns the power the brakes had to take up, in kW. */
export function runPowertrain(profile: VehicleProfile, state: VehicleState, dtS: number): number {
  const { model } = profile
  const { engine, motion } = state
  const massKg = model.massKg + motion.loadKg
  const speedMps = motion.speedKmh / 3.6
  const wheelKw = ((resistanceN(model, massKg, speedMps, slopeAt(state.odometerKm)) + massKg * motion.accelMps2) * speedMps) / 1000
  engine.powerKw = Math.min(model.maxPowerKw, Math.max(0, wheelKw) / DRIVELINE_EFFICIENCY + model.maxPowerKw * ACCESSORY_SHARE)

  shift(model, state)
  // A slipping clutch or converter lets the engine run ahead of the road.
  const slip = 1 + 0.22 * state.severity.transmission
  const driven = motion.speedKmh * (model.rpmPerKmh[engine.gear - 1] ?? 0) * slip
  const coldIdle = Math.max(0, 55 - engine.coolantC) * 4
  const roughness = 4 + 45 * state.severity.misfire
  engine.rpm = Math.max(model.idleRpm + coldIdle, driven) + nextGaussian(state.random) * roughness

  const idleLph = IDLE_LPH_PER_KW * model.maxPowerKw * (engine.rpm / model.idleRpm) * (1 + Math.max(0, 60 - engine.coolantC) / 150)
  const coasting = motion.accelMps2 < -0.3 && speedMps > 5
  const work = engine.powerKw * FUEL_L_PER_KWH[model.fuel] * (1 + 0.15 * state.severity.misfire)
  engine.fuelRateLph = coasting ? 0 : idleLph + work
  const idleThrottlePct = 12
  engine.throttlePct = Math.min(
    100,
    Math.max(0, idleThrottlePct + (78 * engine.powerKw) / model.maxPowerKw + nextGaussian(state.random) * 0.5),
  )

  const share = Math.min(1, dtS / AVERAGE_S)
  engine.speedAverageKmh += (motion.speedKmh - engine.speedAverageKmh) * share
  engine.fuelRateAverageLph += (engine.fuelRateLph - engine.fuelRateAverageLph) * share
  // Engine braking takes up some 12 % of rated power before the pads do.
  return Math.max(0, -wheelKw - 0.12 * model.maxPowerKw)
}

function shift(model: VehicleModel, state: VehicleState): void {
  const { engine, motion } = state
  if (motion.speedKmh < 2) {
    engine.gear = motion.phase === 'halted' ? 0 : 1
    return
  }
  const demand = engine.powerKw / model.maxPowerKw
  const up = model.upshiftRpm * (1 + 0.35 * demand)
  const down = model.downshiftRpm * (1 + 0.2 * demand)
  let gear = Math.max(1, engine.gear)
  while (gear < model.rpmPerKmh.length && motion.speedKmh * (model.rpmPerKmh[gear - 1] ?? 0) > up) gear++
  while (gear > 1 && motion.speedKmh * (model.rpmPerKmh[gear - 1] ?? 0) < down) gear--
  engine.gear = gear
}
