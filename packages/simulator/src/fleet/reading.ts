// What a device sends: the state of a vehicle in the External API's wire form (spec §2.4, §2.5), with a sensor's noise and resolution.
import { KPA_PER_PSI } from '@roadworthy/signals/registry'
import { currentLeg } from '../physics/motion.ts'
import { ambientTempC } from './climate.ts'
import { createStream, nextGaussian } from './random.ts'
import { DEPOT } from './regions.ts'
import { placeOf, pointOnLeg } from './road-graph.ts'
import { type FaultCode, isEngineOn, type Vehicle } from './vehicle-state.ts'

/** One record on the External wire; `device_id` is the registered id or the IMEI. */
export type WireRecord = { device_id: string; timestamp: string } & Record<string, unknown>

const round = (value: number, digits: number) => Number(value.toFixed(digits))
/** Metres of GPS scatter in the open (1 sigma), in degrees of latitude. */
const FIX_SCATTER_DEG = 3 / 111_000

/** The reading of a vehicle at its own instant. Drawing it does not change the vehicle: its noise is a function of seed and time. */
export function readingOf(vehicle: Vehicle, event: string, seed: number): WireRecord {
  const { profile, state } = vehicle
  const noise = createStream(seed, `reading/${profile.index}/${state.atMs}`)
  const leg = currentLeg(profile, state.motion)
  const [latitude, longitude] = leg
    ? pointOnLeg(profile.region, leg, state.motion.alongM)
    : placeOf(profile.region, state.motion.path[0] ?? DEPOT)
  const record: WireRecord = {
    device_id: profile.imei,
    timestamp: new Date(state.atMs).toISOString(),
    latitude: round(latitude + nextGaussian(noise) * FIX_SCATTER_DEG, 6),
    longitude: round(longitude + (nextGaussian(noise) * FIX_SCATTER_DEG) / Math.cos((latitude * Math.PI) / 180), 6),
    speed: round(Math.max(0, state.motion.speedKmh), 1),
    heading: Math.round(state.motion.headingDeg) % 360,
    satellites: 9 + Math.round(Math.abs(nextGaussian(noise)) * 2),
    ignition: state.motion.phase !== 'parked',
    event,
    battery_voltage: round(state.electrics.busV, 2),
  }
  if (state.motion.phase !== 'parked') Object.assign(record, engineFields(vehicle, seed, nextGaussian(noise)))
  return record
}

/** A parked vehicle's control units sleep: the tracker alone speaks, and knows only the battery. */
function engineFields(vehicle: Vehicle, seed: number, noise: number): Record<string, unknown> {
  const { profile, state } = vehicle
  const { engine } = state
  const consumption = engine.speedAverageKmh > 8 ? (100 * engine.fuelRateAverageLph) / engine.speedAverageKmh : undefined
  const fuelPct = (100 * state.fuelL) / profile.model.tankL + state.sloshPct
  return {
    rpm: Math.round(Math.max(0, engine.rpm)),
    coolant_temp: Math.round(engine.coolantC),
    fuel_level: round(Math.min(100, Math.max(0, fuelPct)), 1),
    oil_pressure: round(isEngineOn(state) ? Math.max(0, engine.oilPressureKpa) / KPA_PER_PSI : 0, 1),
    throttle: round(engine.throttlePct, 1),
    intake_air_temp: Math.round(engine.intakeC),
    ambient_temp: round(ambientTempC(profile.region, state.atMs, seed) + noise * 0.3, 1),
    odometer: round(state.odometerKm, 1),
    engineOilTemp: Math.round(engine.oilC),
    runTime: Math.round(engine.runTimeS),
    current_gear: engine.gear,
    ...(consumption === undefined ? {} : { fuel_consumption: round(Math.min(500, consumption), 1) }),
    ...lampFields(profile.model.systemV === 24 || profile.model.kind === 'van', state.codes),
    dtc_codes: state.codes.map((entry) => entry.code),
  }
}

/** An OBD dongle in a car sees the MIL only; a CAN gateway sees the four lamps of DM1. */
function lampFields(hasDm1: boolean, codes: readonly FaultCode[]): Record<string, 'LAMP_ON' | 'LAMP_OFF'> {
  const lamp = (kind: FaultCode['lamp']) => (codes.some((entry) => entry.lamp === kind) ? 'LAMP_ON' : 'LAMP_OFF')
  if (!hasDm1) return { mil_lamp: codes.length > 0 ? 'LAMP_ON' : 'LAMP_OFF' }
  return { mil_lamp: lamp('mil'), amber_warning_lamp: lamp('amber'), red_stop_lamp: lamp('red'), protect_lamp: lamp('protect') }
}
