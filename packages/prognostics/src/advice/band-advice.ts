// What to do about each finding of the bands, by its severity, and where that comes from. A text says how soon in the words of the act that is
// advised with it (`advice.ts`): `critical` stops, but for battery and charging, `high` is today, `medium` within days, `low` with the next
// service, and `info` needs nothing done.
import type { Severity } from '@roadworthy/signals/severity'
import type { Provenance } from '../provenance.ts'

type Instruction = Provenance & { readonly text: string }
/** By the severities that a rule has. */
export type BandAdvice = Readonly<Partial<Record<Severity, Instruction>>>

const assumed = (text: string, source: string): Instruction => ({ text, origin: 'assumption', source })
const published = (text: string, source: string): Instruction => ({ text, origin: 'literature', source })

const LESS_LOAD =
  'Jeep Grand Cherokee 2017, owner’s manual, p. 435: slow down, switch the air conditioning off and the heater to the highest, before it overheats.'
const STOP_OF_HEAT =
  'Peterbilt Y53-6033, p. 40: stop in a safe location if the gauge indicates overheating, and open nothing before the coolant is below 50 °C.'
const BY_THE_THRESHOLD = 'What may be the cause, in the time that the severity of the threshold leaves.'
const OUTSIDE_OF_CHARGE =
  'GMC Sierra 1996, p. 2-60: in the low and the high warning zone of the voltmeter drive for a short time only, with what uses current switched off; Honda Odyssey 2007, p. 415: keep the engine running and go to a workshop.'
const CHARGING_CHECKED =
  'Freightliner Cascadia, driver’s manual, p. 3.14: where the voltmeter shows under- or overcharge for an extended time, have charging system and batteries checked.'
const CHARGE_AT_REST =
  'Freightliner Cascadia, driver’s manual, p. 3.14: below 12.0 V a battery is low, at about 11.0 V it is wholly discharged. That it is ruined if left so is of common tables.'
const STOP_OF_OIL =
  'Thomas Saf-T-Liner C2, driver’s manual, oil pressure gauge: bring the vehicle to a safe stop, and do not run the engine before the cause is found; Ram 1500 2021, p. 136, likewise.'
const WARNING_OF_OIL =
  'Between the check engine lamp and the stop engine lamp, which the same manuals light one after the other as the pressure falls: first the level, then the pressure.'
const STOP_OF_HOT_OIL =
  'Freightliner S2 chassis, operator’s manual: shut the engine down if the oil temperature climbs abnormally, after idling so that the oil carries the heat off.'
const FUEL_COOLS =
  'Fuel that comes back warms the tank the more, the less is in it; Caterpillar and Bosch state what hot fuel does (sources of the thresholds).'
const AS_WITH_AN_ENGINE = 'As of a vehicle with an engine.'
const HARMS_SLOWLY = 'It strands nobody, and harms slowly.'
const STILL_STARTS = 'Half charged, it still starts an engine.'
const ENOUGH_FUEL = 'A notice only: enough to reach a filling station.'

export const coolantAdvice: BandAdvice = {
  info: published('Keep an eye on the coolant temperature: less load lets it fall', LESS_LOAD),
  low: assumed('Have coolant level, leaks, fan, thermostat and water pump checked with the next service', BY_THE_THRESHOLD),
  medium: assumed(
    'Check the coolant level before the next trip, and have leaks, fan, thermostat and water pump checked within days; until then less load',
    BY_THE_THRESHOLD,
  ),
  high: published(
    'Take load off at once, air conditioning off and heater on, and have coolant level, leaks, fan, thermostat and water pump checked today',
    LESS_LOAD,
  ),
  critical: published('Stop when safe, let the engine cool, then check coolant level, leaks, fan, thermostat and water pump', STOP_OF_HEAT),
}

export const coolantAdviceWithoutEngine: BandAdvice = {
  info: published('Keep an eye on the coolant temperature: less load lets it fall', LESS_LOAD),
  low: assumed('Have coolant level, leaks, fan and coolant pump checked with the next service', BY_THE_THRESHOLD),
  medium: assumed(
    'Check the coolant level before the next trip, and have leaks, fan and coolant pump checked within days; until then less load',
    BY_THE_THRESHOLD,
  ),
  high: assumed('Take load off at once, and have coolant level, leaks, fan and coolant pump checked today', BY_THE_THRESHOLD),
  critical: assumed('Stop when safe, let the drive cool, then check coolant level, leaks, fan and coolant pump', AS_WITH_AN_ENGINE),
}

export const thermostatAdvice: BandAdvice = {
  low: assumed(
    'Have the thermostat checked with the next service: it seems to stay open, which costs fuel and wears the engine',
    HARMS_SLOWLY,
  ),
}

export const underchargeAdvice: BandAdvice = {
  low: published('Have alternator, belt and charging cables checked with the next service', CHARGING_CHECKED),
  medium: published('Have alternator, belt and charging cables checked within days, before the battery runs flat', CHARGING_CHECKED),
  high: published(
    'Switch off what uses current, and have alternator, belt and charging cables checked today: the battery runs flat',
    OUTSIDE_OF_CHARGE,
  ),
  critical: published(
    'Switch off what uses current, and drive straight to a workshop: the battery is flat, and an engine that is switched off does not start again',
    OUTSIDE_OF_CHARGE,
  ),
}

export const underchargeAdviceWithoutEngine: BandAdvice = {
  low: assumed('Have the DC/DC converter, its fuse and its cables checked with the next service', BY_THE_THRESHOLD),
  medium: assumed('Have the DC/DC converter, its fuse and its cables checked within days, before the battery runs flat', BY_THE_THRESHOLD),
  high: assumed(
    'Switch off what uses current, and have the DC/DC converter, its fuse and its cables checked today: the low-voltage battery runs flat',
    AS_WITH_AN_ENGINE,
  ),
  critical: assumed(
    'Switch off what uses current, and drive straight to a workshop: the low-voltage battery is flat, and without it the vehicle does not drive',
    AS_WITH_AN_ENGINE,
  ),
}

export const overchargeAdvice: BandAdvice = {
  low: published('Have the voltage regulator checked with the next service: overcharging dries the battery out', CHARGING_CHECKED),
  medium: published(
    'Have the voltage regulator checked within days: overcharging boils the battery dry and damages electronics',
    CHARGING_CHECKED,
  ),
  high: assumed('Have the voltage regulator checked today: overcharging boils the battery dry and damages electronics', BY_THE_THRESHOLD),
  critical: published(
    'Drive straight to a workshop and have the voltage regulator checked: overcharging boils the battery dry and damages electronics',
    OUTSIDE_OF_CHARGE,
  ),
}

export const overchargeAdviceWithoutEngine: BandAdvice = {
  low: assumed('Have the DC/DC converter checked with the next service: overcharging dries the battery out', BY_THE_THRESHOLD),
  medium: assumed('Have the DC/DC converter checked within days: overcharging ruins the battery and damages electronics', BY_THE_THRESHOLD),
  high: assumed('Have the DC/DC converter checked today: overcharging ruins the battery and damages electronics', BY_THE_THRESHOLD),
  critical: assumed(
    'Drive straight to a workshop and have the DC/DC converter checked: overcharging ruins the battery and damages electronics',
    AS_WITH_AN_ENGINE,
  ),
}

export const batteryAdvice: BandAdvice = {
  info: assumed('Keep an eye on the battery voltage: a longer trip charges the battery', STILL_STARTS),
  low: published('Charge the battery, and have it tested with the next service', CHARGE_AT_REST),
  medium: published(
    'Charge the battery before the next trip, have it tested within days, and look for a consumer that stays on',
    CHARGE_AT_REST,
  ),
  high: published(
    'Charge the battery at once, for it is ruined if it is left flat; then have it tested, and look for a consumer that stays on',
    CHARGE_AT_REST,
  ),
}

export const oilPressureAdvice: BandAdvice = {
  medium: assumed('Check the oil level before the next trip, and have the oil pressure measured within days', WARNING_OF_OIL),
  high: assumed('Check the oil level at once and top it up; then drive gently and straight to a workshop', WARNING_OF_OIL),
  critical: published(
    'Stop as soon as it is safe, switch the engine off and check the oil level; running on ruins the bearings',
    STOP_OF_OIL,
  ),
}

export const oilHeatAdvice: BandAdvice = {
  info: assumed('Keep an eye on the oil temperature: less load lets it fall', BY_THE_THRESHOLD),
  medium: assumed(
    'Check the oil level before the next trip, and have the oil cooler checked within days; until then less load',
    BY_THE_THRESHOLD,
  ),
  high: assumed('Take load off at once, and have oil level and oil cooler checked today', BY_THE_THRESHOLD),
  critical: published(
    'Stop when safe, let the engine idle for a few minutes, switch it off, then check oil level and oil cooler',
    STOP_OF_HOT_OIL,
  ),
}

export const fuelHeatAdvice: BandAdvice = {
  info: assumed('Keep an eye on the fuel temperature: a full tank and less load let it fall', FUEL_COOLS),
  low: assumed(
    'Fill the tank, and have fuel cooler, return line and filter checked with the next service: hot fuel lubricates the injection pump badly and costs power',
    FUEL_COOLS,
  ),
  medium: assumed(
    'Take load off, fill the tank, and have fuel cooler, return line and filter checked within days: hot fuel lubricates the injection pump badly and costs power',
    FUEL_COOLS,
  ),
}

export const fuelLevelAdvice: BandAdvice = {
  info: assumed('Drive on, and refuel on the way', ENOUGH_FUEL),
}
