// What stands in the gaps of a phrase: how it is recognised, and how the person reads it.

import { lamps, signals } from '@roadworthy/signals/registry'
import { partName, partWords } from './part-names.ts'
import { literally } from './pattern.ts'
import { type Around, decimalsOf, NUMBER, number, type Slot, verbatim } from './slot.ts'
import { shownUnit, shownValue } from './units.ts'

const unitsOfSignals = [...new Set(Object.values(signals).map(({ unit }) => unit))].sort((a, b) => b.length - a.length)

/** As the engine calls the parts in its sentences, situations of its rules, kinds of vehicles, what drives them, and lamps. */
export const listedWords = {
  component: [
    ...['engine', 'cooling system', 'lubrication', 'fuel system', 'transmission', 'brakes', 'battery', 'charging system'],
    ...['intake and boost', 'emission control', 'exhaust after-treatment', 'high-voltage drive', 'steering and suspension'],
    ...['body and restraints', 'vehicle network'],
  ],
  regime: [
    ...['on the move with a warmed-up engine', 'with the engine running', 'with the engine off', 'on the move', 'at this engine speed'],
    'at rest',
  ],
  kind: [
    ...['a passenger car', 'a van', 'a light truck', 'a medium truck', 'a heavy truck', 'a bus', 'a motorcycle', 'an off-highway machine'],
    'a trailer',
  ],
  drive: ['a combustion engine', 'a hybrid drive', 'an electric drive and no engine', 'no drive of its own'],
  fuel: ['petrol', 'diesel', 'cng', 'lng', 'lpg', 'hybrid', 'plug in hybrid', 'hydrogen', 'other', 'fuel'],
  lamp: Object.values(lamps).map(({ label }) => label),
  signal: Object.values(signals).map(({ label }) => label),
} as const

/** The parts by the words of their ids. */
const NAMED =
  'Engine|Cooling|Lubrication|Fuel|Transmission|Brakes|Battery|Charging|Intake|Emissions|Aftertreatment|High voltage|Chassis|Body|Network'

/** Of distances like these nobody reads a decimal. */
const PLAIN_FROM = 1_000

/** Titles of fault codes have brackets of their own, and never half of one. */
const BALANCED = '(?:[^()]|\\([^()]*\\))+'

const quantity: Slot = { pattern: `${NUMBER} (?:${unitsOfSignals.map(literally).join('|')})`, write: quantityText }
const bare: Slot = { pattern: NUMBER, write: (text, around) => quantityText(`${text} ${unitOf(around.texts)}`, around) }
const phrase: Slot = { pattern: '.+', write: (text, { translate }) => translate(text) }

/** By the name of the placeholder. */
export const slots: Readonly<Record<string, Slot>> = {
  ...{ value: quantity, limit: quantity, low: quantity, high: quantity, before: bare, from: bare },
  ...{ count: number, share: number, median: number, least: number, gear: number, said: number, reading: number },
  ...{ component: listed(listedWords.component), other: listed(listedWords.component), regime: listed(listedWords.regime) },
  ...{
    kind: listed(listedWords.kind),
    otherKind: listed(listedWords.kind),
    drive: listed(listedWords.drive),
    fuel: listed(listedWords.fuel),
  },
  ...{ lamp: listed(listedWords.lamp), signal: listed(listedWords.signal) },
  ...{
    code: verbatim('[^();]{1,40}?'),
    codes: verbatim('[^();]{1,250}'),
    id: verbatim('[^ ;]{1,40}'),
    fault: { ...phrase, pattern: BALANCED },
    subject: { ...phrase, pattern: '[^():]{1,100}' },
    maker: verbatim('[^()]+'),
  },
  ...{ name: verbatim('.+'), rest: phrase },
  /** As people call it, and without the addition to the title of an incident that stands after it. */
  work: verbatim('(?:(?! \\(comes and goes: ).)+'),
  duration: { pattern: `${NUMBER} (?:s|min|h)`, write: durationText },
  time: { pattern: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ', write: (text, { reader }) => reader.formats.shortTime(text) },
  day: { pattern: '\\d{4}-\\d\\d-\\d\\d', write: (text, { reader }) => reader.formats.calendarDay(text) },
  /** As the API calls it, but for the underscores. Inside of a sentence, and at the beginning of one. */
  part: { pattern: '[a-z ]{1,40}', write: (text, { reader }) => partWords(text.replaceAll(' ', '_'), reader.language, reader.textOf) },
  named: { pattern: NAMED, write: (text, { reader }) => partName(text.toLowerCase().replaceAll(' ', '_'), reader.textOf) },
  /** A phrase that goes on a sentence, so that it begins with a small letter; German begins it with a capital. */
  clause: { pattern: '.+', write: clauseText },
}

/** The unit of the values of a phrase, where they have one. */
function unitOf(texts: readonly string[]): string {
  return texts.map((text) => unitsOfSignals.find((unit) => text.endsWith(` ${unit}`))).find((unit) => unit !== undefined) ?? ''
}

function listed(words: readonly string[]): Slot {
  return {
    pattern: [...words]
      .sort((a, b) => b.length - a.length)
      .map(literally)
      .join('|'),
    write: (text, { reader }) => reader.textOf(text),
  }
}

/** With as many decimals as it came with: a reading beside its limit stays on its side of it. Where it is converted, one decimal keeps it there. */
function quantityText(text: string, { reader }: Around): string {
  const { units, formats } = reader
  const at = text.indexOf(' ')
  const [value, unit] = [text.slice(0, at), text.slice(at + 1)]
  const shown = shownValue(unit, Number(value), units)
  if (!Number.isFinite(shown)) return text
  const unitShown = shownUnit(unit, units)
  const decimals = unitShown === unit ? decimalsOf(value) : Math.abs(shown) < PLAIN_FROM ? 1 : 0
  return `${formats.decimalNumber(shown, decimals)} ${unitShown}`.trimEnd()
}

function durationText(text: string, { reader }: Around): string {
  const [count = '', unit = ''] = text.split(' ')
  return `${reader.formats.decimalNumber(Number(count), 0)} ${unit}`
}

function clauseText(text: string, { reader, translate }: Around): string {
  const sentence = translate(`${text.charAt(0).toUpperCase()}${text.slice(1)}`)
  return reader.language === 'de' ? sentence : `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}
