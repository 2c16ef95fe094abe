// Goal: nothing that the service says reaches a person in English because no phrase knows it, and no phrase is kept that the service no longer says.
// Method: the engine is run over what vehicles may report, and everything it answers must be known to its last word; its other sentences, and those
// of the platform, are read in its sources.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { componentLabels } from '@roadworthy/prognostics/components'
import { bandRules } from '@roadworthy/prognostics/detection/band-rules'
import { j1939Parameters, j2012Codes } from '@roadworthy/prognostics/detection/fault-codes/dictionary'
import { failureModes } from '@roadworthy/prognostics/detection/fault-codes/failure-modes'
import type { Observation, PredictionInput } from '@roadworthy/prognostics/inputs/observation'
import { predict } from '@roadworthy/prognostics/predict'
import { type SignalName, type SignalValues, signals } from '@roadworthy/signals/registry'
import { fuelTypes, vehicleClasses } from '@roadworthy/signals/vehicle-description'
import { parseSync } from 'vite'
import { createCodeTitles } from './code-titles.ts'
import { formatsOf } from './formats.ts'
import { phrases, said } from './phrases.ts'
import { createRecogniser } from './recognise.ts'
import { listedWords } from './slots.ts'
import { codePartsOf } from './texts-of.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const NOW_MS = Date.UTC(2026, 5, 1, 12)

// Each phrase is shown as its number, with what it holds of other phrases and of fault codes; a title of SAE J2012 as nothing, for it has a test of
// its own. What is left besides is what no phrase knows.
const holds = (phrase: string) => phrase.match(/\{(rest|clause|fault|subject)\}/g) ?? []
const texts = new Map(phrases.map((phrase, at) => [phrase, `⟦${at}⟧${holds(phrase).join('')}`]))
const codeTitleOf = createCodeTitles(await codePartsOf('de'))
const recognise = createRecogniser(
  { language: 'en', units: 'metric', formats: formatsOf('en', 'UTC'), textOf: (text) => texts.get(text) ?? text },
  said,
  (text) => (codeTitleOf(text) === undefined ? undefined : ''),
)
const NUMBERED = /⟦(\d+)⟧/g

const used = new Set<number>()
/** What of the text is not known. */
function unknownIn(text: string): string {
  const shown = recognise(text)
  for (const [, at] of shown.matchAll(NUMBERED)) used.add(Number(at))
  return shown.replace(NUMBERED, '').replace(/[;.() ]/g, '')
}

const warm: SignalValues = { engineSpeedRpm: 1500, vehicleSpeedKmh: 50, coolantTempC: 88, batteryVoltageV: 13.8, odometerKm: 90_000 }
const idle: SignalValues = { ...warm, vehicleSpeedKmh: 0, engineSpeedRpm: 750 }
const standing: SignalValues = { engineSpeedRpm: 0, vehicleSpeedKmh: 0, coolantTempC: 40, batteryVoltageV: 12.6, fuelLevelPct: 60 }

function reported(values: SignalValues, more: Partial<PredictionInput> = {}): PredictionInput {
  return {
    ...{ recordedAtMs: NOW_MS, signals: values, lamps: {}, dtcCodes: undefined, history: undefined, ageDays: undefined },
    previousStatus: undefined,
    ...more,
  }
}

/** The last of the steps is judged. */
function course(everyMs: number, steps: readonly SignalValues[], more: Partial<PredictionInput> = {}): PredictionInput {
  const observations = steps.map(
    (values, at): Observation => ({ ...reported(values), recordedAtMs: NOW_MS - (steps.length - 1 - at) * everyMs }),
  )
  return reported(steps.at(-1) ?? {}, { history: observations.slice(0, -1), ...more })
}

const steps = (count: number, of: (at: number) => SignalValues) => Array.from({ length: count }, (_, at) => of(at))

/** Each signal through its range, beside an engine that drives, idles and stands, of each kind of vehicle. */
function* inputs(): Generator<PredictionInput> {
  const kinds = [{}, { fuelType: 'electric' }, { vehicleClass: 'heavy_truck', batteryNominalV: 24 }] as PredictionInput['vehicle'][]
  for (const vehicle of kinds) {
    for (const state of [warm, idle, standing, {}]) {
      for (const [name, { min, max }] of Object.entries(signals)) {
        for (let part = -1; part <= 21; part++) {
          const values = { ...state, [name as SignalName]: min + ((max - min) * part) / 20 }
          yield reported(values, { vehicle })
          if (part % 4 === 0) yield course(30_000, [state, ...steps(40, () => values)], { vehicle })
        }
      }
      for (let voltage = 8; voltage < 33; voltage += 0.1) yield reported({ ...state, batteryVoltageV: voltage }, { vehicle })
      for (let oilPressureKpa = 0; oilPressureKpa < 200; oilPressureKpa += 5) yield reported({ ...state, oilPressureKpa }, { vehicle })
    }
    for (const name of ['redStopLamp', 'amberWarningLamp', 'protectLamp', 'milLamp']) {
      yield reported(warm, { lamps: { [name]: true }, vehicle })
      const worn = { ...warm, coolantTempC: 120, batteryVoltageV: 11.9, odometerKm: 640_000 }
      yield reported(worn, { lamps: { [name]: true }, dtcCodes: ['P0301', 'P0302', 'P0524', 'P0217-64'], vehicle, ageDays: 5_500 })
      yield reported({ ...warm, coolantTempC: 103 }, { lamps: { [name]: true }, dtcCodes: ['P0420', 'P0301'], vehicle })
    }
    for (const odometerKm of [200_000, 400_000, 640_000, 900_000, 1_500_000])
      for (const ageDays of [undefined, 2_000, 5_500]) yield reported({ ...warm, odometerKm }, { ageDays, vehicle })
  }
  for (const code of j2012Codes.keys()) yield reported(warm, { dtcCodes: [code] })
  for (const [spn] of j1939Parameters) for (const fmi of failureModes.keys()) yield reported(warm, { dtcCodes: [`SPN ${spn} FMI ${fmi}`] })
  for (const codes of [['P1234'], ['C0800-71'], ['odd'], ['P0301', 'P0302', 'P0524'], ['U0100']]) yield reported(warm, { dtcCodes: codes })
  yield* described()
  yield* courses()
}

/** Of which a description, a VIN and codes say different things. */
function* described(): Generator<PredictionInput> {
  const vins = ['1FUJA6CK97L000000', '5YJ3E1EA7KF000000', 'YS4K4X20001800000']
  for (const vin of vins) {
    yield reported(warm, { vehicle: { vin } })
    for (const vehicleClass of vehicleClasses) yield reported(warm, { vehicle: { vehicleClass, vin } })
    for (const fuelType of fuelTypes) yield reported(warm, { vehicle: { fuelType, vin }, dtcCodes: ['P0301'] })
  }
  for (const code of ['SPN 110 FMI 0', 'P0A80', 'P0301']) yield reported(warm, { dtcCodes: [code], vehicle: {} })
  yield reported(warm, { vehicle: { batteryNominalV: 24 } })
  yield reported(warm, { vehicle: { fuelType: 'electric' }, dtcCodes: ['P0301'] })
}

/** What shows only over time. */
function* courses(): Generator<PredictionInput> {
  yield course(
    2_000,
    steps(100, (at) => ({ ...warm, coolantTempC: 90 - at * 0.2 })),
  )
  yield course(
    30_000,
    steps(100, (at) => ({ ...warm, coolantTempC: 30, ambientTempC: 20, vehicleSpeedKmh: 30 + (at % 30) })),
  )
  yield course(
    30_000,
    steps(100, (at) => ({ ...warm, coolantTempC: 88, vehicleSpeedKmh: (at * 13) % 90 })),
  )
  yield course(
    30_000,
    steps(100, () => ({ ...warm, coolantTempC: 60, ambientTempC: 20 })),
  )
  yield course(
    60_000,
    steps(100, () => ({ ...standing, batteryVoltageV: 11.5 })),
  )
  yield course(
    60_000,
    steps(100, (at) => ({ ...standing, fuelLevelPct: 80 - at * 0.5 })),
  )
  yield course(1_000, [...steps(20, () => standing), ...steps(12, () => ({ ...standing, engineSpeedRpm: 180, batteryVoltageV: 7 }))])
  yield course(1_000, [
    ...steps(20, () => standing),
    ...steps(12, () => ({ ...standing, engineSpeedRpm: 180, batteryVoltageV: 7 })),
    ...steps(5, () => idle),
  ])
  for (const slope of [-0.012, 0.012])
    yield course(
      30_000,
      steps(118, (at) => ({ ...warm, batteryVoltageV: 13.9 + at * slope + (at % 2) * 0.01 })),
    )
  yield course(
    5_000,
    steps(60, (at) => ({ ...warm, coolantTempC: 192 + (at % 3) })),
  )
  yield course(2_000, [warm, warm, { ...warm, coolantTempC: 130 }])
  yield course(2_000, [...steps(10, () => ({ ...warm, fuelLevelPct: 60 })), { ...warm, fuelLevelPct: 1 }])
  yield reported({ ...warm, coolantTempC: 5, ambientTempC: 30 })
  yield* comingBack()
}

/** Each from beyond its limit to where it is not over yet. */
function* comingBack(): Generator<PredictionInput> {
  const pairs: readonly (readonly [SignalValues, SignalValues])[] = [
    [{ coolantTempC: 115 }, { coolantTempC: 112 }],
    [{ batteryVoltageV: 15.1 }, { batteryVoltageV: 14.9 }],
    [{ batteryVoltageV: 11.4 }, { batteryVoltageV: 11.6 }],
    [{ fuelLevelPct: 9 }, { fuelLevelPct: 14 }],
  ]
  for (const [bad, better] of pairs) yield course(5_000, [...steps(25, () => ({ ...warm, ...bad })), { ...warm, ...better }])
}

test('whatever the engine says is known to its last word', () => {
  const unknown = new Set<string>()
  const seen = new Set<string>()
  for (const input of inputs()) {
    const { insights, recommendations, incidents, alerts, advice } = predict(input)
    const texts = [
      ...[...insights, ...recommendations, ...incidents.flatMap(({ title, recommendation }) => [title, recommendation])],
      ...alerts.flatMap(({ description, message }) => [description, message]),
      ...Object.values(advice).flatMap(({ what, why, risk }) => [what, why, risk]),
    ]
    for (const text of texts) {
      if (seen.has(text)) continue
      seen.add(text)
      if (unknownIn(text) !== '') unknown.add(`${text}  →  ${recognise(text)}`)
    }
  }
  assert.ok(seen.size > 10_000, `${seen.size} texts`)
  assert.equal(unknown.size, 0, [`${unknown.size} of ${seen.size} are not known:`, ...[...unknown].slice(0, 40)].join('\n'))
})

type Node = { type: string; [field: string]: unknown }

/** Sources that say something to people, and what in them is said to nobody. */
const PRODUCERS = [
  ...globSync(
    'packages/prognostics/src/{*,{advice,detection,inputs,lives,vehicle}/*,detection/fault-codes/*,learning/normal/learned-normal}.ts',
    { cwd: ROOT },
  ),
  ...[
    'alerts/raise-device-alerts',
    'alerts/change-alert',
    'incidents/incident',
    'incidents/describe-finding',
    'incidents/decide-incidents',
  ].map((name) => `services/platform/src/${name}.ts`),
  ...[
    'sims/anomalies/anomaly-message',
    'sims/anomalies/raise-anomaly-alerts',
    'maintenance/review-schedules',
    'predictions/maintenance-predictions',
  ].map((name) => `services/platform/src/${name}.ts`),
  ...['knowledge-models', 'model-set'].map((name) => `services/engine/src/models/${name}.ts`),
].filter((path) => !path.endsWith('.test.ts'))
const SAID_TO_NOBODY = new Set(['source', 'sources', 'holdSource', 'reason', 'origin', 'unit', 'judgedUnit'])

const wordsIn = (text: string) => text.replaceAll(/\{\w+\}/g, ' ').match(/(?!km\b|gap\b)\b\p{L}{2,}/gu) ?? []
const parsed = PRODUCERS.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** Strings that begin as sentences do, and hold three words. */
function sentencesOf(node: Node): string[] {
  if (isSaidToNobody(node)) return []
  const text =
    node.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node.type === 'TemplateLiteral'
        ? (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(' {gap} ')
        : ''
  const own = /^(\p{Lu}| *\{gap\})/u.test(text) && wordsIn(text).length >= 3 ? [text] : []
  const children = Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]))
  return [...own, ...children.flatMap((child) => (typeof (child as Node | null)?.type === 'string' ? sentencesOf(child as Node) : []))]
}

function isSaidToNobody(node: Node): boolean {
  const name = (field: unknown) => String((field as Node | undefined)?.name ?? '')
  if (node.type === 'Property') return SAID_TO_NOBODY.has(name(node.key))
  if (node.type === 'CallExpression') return name(node.callee) === 'statedIn'
  if (node.type === 'NewExpression') return ['Error', 'Problem'].includes(name(node.callee))
  return node.type === 'VariableDeclarator' && /^[A-Z_]+$/.test(name(node.id))
}

test('a sentence in the sources of the service has a phrase', () => {
  const known = phrases.map((phrase) => new Set(wordsIn(phrase)))
  const unknown = parsed.flatMap(({ path, text }) =>
    sentencesOf(parseSync(path, text).program as unknown as Node)
      .filter((sentence) => !known.some((words) => wordsIn(sentence).every((word) => words.has(word))))
      .map((sentence) => `${path}: ${sentence}`),
  )
  assert.equal(unknown.length, 0, ['no phrase says:', ...unknown].join('\n'))
})

test('no phrase is kept that nobody says', () => {
  const sources = parsed.map(({ text }) => new Set(wordsIn(text)))
  const isInSources = (phrase: string) => sources.some((words) => wordsIn(phrase).every((word) => words.has(word)))
  const stale = phrases.filter((phrase, at) => !used.has(at) && !isInSources(phrase))
  assert.equal(stale.length, 0, ['not said:', ...stale].join('\n'))
})

test('parts and situations are those of the engine', () => {
  assert.deepEqual([...listedWords.component].sort(), Object.values(componentLabels).sort())
  const regimes = bandRules.flatMap(({ regime, withoutEngine }) => [regime, withoutEngine?.regime ?? ''])
  assert.deepEqual([...listedWords.regime].sort(), [...new Set(regimes)].filter((each) => each !== '').sort())
})
