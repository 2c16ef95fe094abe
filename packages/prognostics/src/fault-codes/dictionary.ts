// What fault codes mean. Built once, looked up by key: a prediction never searches.
import type { Component } from '../components.ts'
import { isComponent } from '../components.ts'
import { aftertreatmentCodes } from './aftertreatment.ts'
import { bodyCodes } from './body.ts'
import { chassisCodes } from './chassis.ts'
import { type CodeMeaning, readCodeTable, rowsOf, spellOut } from './code-table.ts'
import { type DrivingOn, graverOf, isDrivingOn, stepBy } from './driving-on.ts'
import { electricalCodes } from './electrical.ts'
import { emissionsCodes } from './emissions.ts'
import { engineCodes } from './engine.ts'
import { failureModes } from './failure-modes.ts'
import { fuelCodes } from './fuel.ts'
import { highVoltageCodes } from './high-voltage.ts'
import { intakeCodes } from './intake.ts'
import { suspectParameters } from './j1939.ts'
import { networkCodes } from './network.ts'
import { transmissionCodes } from './transmission.ts'

/** SAE J2012 codes of five characters. */
export const j2012Codes: ReadonlyMap<string, CodeMeaning> = (() => {
  const codes = new Map<string, CodeMeaning>()
  for (const table of [
    engineCodes,
    fuelCodes,
    intakeCodes,
    emissionsCodes,
    aftertreatmentCodes,
    transmissionCodes,
    electricalCodes,
    highVoltageCodes,
    chassisCodes,
    bodyCodes,
    networkCodes,
  ])
    readCodeTable(table, codes)
  return codes
})()

const dangers = ['above', 'below', 'both', 'state'] as const

type SuspectParameter = {
  readonly component: Component
  readonly danger: (typeof dangers)[number]
  readonly levels: readonly [severe: DrivingOn, moderate: DrivingOn, least: DrivingOn]
  readonly circuit: DrivingOn
  readonly title: string
  readonly effect: string | undefined
}

/** By SPN. */
export const j1939Parameters: ReadonlyMap<number, SuspectParameter> = new Map(
  rowsOf(suspectParameters).flatMap(([numbers = '', component = '', danger = '', classes = '', circuit = '', title = '', effect]) => {
    const [severe, moderate, least] = classes.split(' ').filter(isDrivingOn)
    const side = dangers.find((known) => known === danger)
    if (!isComponent(component) || side === undefined || !isDrivingOn(circuit) || !severe || !moderate || !least || title === '')
      throw new Error(`Not a row of suspect parameters: ${numbers} ${title}`)
    return spellOut(numbers).map((spn, at): [number, SuspectParameter] => [
      Number(spn),
      { component, danger: side, levels: [severe, moderate, least], circuit, title: title.replace('#', String(at + 1)), effect },
    ])
  }),
)

const OF_AN_UNKNOWN_PARAMETER = {
  danger: 'both',
  levels: ['workshop', 'soon', 'service'],
  circuit: 'service',
} as const satisfies Partial<SuspectParameter>

/** What the failure mode of a parameter means for driving on; `undefined` stands for a parameter that is not known. */
export function drivingOnWith(fmi: number | undefined, parameter: SuspectParameter | undefined): DrivingOn {
  const { danger, levels, circuit } = parameter ?? OF_AN_UNKNOWN_PARAMETER
  const [severe, moderate, least] = levels
  const mode = fmi === undefined ? undefined : failureModes.get(fmi)
  if (mode === undefined || mode.level === 'fault') return moderate
  if (mode.level === 'circuit') return circuit
  if (mode.side === undefined) return danger === 'state' ? severe : moderate
  const isDanger = danger === 'both' || danger === 'state' || danger === mode.side
  if (mode.level === 'severe') return isDanger ? severe : graverOf(stepBy(severe, 2), stepBy(circuit, -1))
  const driving = mode.level === 'moderate' ? moderate : least
  return isDanger ? driving : stepBy(driving, 1)
}

const NOT_WATCHED = 'Until it is repaired this is not watched'

/** What the driver notices or risks; of a reading with one harmful side it depends on the failure mode. */
export function effectWith(fmi: number | undefined, { danger, effect }: SuspectParameter): string | undefined {
  if (danger === 'both' || danger === 'state') return effect
  const mode = fmi === undefined ? undefined : failureModes.get(fmi)
  if (mode === undefined) return undefined
  if (mode.level === 'circuit') return NOT_WATCHED
  return mode.side === undefined || (mode.side === danger && mode.level !== 'least') ? effect : undefined
}
