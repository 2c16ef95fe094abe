// Goal: nobody reads "stop at once" beside an act that has days, or an act to stop beside work for the next service. Method: every rule of the
// bands with each of its severities, every fault code and every lamp go through a prediction, and how soon each text wants it done is held against
// the act, in the advice and in the incident.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Severity } from '@roadworthy/signals/severity'
import { type BandRule, bandRules } from '../detection/band-rules.ts'
import { j1939Parameters, j2012Codes } from '../detection/fault-codes/dictionary.ts'
import { failureModes } from '../detection/fault-codes/failure-modes.ts'
import type { PredictionInput } from '../inputs/observation.ts'
import { predict } from '../predict.ts'
import { origins } from '../provenance.ts'
import { repeat, sequence, stateless } from '../testing/inputs.ts'
import { type Act, actOf, acts } from './advice.ts'

/** How soon a text wants it done, by its words. */
const paces: Readonly<Record<Act, RegExp>> = {
  stop: /(^|\. )Stop\b/,
  now: /(?<!fail )\bat once\b|\btoday\b|\bstraight to a workshop\b/,
  plan: /\bwithin days\b|\bbefore the next trip\b|\bbefore driving on\b/,
  next_service: /\bnext service\b/,
  run_on: /^Keep an eye on|(^|\. )Drive on, and refuel|\bno effect on driving\b/,
}
/** The soonest that is said; undefined of a text that leaves it to the act. */
const paceOf = (text: string) => acts.find((act) => paces[act].test(text))
/** What is said of another component first is that one's act. */
const ofItself = (text: string) => text.replace(/^See to the [a-z -]+? first(; what follows holds after that)?(\. |, then )/, '')
const isAfterwards = (text: string) => /^See to the [a-z -]+? first; what follows holds after that\. /.test(text)

const textsOf = ({ advice, withoutEngine }: BandRule) => [advice, ...(withoutEngine === undefined ? [] : [withoutEngine.advice])]

test('every rule has a text for each of its severities and for no other, from a source in words', () => {
  for (const rule of bandRules) {
    for (const advice of textsOf(rule)) {
      assert.deepEqual(Object.keys(advice), rule.severities, rule.type)
      for (const { origin, source } of Object.values(advice)) {
        assert.ok(origins.includes(origin), rule.type)
        assert.match(source, /^.{9,}\.$/, rule.type)
      }
    }
  }
})

test('every text of every rule, severity by severity, is as soon as the act that is advised with it', () => {
  const pairs = bandRules.flatMap((rule) =>
    textsOf(rule).flatMap((advice) =>
      rule.severities.map((severity: Severity) => {
        const { component, type, isNoticeOnly } = rule
        const act = actOf(component, { severity, type, score: isNoticeOnly ? 100 : 0 })
        return { of: `${type} ${severity}`, act, pace: paceOf(advice[severity]?.text ?? ''), text: advice[severity]?.text }
      }),
    ),
  )
  assert.ok(pairs.length > 40, `${pairs.length} pairs`)
  assert.deepEqual(
    pairs.filter(({ act, pace }) => pace !== act),
    [],
  )
})

const warm = { engineSpeedRpm: 1500, vehicleSpeedKmh: 50, coolantTempC: 88, batteryVoltageV: 13.8, odometerKm: 90_000 }
const lampNames = ['redStopLamp', 'amberWarningLamp', 'protectLamp', 'milLamp'] as const

function* inputs(): Generator<PredictionInput> {
  for (const fuelType of ['diesel', 'electric'] as const) {
    const vehicle = { fuelType }
    for (let coolantTempC = 20; coolantTempC <= 130; coolantTempC++) {
      yield stateless({ ...warm, coolantTempC }, { vehicle })
      yield sequence(30_000, [...repeat(2, warm), ...repeat(20, { ...warm, coolantTempC })], { vehicle })
    }
    for (let batteryVoltageV = 8; batteryVoltageV < 18; batteryVoltageV += 0.1) {
      yield stateless({ ...warm, batteryVoltageV }, { vehicle })
      yield stateless({ ...warm, engineSpeedRpm: 0, vehicleSpeedKmh: 0, batteryVoltageV }, { vehicle })
      yield stateless({ ...warm, batteryVoltageV, coolantTempC: 113 }, { vehicle, dtcCodes: ['P0562', 'P0A7D'] })
    }
    for (let oilPressureKpa = 0; oilPressureKpa < 200; oilPressureKpa += 2) yield stateless({ ...warm, oilPressureKpa }, { vehicle })
    for (let tempC = 60; tempC <= 150; tempC++) yield stateless({ ...warm, engineOilTempC: tempC, fuelTempC: tempC }, { vehicle })
    for (const fuelLevelPct of [3, 9]) yield stateless({ ...warm, fuelLevelPct }, { vehicle })
    for (const name of lampNames) {
      yield stateless(warm, { lamps: { [name]: true }, vehicle })
      yield stateless({ ...warm, coolantTempC: 106 }, { lamps: { [name]: true }, dtcCodes: ['P0420'], vehicle })
    }
  }
  for (const code of ['P0301', 'P0420', 'P3999', 'P0128'])
    for (const worse of ['P0217', 'P0524']) yield stateless(warm, { dtcCodes: [code, worse] })
  for (const code of j2012Codes.keys()) yield stateless(warm, { dtcCodes: [code] })
  for (const spn of j1939Parameters.keys())
    for (const fmi of failureModes.keys()) yield stateless(warm, { dtcCodes: [`SPN ${spn} FMI ${fmi}`] })
}

test('no prediction has a text that is sooner or later than its act', () => {
  const wrong = new Set<string>()
  const seen = new Set<string>()
  for (const input of inputs()) {
    const { advice, incidents } = predict(input)
    for (const [component, { act, what }] of Object.entries(advice)) {
      const own = ofItself(what)
      const pace = paceOf(own)
      seen.add(`${act} ${pace}`)
      const isWrong = own === what ? pace !== undefined && pace !== act : pace !== undefined && acts.indexOf(pace) < acts.indexOf(act)
      if (pace !== undefined && acts.indexOf(pace) > acts.indexOf(act) && !isAfterwards(what))
        wrong.add(`${component}: ${act} beside "${what}"`)
      if (isWrong) wrong.add(`${component}: ${act} beside "${what}"`)
      if (act === 'stop' && own === what && pace !== 'stop') wrong.add(`${component}: ${act} beside "${what}"`)
    }
    for (const { component, recommendation, title } of incidents) {
      const { act, what = '' } = advice[component] ?? {}
      if (incidents.filter((other) => other.component === component).length === 1 && !what.endsWith(recommendation))
        wrong.add(`${title}: the incident says "${recommendation}", the advice ${act} "${what}"`)
    }
  }
  assert.deepEqual([...wrong].slice(0, 40), [], `${wrong.size} texts`)
  for (const act of acts) assert.ok(seen.has(`${act} ${act}`), `${act} is never said`)
})
