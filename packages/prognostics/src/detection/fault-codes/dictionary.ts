// What fault codes mean. Built once, looked up by key: a prediction never searches.
import type { Component } from '../../components.ts'
import { isComponent } from '../../components.ts'
import { statedIn } from '../../provenance.ts'
import { aftertreatmentCodes } from './aftertreatment.ts'
import { bodyCodes } from './body.ts'
import { chassisCodes } from './chassis.ts'
import { type CodeMeaning, readCodeTable, rowsOf, spellOut } from './code-table.ts'
import { type DrivingOn, drivingClasses, graverOf, isDrivingOn, stepBy } from './driving-on.ts'
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

/** On the side of normal that harms nothing: so many classes milder, and this much graver than a circuit fault at least. */
const HARMLESS_SIDE = { milderWhenSevere: 2, milderElse: 1, graverThanCircuit: 1 } as const

const countOfClass = (driving: DrivingOn) => [...j2012Codes.values()].filter((meaning) => meaning.driving === driving).length

export const dictionaryNumbers = statedIn('dictionary', [
  [
    { j2012Codes: Object.fromEntries(Object.keys(drivingClasses).map((driving) => [driving, countOfClass(driving as DrivingOn)])) },
    'codes',
    'assumption',
    'Codes of each class of driving on. What a number stands for: SAE J2012 as in the public lists that head each table of codes. Which class it belongs to is a judgement by the reasons of the classes; no workshop has reviewed it.',
  ],
  [
    { j1939Parameters: j1939Parameters.size },
    'parameters',
    'assumption',
    'What a number stands for: the enumerations of DanielMartensson/Open-SAE-J1939 (MIT). Which side of normal harms, and the class of each level, are judgements.',
  ],
  [
    { ofAnUnknownParameter: { levels: OF_AN_UNKNOWN_PARAMETER.levels, circuit: OF_AN_UNKNOWN_PARAMETER.circuit } },
    'class',
    'assumption',
    'The failure mode of SAE J1939-73 defines how severe it is, and not of what.',
  ],
  [{ HARMLESS_SIDE }, 'classes', 'assumption', 'Too cold or too full is a fault, but not the one that ruins the part.'],
])

/** What the failure mode of a parameter means for driving on; `undefined` stands for a parameter that is not known. */
export function drivingOnWith(fmi: number | undefined, parameter: SuspectParameter | undefined): DrivingOn {
  const { danger, levels, circuit } = parameter ?? OF_AN_UNKNOWN_PARAMETER
  const [severe, moderate, least] = levels
  const mode = fmi === undefined ? undefined : failureModes.get(fmi)
  if (mode === undefined || mode.level === 'fault') return moderate
  if (mode.level === 'circuit') return circuit
  if (mode.side === undefined) return danger === 'state' ? severe : moderate
  const isDanger = danger === 'both' || danger === 'state' || danger === mode.side
  if (mode.level === 'severe')
    return isDanger ? severe : graverOf(stepBy(severe, HARMLESS_SIDE.milderWhenSevere), stepBy(circuit, -HARMLESS_SIDE.graverThanCircuit))
  const driving = mode.level === 'moderate' ? moderate : least
  return isDanger ? driving : stepBy(driving, HARMLESS_SIDE.milderElse)
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
