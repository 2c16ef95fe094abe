// What sensors may read, as a table: thresholds with their sources, how long they must be passed, and in which regime of the engine. A learned
// model of the normal value would be one more kind of rule beside this table.
import { type SignalName, signals } from '@roadworthy/signals/registry'
import type { Severity } from '@roadworthy/signals/severity'
import {
  type BandAdvice,
  batteryAdvice,
  coolantAdvice,
  coolantAdviceWithoutEngine,
  fuelHeatAdvice,
  fuelLevelAdvice,
  oilHeatAdvice,
  oilPressureAdvice,
  overchargeAdvice,
  overchargeAdviceWithoutEngine,
  thermostatAdvice,
  underchargeAdvice,
  underchargeAdviceWithoutEngine,
} from '../advice/band-advice.ts'
import type { Component } from '../components.ts'
import type { Finding } from '../finding.ts'
import type { Hold } from '../inputs/hold.ts'
import type { Sample } from '../inputs/sample.ts'
import type { Timeline } from '../inputs/timeline.ts'
import type { NumberRow, Origin } from '../provenance.ts'
import { hasEngine } from '../vehicle/vehicle-traits.ts'
import {
  heatSoakOffsetC,
  isChargeJudgeable,
  isFuelHeatJudgeable,
  isOilPressureJudgeable,
  isRestJudgeable,
  isThermostatJudgeable,
  leastOilPressureKpa,
  overchargeAllowanceV,
  per12V,
  restAllowanceV,
  stateOfChargePct,
  underchargeAllowanceV,
} from './band-regimes.ts'
import { CHARGES_WEAKLY_FROM_V } from './charge-control.ts'

export type Words = {
  readonly description: string
  /** Stands in the message, after the reading: "while …". */
  readonly regime: string
  /** For each severity of the rule. */
  readonly advice: BandAdvice
}

type Citation = readonly [origin: Origin, source: string]

export type BandRule = Words & {
  readonly type: string
  readonly component: Component
  readonly signal: SignalName
  /** In the place of the others, where there is no engine. */
  readonly withoutEngine?: Words
  readonly hold: Hold
  /** Severity of each threshold, mildest first. */
  readonly severities: readonly Severity[]
  /** Of each threshold. */
  readonly sources: readonly Citation[]
  readonly holdSource: Citation
  /** Of the value judged, where that is not the signal's own. */
  readonly judgedUnit?: string
  /** Where the worst level can get no worse. */
  readonly worstAt: number
  /** A rule that only informs and takes nothing off health. */
  readonly isNoticeOnly?: true
  readonly applies: (sample: Sample, timeline: Timeline) => boolean
  /** Value judged = reading / divisor + offset, so that one threshold serves 12 V and 24 V, idle and load. */
  readonly divisor?: (sample: Sample, timeline: Timeline) => number
  readonly offset?: (sample: Sample, timeline: Timeline) => number
  /** What the value judged means beside being beyond a threshold, for the evidence. */
  readonly meaning?: (judged: number) => Finding['evidence']
}

const OF_12_V = 'V of a 12 V system'

export const bandRules: readonly BandRule[] = [
  {
    type: 'coolant_overheat',
    component: 'cooling',
    signal: 'coolantTempC',
    description: 'Engine overheating',
    regime: '',
    advice: coolantAdvice,
    withoutEngine: {
      description: 'Coolant too hot',
      regime: '',
      advice: coolantAdviceWithoutEngine,
    },
    hold: { direction: 'above', thresholds: [102, 105, 107, 111, 114], holdMs: 10_000, release: 3 },
    severities: ['info', 'low', 'medium', 'high', 'critical'],
    sources: [
      ['literature', 'Freightliner Cascadia manual, p. 3.21: at most 101 °C with engines of Detroit; Peterbilt Y53-6033: at most 99 °C.'],
      ['data', 'Toyota Etios and Seat Leon: neither was above 103 °C.'],
      ['literature', 'Freightliner Cascadia manual, p. 3.21: at most 107 °C with engines of Cummins; Perkins 1200F warns at 109 °C.'],
      ['literature', 'Perkins 1200F, application and installation manual, p. 187: derates at 111 to 113 °C.'],
      ['literature', 'Perkins 1200F, application and installation manual, p. 187: shuts down at 114 °C.'],
    ],
    holdSource: [
      'benchmark',
      'Coolant that climbs to 118 °C by 15 or 40 °C a minute is found within 120 s of when it shows, and no sound trip is alerted.',
    ],
    worstAt: 130,
    applies: () => true,
    offset: heatSoakOffsetC,
  },
  {
    type: 'thermostat_stuck_open',
    component: 'cooling',
    signal: 'coolantTempC',
    description: 'Engine does not stay warm',
    regime: 'on the move with a warmed-up engine',
    advice: thermostatAdvice,
    hold: { direction: 'below', thresholds: [70], holdMs: 45_000, release: 4 },
    severities: ['low'],
    sources: [['assumption', 'A sound diesel in winter town traffic tops out below 74 °C; thermostats open at 76 °C and above.']],
    holdSource: [
      'benchmark',
      'No sound trip is alerted. Of thermostats that open to 55 and 60 °C it finds 13 and 4 % within 120 s of when it shows; before that coolant_falling informs.',
    ],
    worstAt: 30,
    applies: isThermostatJudgeable,
  },
  {
    // A regulated alternator that rests is as good as one that charges.
    type: 'undercharge',
    component: 'charging',
    signal: 'batteryVoltageV',
    description: 'Battery is not being charged',
    regime: 'with the engine running',
    advice: underchargeAdvice,
    withoutEngine: {
      description: 'Low-voltage battery is not being charged',
      regime: 'on the move',
      advice: underchargeAdviceWithoutEngine,
    },
    hold: { direction: 'below', thresholds: [CHARGES_WEAKLY_FROM_V, 12.8, 12.2, 11.5], holdMs: 20_000, release: 0.2 },
    severities: ['low', 'medium', 'high', 'critical'],
    sources: [
      ['data', 'Toyota Etios: with the engine on the 1st percentile is 13.07 V. 12 V systems charge at 13.2 to 14.4 V.'],
      ['assumption', 'A rested full battery has 12.65 V, so below this nothing is being charged.'],
      ['assumption', 'A battery that is half drained.'],
      ['assumption', 'A battery that is wholly drained.'],
    ],
    holdSource: ['data', 'Toyota Etios: after each start up to 34 readings, 17 s, are below 13.0 V.'],
    judgedUnit: OF_12_V,
    worstAt: 9,
    applies: isChargeJudgeable,
    divisor: per12V,
    offset: underchargeAllowanceV,
  },
  {
    type: 'overcharge',
    component: 'charging',
    signal: 'batteryVoltageV',
    description: 'Battery is being overcharged',
    regime: 'with the engine running',
    advice: overchargeAdvice,
    withoutEngine: {
      description: 'Low-voltage battery is being overcharged',
      regime: '',
      advice: overchargeAdviceWithoutEngine,
    },
    hold: { direction: 'above', thresholds: [14.8, 15, 15.5, 16], holdMs: 20_000, release: 0.15 },
    severities: ['low', 'medium', 'high', 'critical'],
    sources: [
      ['assumption', 'Above the 14.4 V at which gassing starts and which is the most that the Toyota Etios held for 20 s in 15 h.'],
      ['assumption', 'Above what any regulator is set to in mild air.'],
      ['assumption', 'Half a volt more boils the battery dry sooner.'],
      ['assumption', 'Half a volt more boils the battery dry sooner, and control units are at the end of what they bear.'],
    ],
    holdSource: ['data', 'Toyota Etios: in 15 h it held no more than 14.4 V for 20 s.'],
    judgedUnit: OF_12_V,
    worstAt: 18,
    applies: (sample) => sample.engine === 'running' || sample.engine === 'unknown',
    divisor: per12V,
    offset: overchargeAllowanceV,
  },
  {
    type: 'battery_discharged',
    component: 'battery',
    signal: 'batteryVoltageV',
    description: 'Battery is discharged',
    regime: 'with the engine off',
    advice: batteryAdvice,
    withoutEngine: {
      description: 'Battery is discharged',
      regime: 'at rest',
      advice: batteryAdvice,
    },
    hold: { direction: 'below', thresholds: [12.24, 12.06, 11.8, 11.4], holdMs: 600_000, release: 0.15 },
    severities: ['info', 'low', 'medium', 'high'],
    sources: [
      ['literature', 'Tables of lead-acid batteries at rest (realexposer, and a second that agrees): 12.24 V are 50 % of charge.'],
      ['literature', 'Tables of lead-acid batteries at rest (realexposer, and a second that agrees): 12.06 V are 25 % of charge.'],
      ['assumption', 'Below the 11.89 V of an empty battery.'],
      ['assumption', 'Far below the 11.89 V of an empty battery, which harms it.'],
    ],
    holdSource: ['assumption', 'Longer than a vehicle is awake before a start.'],
    judgedUnit: OF_12_V,
    worstAt: 9,
    applies: isRestJudgeable,
    divisor: per12V,
    offset: restAllowanceV,
    meaning: (restV) => ({ stateOfChargePct: stateOfChargePct(restV) }),
  },
  {
    type: 'oil_pressure_low',
    component: 'lubrication',
    signal: 'oilPressureKpa',
    description: 'Oil pressure too low',
    regime: 'at this engine speed',
    advice: oilPressureAdvice,
    hold: { direction: 'below', thresholds: [0.75, 0.6, 0.5], holdMs: 10_000, release: 0.05 },
    severities: ['medium', 'high', 'critical'],
    sources: [
      ['assumption', 'Half way to where an engine is stopped.'],
      ['assumption', 'Shortly before an engine is stopped.'],
      ['literature', 'Doosan G33P manual: stops at 28 kPa, which is half of what 8 psi at idle asks for.'],
    ],
    holdSource: ['assumption', 'Bearings last for seconds; no recording of oil pressure is at hand.'],
    judgedUnit: 'share of the least pressure at this engine speed',
    worstAt: 0,
    applies: isOilPressureJudgeable,
    divisor: leastOilPressureKpa,
  },
  {
    type: 'oil_overheat',
    component: 'lubrication',
    signal: 'engineOilTempC',
    description: 'Engine oil too hot',
    regime: '',
    advice: oilHeatAdvice,
    hold: { direction: 'above', thresholds: [120, 125, 130, 135], holdMs: 20_000, release: 4 },
    severities: ['info', 'medium', 'high', 'critical'],
    sources: [
      ['assumption', 'Above the 90 to 115 °C that are usual.'],
      ['assumption', 'Where makers of engines warn as a rule.'],
      ['assumption', 'Half way to where oil no longer protects.'],
      ['assumption', 'Where mineral oil no longer protects.'],
    ],
    holdSource: ['assumption', 'Oil is slow; no recording of its temperature is at hand.'],
    worstAt: 150,
    applies: () => true,
  },
  {
    // Limits of diesel; petrol, gas and hydrogen have others. Which of supply and return SPN 174 reads differs by engine, so the limits are those
    // of the return.
    type: 'fuel_overheat',
    component: 'fuel',
    signal: 'fuelTempC',
    description: 'Fuel too hot',
    regime: 'with the engine running',
    advice: fuelHeatAdvice,
    hold: { direction: 'above', thresholds: [80, 90, 100], holdMs: 60_000, release: 4 },
    severities: ['info', 'low', 'medium'],
    sources: [
      [
        'assumption',
        'Hotter than any supply may be: Caterpillar allows 66 °C to unit injectors, and each further 6 °C costs 1 % of power; generator sets switch off at 60 to 66 °C.',
      ],
      ['literature', 'Bosch common rail measures in the return, where 90 °C is critical: pressure and quantity are limited.'],
      [
        'assumption',
        'As hot as Audi warns of in lines of an engine that has just been switched off. No graver than the fault codes of the same (P0168, SPN 174 FMI 0).',
      ],
    ],
    holdSource: ['assumption', 'Fuel is slow; no recording of its temperature is at hand.'],
    worstAt: 120,
    applies: isFuelHeatJudgeable,
  },
  {
    type: 'fuel_low',
    component: 'fuel',
    signal: 'fuelLevelPct',
    description: 'Fuel is low',
    regime: '',
    advice: fuelLevelAdvice,
    hold: { direction: 'below', thresholds: [10], holdMs: 20_000, release: 5 },
    severities: ['info'],
    sources: [['assumption', 'A notice only: enough to reach a filling station.']],
    holdSource: ['assumption', 'Longer than a tank sloshes away after a bend.'],
    worstAt: 0,
    isNoticeOnly: true,
    applies: () => true,
  },
]

const MARGINS = 'Hysteresis, so that a reading that wavers about a threshold is one finding; and where condition is taken to get no worse.'

export const bandNumbers: readonly NumberRow[] = bandRules.flatMap(
  ({ type, signal, hold: { thresholds, holdMs, release }, severities, sources, holdSource, judgedUnit, worstAt }): NumberRow[] => {
    const unit = judgedUnit ?? signals[signal].unit
    const stated = (name: string, value: number, of: string, [origin, source]: Citation): NumberRow => ({
      ...{ name: `band-rules.${type}.${name}`, value, unit: of },
      ...{ origin, source },
    })
    return [
      ...thresholds.map((threshold, at) => stated(severities[at] ?? 'info', threshold, unit, sources[at] as Citation)),
      stated('holdMs', holdMs, 'ms', holdSource),
      stated('release', release, unit, ['assumption', MARGINS]),
      stated('worstAt', worstAt, unit, ['assumption', MARGINS]),
    ]
  },
)

export function wordsOf(rule: BandRule, { traits }: Timeline): Words {
  return rule.withoutEngine === undefined || hasEngine(traits) ? rule : rule.withoutEngine
}
