// Goal: what raises confidence is what the answer rests on. Each signal that counts has two inputs that differ in it alone and are answered
// differently; one that is given a weight and feeds nothing fails here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SignalName, type SignalValues, signalNames, signals } from '@roadworthy/signals/registry'
import { raisesConfidence } from './confidence.ts'
import type { PredictionInput } from './inputs/observation.ts'
import { predict } from './predict.ts'
import { repeat, sequence, stateless } from './testing/inputs.ts'

const driving: SignalValues = { engineSpeedRpm: 1500, coolantTempC: 88, batteryVoltageV: 13.8, vehicleSpeedKmh: 50 }
const cooled: SignalValues = { ...driving, coolantTempC: 62, ambientTempC: 15, engineRunTimeS: 1800 }
const sticking: SignalValues = { ...driving, coolantTempC: 50, intakeAirTempC: 15 }
const inFifth: SignalValues = { ...driving, currentGear: 5, engineSpeedRpm: 2400, vehicleSpeedKmh: 80, throttlePct: 30 }
const slipping = [...repeat(30, inFifth), ...repeat(10, { ...inFifth, engineSpeedRpm: 2800 })]

type Pair = readonly [PredictionInput, PredictionInput]
const twice = (given: SignalValues, name: SignalName, one: number, other: number): Pair => [
  stateless({ ...given, [name]: one }),
  stateless({ ...given, [name]: other }),
]

const pairs: Partial<Record<SignalName, Pair>> = {
  engineSpeedRpm: twice({ ...driving, oilPressureKpa: 60 }, 'engineSpeedRpm', 700, 2200),
  coolantTempC: twice(driving, 'coolantTempC', 88, 108),
  batteryVoltageV: twice(driving, 'batteryVoltageV', 13.8, 12.4),
  fuelLevelPct: twice(driving, 'fuelLevelPct', 60, 6),
  vehicleSpeedKmh: twice(cooled, 'vehicleSpeedKmh', 50, 0),
  odometerKm: twice(driving, 'odometerKm', 40_000, 200_000),
  oilPressureKpa: twice(driving, 'oilPressureKpa', 300, 50),
  engineOilTempC: twice(driving, 'engineOilTempC', 95, 128),
  ambientTempC: twice(cooled, 'ambientTempC', 15, -10),
  engineRunTimeS: twice({ ...driving, batteryVoltageV: 12.4 }, 'engineRunTimeS', 3, 600),
  fuelTempC: twice(driving, 'fuelTempC', 60, 95),
  throttlePct: [
    sequence(1000, slipping),
    sequence(1000, [...slipping.slice(0, 30), ...slipping.slice(30).map((step) => ({ ...step, throttlePct: 15 }))]),
  ],
  intakeAirTempC: [sequence(1000, repeat(110, sticking)), sequence(1000, repeat(110, { ...sticking, intakeAirTempC: 0 }))],
  currentGear: [
    sequence(1000, slipping),
    sequence(
      1000,
      slipping.map((step) => ({ ...step, currentGear: 2 })),
    ),
  ],
}

/** Everything of the input, in all its readings, but this signal. */
function without(name: SignalName, input: PredictionInput): PredictionInput {
  const strip = <Report extends { readonly signals: SignalValues }>(report: Report): Report => ({
    ...report,
    signals: { ...report.signals, [name]: undefined },
  })
  return { ...strip(input), history: input.history?.map(strip) }
}

/** What is found and predicted. */
function answerTo(input: PredictionInput) {
  const { alerts, healthScore, remainingUsefulLife, doubts } = predict(input)
  assert.deepEqual(doubts, [], 'both are values that are believed')
  return { alerts, healthScore, remainingUsefulLife }
}

test('every signal that raises confidence changes what is found or predicted', () => {
  for (const name of signalNames.filter(raisesConfidence)) {
    const pair = pairs[name]
    assert.ok(pair !== undefined, `${name} counts: show two inputs that differ in it alone and are answered differently`)
    const [one, other] = pair
    assert.deepEqual(without(name, one), without(name, other), `${name} is all that differs`)
    assert.notDeepEqual(answerTo(one), answerTo(other), name)
  }
})

test('a signal that does not raise confidence changes nothing', () => {
  const uncounted = signalNames.filter((name) => !raisesConfidence(name))
  assert.deepEqual(uncounted, ['fuelConsumptionLPer100Km'])
  for (const name of uncounted) {
    for (const value of [signals[name].min, signals[name].max]) {
      for (const [input] of Object.values(pairs)) {
        const give = <Report extends { readonly signals: SignalValues }>(report: Report): Report => ({
          ...report,
          signals: { ...report.signals, [name]: value },
        })
        assert.deepEqual(predict({ ...give(input), history: input.history?.map(give) }), predict(input), name)
      }
    }
  }
})
