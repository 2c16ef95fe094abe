// Coolant, oil and intake temperatures and oil pressure: lumped heat balances (Heywood, Internal Combustion Engine Fundamentals, ch. 12).
import type { VehicleModel } from '../fleet/catalogue.ts'
import { nextGaussian } from '../fleet/random.ts'
import type { VehicleProfile, VehicleState } from '../fleet/vehicle-state.ts'

/** Lower heating value in kWh/L. */
const FUEL_KWH_PER_L = { diesel: 9.94, petrol: 8.9 } as const
/** Share of the fuel's heat that goes into the coolant at part load (Heywood fig. 12-4: 20 to 35 %). */
const HEAT_TO_COOLANT = 0.27
/** Wax thermostat: begins to open, fully open. */
const THERMOSTAT_OPENS_C = 82
const THERMOSTAT_OPEN_C = 92
const FAN_ON_C = 96
const FAN_OFF_C = 91
/** What a thermostat jammed by its own debris still lets through. */
const STUCK_OPENING = 0.25
/** Pressure cap: at about 1 bar over ambient the coolant boils and steam carries the heat away. */
const BOIL_C = 126

/** Rated heat at 50 K above ambient with ample margin: cars tow caravans over passes in summer. */
function radiatorKwPerK(model: VehicleModel): number {
  return (model.maxPowerKw * 0.95) / 50
}

function thermostatOpening(coolantC: number, stuckSeverity: number): number {
  const wax = Math.min(1, Math.max(0, (coolantC - THERMOSTAT_OPENS_C) / (THERMOSTAT_OPEN_C - THERMOSTAT_OPENS_C)))
  return Math.max(wax, STUCK_OPENING * stuckSeverity)
}

export function runThermal(profile: VehicleProfile, state: VehicleState, ambientC: number, dtS: number): void {
  const { model } = profile
  const { engine, motion } = state
  const heatKw = engine.fuelRateLph * FUEL_KWH_PER_L[model.fuel] * HEAT_TO_COOLANT

  if (engine.coolantC > FAN_ON_C) engine.fanOn = true
  else if (engine.coolantC < FAN_OFF_C) engine.fanOn = false
  const airflow = Math.max(engine.fanOn ? 0.7 : 0, Math.min(1, 0.08 + motion.speedKmh / 90))
  // Lost coolant uncovers the radiator: the last quarter of the level takes nearly all of the heat transfer with it.
  const filled = Math.max(0.01, 1 - state.severity.coolant_leak) ** 1.5
  const opening = thermostatOpening(engine.coolantC, state.severity.thermostat_open)
  const radiator = radiatorKwPerK(model) * opening * airflow * filled
  const block = (model.maxPowerKw / 4000) * (1 + motion.speedKmh / 120)
  const boiling = Math.max(0, engine.coolantC - BOIL_C) * model.maxPowerKw * 0.08
  const balanceKw = heatKw - (radiator + block) * (engine.coolantC - ambientC) - boiling
  engine.coolantC += (balanceKw / model.heatCapacityKjPerK) * dtS

  const oilTargetC = engine.coolantC + 4 + 18 * (engine.powerKw / model.maxPowerKw)
  engine.oilC += ((oilTargetC - engine.oilC) * dtS) / 420
  const intakeTargetC = ambientC + 6 + 14 * Math.exp(-motion.speedKmh / 30)
  engine.intakeC += ((intakeTargetC - engine.intakeC) * dtS) / 90
  engine.oilPressureKpa = oilPressureKpa(engine.rpm, engine.oilC, state.severity.oil_pressure) + nextGaussian(state.random) * 2
}

/** Newton's law of cooling with the engine off; an hour and a half for a car, longer for more metal. */
export function coolDown(profile: VehicleProfile, state: VehicleState, ambientC: number, dtS: number): void {
  const { engine } = state
  const share = 1 - Math.exp(-dtS / (40 * profile.model.heatCapacityKjPerK + 2_000))
  engine.coolantC += (ambientC - engine.coolantC) * share
  engine.oilC += (ambientC - engine.oilC) * share
  engine.intakeC += (ambientC + 2 - engine.intakeC) * Math.min(1, dtS / 1_800)
  engine.oilPressureKpa = 0
  engine.fanOn = false
}

const RELIEF_VALVE_KPA = 430
const RELIEF_RPM = 1_530

/**
 * A gear pump against bearing clearances, limited by its relief valve: rises with speed, falls as oil thins with heat. Hot idle is about
 * 170 kPa, 2000 rpm about 310 kPa. Worn bearings and pump leak it away.
 */
function oilPressureKpa(rpm: number, oilC: number, wornSeverity: number): number {
  const viscosity = Math.min(6, Math.max(0.5, Math.exp(-(oilC - 90) / 45)))
  const sound = RELIEF_VALVE_KPA * (1 - Math.exp((-rpm * viscosity) / RELIEF_RPM))
  return Math.max(0, sound * (1 - 0.94 * wornSeverity))
}
