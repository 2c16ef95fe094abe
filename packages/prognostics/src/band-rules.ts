// What sensors may read, as a table: thresholds, how long they must be passed, and in which regime of the engine. Sources are named at
// each row; [J] marks a judgement of ours. A learned model of the normal value would be one more kind of rule beside this table.
import type { SignalName } from '@roadworthy/signals/registry'
import type { Severity } from '@roadworthy/signals/severity'
import { CHARGES_WEAKLY_FROM_V, RESTS_FROM_V } from './charge-control.ts'
import type { Component } from './components.ts'
import type { Finding } from './finding.ts'
import type { Hold } from './hold.ts'
import { isStrong } from './starting.ts'
import type { Sample, Timeline } from './timeline.ts'
import { hasEngine, restsWhileDriving } from './vehicle-traits.ts'

export type Words = {
  readonly description: string
  /** Said in the message, after the reading: "while …". */
  readonly regime: string
  readonly recommendation: string
}

export type BandRule = Words & {
  readonly type: string
  readonly component: Component
  readonly signal: SignalName
  /** In the place of the others, where there is no engine. */
  readonly withoutEngine?: Words
  readonly hold: Hold
  /** Severity of each threshold, mildest first. */
  readonly severities: readonly Severity[]
  /** Where the worst level can get no worse. */
  readonly worstAt: number
  /** A rule that only tells and takes nothing off health. */
  readonly isNoticeOnly?: true
  readonly applies: (sample: Sample, timeline: Timeline) => boolean
  /** Value judged = reading / divisor + offset, so that one threshold serves 12 V and 24 V, idle and load. */
  readonly divisor?: (sample: Sample, timeline: Timeline) => number
  readonly offset?: (sample: Sample, timeline: Timeline) => number
  /** What the value judged means beside being beyond a threshold, for the evidence. */
  readonly meaning?: (judged: number) => Finding['evidence']
}

/** With the engine off the coolant stands still and the head heats the sensor up: heat soak, 6 °C [J]. */
const HEAT_SOAK_C = 6

/** Charging is judged this long after the start. A real car needs up to 5 s to reach 13 V (reference recordings). */
const CHARGING_SETTLED_MS = 15_000
/** At idle an alternator under load may give a little less [J]. */
const IDLE_BELOW_RPM = 900
const IDLE_ALLOWANCE_V = 0.2
/** Ignition, lamps and control units draw 10 to 20 A: a sound battery then gives so much less than at rest [J]. */
const AWAKE_ALLOWANCE_V = 0.3
/** 0.2 mV per °C and cell of a lead-acid battery (Linden's Handbook of Batteries). */
const REST_V_PER_C = 6 * 0.0002
const RATED_AT_C = 25
/** A 12 V lead-acid battery at rest is full at 12.65 V; 12.45, 12.24, 12.06 and 11.89 V are 75, 50, 25 and 0 % of charge. */
const EMPTY_V = 11.89
const FULL_V = 12.65
const stateOfChargePct = (restV: number) => Math.round(100 * Math.min(1, Math.max(0, (restV - EMPTY_V) / (FULL_V - EMPTY_V))))
/** 24 V systems charge at 27.0-29.0 V and not at all below 26.5 V; overcharge from 29.5 V, for the range ends at 30 V. */
const TRUCK_UNDERCHARGE_OFFSET_V = -0.25
const TRUCK_OVERCHARGE_OFFSET_V = 0.25
/** A low-voltage battery of four lithium-ion cells is charged to 4 x 4.2 V, where one of lead-acid gasses above 14.4 V: 16.8 V is the first threshold. */
const LITHIUM_OVERCHARGE_OFFSET_V = -2
const per12V = (_: Sample, timeline: Timeline) => timeline.systemVoltage / 12

/** Rule of thumb for the least oil pressure: 10 psi per 1000 rpm, and 8 psi at idle. */
const OIL_KPA_PER_RPM = 69 / 1000
const OIL_KPA_AT_IDLE = 56
const OIL_KPA_ENOUGH = 300
const leastOilPressureKpa = ({ values }: Sample) =>
  Math.min(OIL_KPA_ENOUGH, Math.max(OIL_KPA_AT_IDLE, (values.engineSpeedRpm ?? 0) * OIL_KPA_PER_RPM))
const OIL_SETTLED_MS = 10_000

/** A sound diesel in winter town traffic can take 25 min to warm up and top out below 74 °C: judge only on the move, in mild air. */
const WARM_AFTER_MS = 25 * 60_000
const WARMED_UP_C = 80
const MILD_AMBIENT_C = 5
const ABOVE_IDLE_LOAD_KMH = 30

/** What stood in the lines of a hot engine after it was switched off has flowed back to the tank by then [J]. */
const FUEL_SETTLED_MS = 5 * 60_000

const isSettled = (sample: Sample, afterMs: number) => sample.engine === 'running' && (sample.runningMs ?? afterMs) >= afterMs

export const bandRules: readonly BandRule[] = [
  {
    // Perkins 1200F: 109 warns, 111-113 derates, 114 shuts down; truck makers' maxima 99-107 °C; red band 113-121 °C.
    // 105 °C: neither of two sound cars was above 103 °C [J].
    type: 'coolant_overheat',
    component: 'cooling',
    signal: 'coolantTempC',
    description: 'Engine overheating',
    regime: '',
    recommendation: 'Stop when safe, let the engine cool, then check coolant level, leaks, fan, thermostat and water pump',
    withoutEngine: {
      description: 'Coolant too hot',
      regime: '',
      recommendation: 'Stop when safe, let the drive cool, then check coolant level, leaks, fan and coolant pump',
    },
    hold: { direction: 'above', thresholds: [102, 105, 107, 111, 114], holdMs: 10_000, release: 3 },
    severities: ['info', 'low', 'medium', 'high', 'critical'],
    worstAt: 130,
    applies: () => true,
    offset: (sample) => (sample.engine === 'off' ? -HEAT_SOAK_C : 0),
  },
  {
    type: 'thermostat_stuck_open',
    component: 'cooling',
    signal: 'coolantTempC',
    description: 'Engine does not stay warm',
    regime: 'on the move with a warmed-up engine',
    recommendation: 'Check the thermostat: it seems to stay open, which costs fuel and wears the engine',
    hold: { direction: 'below', thresholds: [70], holdMs: 45_000, release: 4 },
    severities: ['low'],
    worstAt: 30,
    applies: isThermostatJudgeable,
  },
  {
    // 12 V systems charge at 13.2-14.4 V (13.07-14.28 V measured over a real car); < 13.0 V above 900 rpm is undercharge. A rested full
    // battery has 12.65 V, so below 12.8 V nothing is being charged [J]; 12.2 and 11.5 V are a battery half and wholly drained. A regulated
    // alternator that rests is as good as one that charges.
    type: 'undercharge',
    component: 'charging',
    signal: 'batteryVoltageV',
    description: 'Battery is not being charged',
    regime: 'with the engine running',
    recommendation: 'Check alternator, belt and charging cables before the battery runs flat',
    withoutEngine: {
      description: 'Low-voltage battery is not being charged',
      regime: 'on the move',
      recommendation: 'Check the DC/DC converter, its fuse and its cables before the battery runs flat',
    },
    hold: { direction: 'below', thresholds: [CHARGES_WEAKLY_FROM_V, 12.8, 12.2, 11.5], holdMs: 20_000, release: 0.2 },
    severities: ['low', 'medium', 'high', 'critical'],
    worstAt: 9,
    applies: (sample) => isSettled(sample, CHARGING_SETTLED_MS),
    divisor: per12V,
    offset: (sample, timeline) =>
      (mayRest(sample, timeline) ? CHARGES_WEAKLY_FROM_V - RESTS_FROM_V : 0) +
      ((sample.values.engineSpeedRpm ?? IDLE_BELOW_RPM) <= IDLE_BELOW_RPM ? IDLE_ALLOWANCE_V : 0) +
      (timeline.systemVoltage === 24 ? TRUCK_UNDERCHARGE_OFFSET_V : 0),
  },
  {
    // Gassing starts at 14.4 V, the most a sound car held for 20 s in 15 h; above 14.8-15 V is overcharge.
    type: 'overcharge',
    component: 'charging',
    signal: 'batteryVoltageV',
    description: 'Battery is being overcharged',
    regime: 'with the engine running',
    recommendation: 'Check the voltage regulator: overcharging boils the battery dry and damages electronics',
    withoutEngine: {
      description: 'Low-voltage battery is being overcharged',
      regime: '',
      recommendation: 'Check the DC/DC converter: overcharging ruins the battery and damages electronics',
    },
    hold: { direction: 'above', thresholds: [14.8, 15, 15.5, 16], holdMs: 20_000, release: 0.15 },
    severities: ['low', 'medium', 'high', 'critical'],
    worstAt: 18,
    applies: (sample) => sample.engine === 'running' || sample.engine === 'unknown',
    divisor: per12V,
    offset: (_, { systemVoltage, traits }) =>
      (systemVoltage === 24 ? TRUCK_OVERCHARGE_OFFSET_V : 0) + (hasEngine(traits) ? 0 : LITHIUM_OVERCHARGE_OFFSET_V),
  },
  {
    // Lead-acid at rest: 12.24, 12.06 and 11.89 V are 50, 25 and 0 % of charge. Held for longer than a vehicle is awake before a start. A
    // start that the battery held up in says more than what its voltage was before.
    type: 'battery_discharged',
    component: 'battery',
    signal: 'batteryVoltageV',
    description: 'Battery is discharged',
    regime: 'with the engine off',
    recommendation: 'Charge and test the battery, and look for a consumer that stays on',
    hold: { direction: 'below', thresholds: [12.24, 12.06, 11.8, 11.4], holdMs: 600_000, release: 0.15 },
    severities: ['info', 'low', 'medium', 'high'],
    worstAt: 9,
    applies: (sample, { lastStart }) =>
      (sample.engine === 'off' || sample.engine === 'unknown') &&
      (lastStart === undefined || sample.atMs > lastStart.atMs || !isStrong(lastStart)),
    divisor: per12V,
    offset: ({ isAtRest, values: { ambientTempC = RATED_AT_C } }) =>
      (isAtRest ? 0 : AWAKE_ALLOWANCE_V) + (RATED_AT_C - ambientTempC) * REST_V_PER_C,
    meaning: (restV) => ({ stateOfChargePct: stateOfChargePct(restV) }),
  },
  {
    // Doosan trips at 28 kPa, which is half of what 8 psi at idle asks for; 0.75 and 0.6 are [J].
    type: 'oil_pressure_low',
    component: 'lubrication',
    signal: 'oilPressureKpa',
    description: 'Oil pressure too low',
    regime: 'at this engine speed',
    recommendation: 'Stop the engine at once and check the oil level; running on ruins the bearings',
    hold: { direction: 'below', thresholds: [0.75, 0.6, 0.5], holdMs: 10_000, release: 0.05 },
    severities: ['medium', 'high', 'critical'],
    worstAt: 0,
    applies: (sample) => isSettled(sample, OIL_SETTLED_MS) && sample.values.engineSpeedRpm !== undefined,
    divisor: leastOilPressureKpa,
  },
  {
    // Normal 90-115, warn 125, critical 135 °C.
    type: 'oil_overheat',
    component: 'lubrication',
    signal: 'engineOilTempC',
    description: 'Engine oil too hot',
    regime: '',
    recommendation: 'Reduce load, then check oil level and oil cooler',
    hold: { direction: 'above', thresholds: [120, 125, 130, 135], holdMs: 20_000, release: 4 },
    severities: ['info', 'medium', 'high', 'critical'],
    worstAt: 150,
    applies: () => true,
  },
  {
    // Limits of diesel; petrol, gas and hydrogen have others. Caterpillar allows 66 °C to unit injectors, each further 6 °C costs 1 % of power; generator sets switch off at 60-66 °C of supply.
    // Bosch common rail measures in the return, where 90 °C is critical: pressure and quantity are limited. Which of the two SPN 174 reads differs
    // by engine, so both limits are the return's; 80 °C, hotter than any supply may be, and 100 °C, as hot as Audi warns of in lines of an engine
    // that has just been switched off, are [J]. No graver than the fault codes of the same (P0168, SPN 174 FMI 0).
    type: 'fuel_overheat',
    component: 'fuel',
    signal: 'fuelTempC',
    description: 'Fuel too hot',
    regime: 'with the engine running',
    recommendation:
      'Reduce load and fill the tank: hot fuel lubricates the injection pump badly and costs power; then check fuel cooler, return line and filter',
    hold: { direction: 'above', thresholds: [80, 90, 100], holdMs: 60_000, release: 4 },
    severities: ['info', 'low', 'medium'],
    worstAt: 120,
    applies: (sample, { traits }) =>
      hasEngine(traits) &&
      (traits.fuelType === undefined || traits.fuelType === 'diesel') &&
      (sample.engine === 'unknown' || isSettled(sample, FUEL_SETTLED_MS)),
  },
  {
    type: 'fuel_low',
    component: 'fuel',
    signal: 'fuelLevelPct',
    description: 'Fuel is low',
    regime: '',
    recommendation: 'Refuel soon',
    hold: { direction: 'below', thresholds: [10], holdMs: 20_000, release: 5 },
    severities: ['info'],
    worstAt: 0,
    isNoticeOnly: true,
    applies: () => true,
  },
]

export function wordsOf(rule: BandRule, { traits }: Timeline): Words {
  return rule.withoutEngine === undefined || hasEngine(traits) ? rule : rule.withoutEngine
}

/** A converter of high voltage rests as a regulated alternator does, and nothing tells when. Assumption. */
function mayRest(sample: Sample, { regulatedRests, traits }: Timeline): boolean {
  return regulatedRests.has(sample) || !hasEngine(traits)
}

function isThermostatJudgeable(sample: Sample, { traits }: Timeline): boolean {
  if (!hasEngine(traits)) return false
  const { ambientTempC, vehicleSpeedKmh } = sample.values
  if (sample.engine !== 'running' || (vehicleSpeedKmh ?? 0) < ABOVE_IDLE_LOAD_KMH) return false
  if (ambientTempC !== undefined && ambientTempC < MILD_AMBIENT_C) return false
  // The engine of a hybrid rests while it drives, and cools: it has to have run all along.
  const wasWarm = !restsWhileDriving(traits) && (sample.warmestCoolantC ?? 0) >= WARMED_UP_C
  return wasWarm || (ambientTempC !== undefined && (sample.runningMs ?? 0) >= WARM_AFTER_MS)
}
