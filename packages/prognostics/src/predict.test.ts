// Properties every prediction has, whatever the vehicle reports. fast-check draws the inputs; seeds are printed on failure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthStatus } from '@roadworthy/signals/health-bands'
import { type LampName, lampNames, type SignalName, type SignalValues, signalNames, signals } from '@roadworthy/signals/registry'
import { fuelTypes, vehicleClasses } from '@roadworthy/signals/vehicle-description'
import { fc } from '../../../test/support/fast-check.ts'
import { raisesConfidence } from './confidence.ts'
import type { Observation, PredictionInput } from './inputs/observation.ts'
import { type Prediction, predict } from './predict.ts'
import { NOW_MS, stateless } from './testing/inputs.ts'

const signalArbitraries = Object.fromEntries(
  signalNames.map((name) => [name, fc.double({ min: signals[name].min, max: signals[name].max, noNaN: true })]),
) as Record<SignalName, fc.Arbitrary<number>>
const lampArbitraries = Object.fromEntries(lampNames.map((name) => [name, fc.boolean()])) as Record<LampName, fc.Arbitrary<boolean>>
const code = fc.oneof(
  fc.constantFrom('P0217', 'P0301', 'C0035', 'U0100', 'B1000', 'SPN 110 FMI 0', 'SPN 168 FMI 4', 'P0420', 'P0730'),
  fc.constantFrom('P20EE', 'P0299', 'P0AA6', 'C0051-13', 'P0530', 'P1A23', 'SPN 5246 FMI 0', 'SPN 100 FMI 3'),
  fc.string({ maxLength: 12 }),
)
const anySignals = fc.record(signalArbitraries, { requiredKeys: [] }) as fc.Arbitrary<SignalValues>
const observation: fc.Arbitrary<Omit<Observation, 'recordedAtMs'>> = fc.record({
  signals: anySignals,
  lamps: fc.record(lampArbitraries, { requiredKeys: [] }),
  dtcCodes: fc.option(fc.array(code, { maxLength: 6 }), { nil: undefined }),
})
const history = fc.option(
  fc.array(fc.tuple(observation, fc.integer({ min: 0, max: 400_000 })), { maxLength: 25 }).map((steps) => {
    let atMs = NOW_MS
    const newestFirst = steps.map(([reported, beforeMs]): Observation => {
      atMs -= beforeMs
      return { ...reported, recordedAtMs: atMs }
    })
    return newestFirst.reverse()
  }),
  { nil: undefined },
)
const anyInput: fc.Arbitrary<PredictionInput> = fc
  .record({
    reported: observation,
    history,
    ageDays: fc.option(fc.double({ min: 0, max: 20_000, noNaN: true }), { nil: undefined }),
    vehicle: fc.option(
      fc.record({ vehicleClass: fc.constantFrom(...vehicleClasses), fuelType: fc.constantFrom(...fuelTypes) }, { requiredKeys: [] }),
      { nil: undefined },
    ),
  })
  .map(({ reported, history: earlier, ageDays, vehicle }) => ({ ...stateless({}), ...reported, history: earlier, ageDays, vehicle }))

/** Lamps are held against what was found with them; one more finding may turn out to be what they were lit for, and clears the part before. */
function heldForLamps({ incidents }: Prediction): ReadonlySet<string> {
  const lit = incidents.filter(({ evidence }) => evidence.some(({ type }) => type.endsWith('_lamp')))
  // Cooling and lubrication take the engine along.
  return new Set(lit.flatMap(({ component }) => [component, 'engine']))
}

function assertNotBetter(worse: Prediction, better: Prediction, what: string): void {
  const cleared = heldForLamps(better)
  assert.ok(worse.healthScore <= better.healthScore, `${what}: health ${worse.healthScore} > ${better.healthScore}`)
  assert.ok(worse.maintenanceProbability >= better.maintenanceProbability, `${what}: probability`)
  for (const [component, days] of Object.entries(worse.remainingUsefulLife)) {
    if (cleared.has(component)) continue
    const before = better.remainingUsefulLife[component as keyof typeof better.remainingUsefulLife] ?? Number.POSITIVE_INFINITY
    assert.ok(days <= before, `${what}: ${component} lasts ${days} > ${before} days`)
  }
  for (const [component, score] of Object.entries(better.components)) {
    if (cleared.has(component)) continue
    const after = worse.components[component as keyof typeof worse.components]
    assert.ok(after !== undefined && after <= score, `${what}: ${component} ${after} > ${score}`)
  }
}

test('it works on nothing at all: finite answers, healthy, with the least confidence', () => {
  const nothing = predict(stateless({}))
  assert.equal(nothing.healthStatus, 'healthy')
  assert.equal(nothing.riskLevel, 'none')
  assert.deepEqual(nothing.alerts, [])
  assert.equal(nothing.confidence, 0.1)
  for (const component of ['engine', 'transmission', 'brakes', 'battery'] as const) {
    assert.ok((nothing.components[component] ?? -1) >= 70, component)
    assert.ok((nothing.remainingUsefulLife[component] ?? -1) > 0, component)
  }
})

test('every number is finite and in its range, and the same input has the same answer', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const result = predict(input)
      assert.deepEqual(predict(input), result)
      for (const score of [result.healthScore, ...Object.values(result.components)]) assert.ok(score >= 0 && score <= 100, `${score}`)
      for (const share of [result.anomalyScore, result.confidence, ...Object.values(result.componentConfidence)])
        assert.ok(share >= 0 && share <= 1, `${share}`)
      assert.ok(result.maintenanceProbability >= 0 && result.maintenanceProbability < 1, 'no prediction is certain')
      for (const [component, days] of Object.entries(result.remainingUsefulLife)) {
        const [p10 = -1, p90 = -1] = result.remainingUsefulLifeInterval[component as keyof typeof result.remainingUsefulLifeInterval] ?? []
        assert.ok(p10 >= 0 && p10 <= days && days <= p90 && Number.isFinite(p90), `${component} ${p10} ${days} ${p90}`)
      }
      assert.ok(
        result.insights.every((text) => !/NaN|undefined|Infinity/.test(text)),
        result.insights.join('\n'),
      )
      assert.deepEqual(Object.keys(result.componentConfidence), Object.keys(result.remainingUsefulLife))
      const keys = result.alerts.map(({ type, component }) => `${type} ${component}`)
      assert.equal(new Set(keys).size, keys.length, 'an alert identity appears once')
    }),
    { numRuns: 1000 },
  )
})

test('confidence rises with every valid field that feeds what is answered, and falls with none', () => {
  fc.assert(
    fc.property(anyInput, fc.constantFrom(...signalNames), fc.func(fc.nat()), (input, name, draw) => {
      const { [name]: _, ...without } = input.signals
      const { min, max } = signals[name]
      const value = min + ((draw(name) % 1000) / 999) * (max - min)
      const before = predict({ ...input, signals: without })
      const after = predict({ ...input, signals: { ...without, [name]: value } })
      // A field that contradicts its own history is worth less, but never less than nothing.
      const isRight = raisesConfidence(name) ? after.confidence > before.confidence : after.confidence === before.confidence
      assert.ok(isRight, `${name} ${value}: ${before.confidence} to ${after.confidence}`)
    }),
    { numRuns: 2000 },
  )
  for (const name of lampNames) {
    for (const state of [true, false]) assert.ok(predict(stateless({}, { lamps: { [name]: state } })).confidence > 0.1, name)
  }
  for (const more of [{ dtcCodes: [] }, { ageDays: 100 }]) assert.ok(predict(stateless({}, more)).confidence > 0.1)
})

// Each change can only be for the worse. `history` is part of the drawn input, so these hold with and without one.
const worsenings: Readonly<Record<string, (input: PredictionInput, by: number) => [PredictionInput, PredictionInput]>> = {
  'hotter coolant': (input, by) => {
    const from = 95 + (input.signals.coolantTempC === undefined ? 0 : Math.abs(input.signals.coolantTempC) % 30)
    return [withSignal(input, 'coolantTempC', from), withSignal(input, 'coolantTempC', from + by * (150 - from))]
  },
  'less charging voltage': (input, by) => {
    const running = { ...input, signals: { ...input.signals, engineSpeedRpm: 1800 } }
    const from = 10 + Math.abs((input.signals.batteryVoltageV ?? 4) % 4.4)
    return [withSignal(running, 'batteryVoltageV', from), withSignal(running, 'batteryVoltageV', from - by * (from - 1))]
  },
  'more kilometres': (input, by) => {
    const from = (input.signals.odometerKm ?? 100_000) % 2_000_000
    return [withSignal(input, 'odometerKm', from), withSignal(input, 'odometerKm', from + by * 1_000_000)]
  },
  'a lamp turned on': (input, by) => {
    const name = lampNames[Math.floor(by * 3.99)] ?? 'milLamp'
    return [
      { ...input, lamps: { ...input.lamps, [name]: false } },
      { ...input, lamps: { ...input.lamps, [name]: true } },
    ]
  },
  'one more fault code': (input, by) => {
    const more = ['P0217', 'P0128', 'C0035', 'SPN 110 FMI 0', 'B1000', 'nonsense'][Math.floor(by * 5.99)] ?? 'P0300'
    // Of a vehicle of known class: else a first J1939 code shows that it is a heavy one, whose parts live otherwise.
    const { vehicleClass = 'other' } = input.vehicle ?? {}
    const classified = {
      ...input,
      vehicle: { ...input.vehicle, vehicleClass: vehicleClass === 'other' ? ('passenger' as const) : vehicleClass },
    }
    return [
      { ...classified, dtcCodes: input.dtcCodes ?? [] },
      { ...classified, dtcCodes: [...(input.dtcCodes ?? []), more] },
    ]
  },
}

function withSignal(input: PredictionInput, name: SignalName, value: number): PredictionInput {
  return { ...input, signals: { ...input.signals, [name]: value } }
}

for (const [what, worsen] of Object.entries(worsenings)) {
  test(`${what} never makes health, components or remaining life better`, () => {
    fc.assert(
      fc.property(anyInput, fc.double({ min: 0, max: 1, noNaN: true }), (input, by) => {
        const [better, worse] = worsen(input, by)
        assertNotBetter(predict(worse), predict(better), what)
      }),
      { numRuns: 2000 },
    )
  })
}

test('an hour meter counts where it shows more use than the odometer, and never the other way', () => {
  const engineDays = (given: SignalValues) => predict(stateless(given)).remainingUsefulLife.engine ?? 0
  const hours = (count: number) => ({ engineRunTimeS: count * 3600 })
  assert.ok(engineDays({ odometerKm: 50_000, ...hours(8000) }) < engineDays({ odometerKm: 50_000 }))
  assert.equal(engineDays({ odometerKm: 400_000, ...hours(100) }), engineDays({ odometerKm: 400_000 }))
  assert.equal(engineDays({ odometerKm: 50_000, ...hours(2) }), engineDays({ odometerKm: 50_000 }), 'time since this start')
})

test('what an hour meter shows of daily use is what is left in days, also where it is not in every reading', () => {
  const machine = (count: number, more: Partial<PredictionInput> = {}) =>
    predict(stateless({ engineRunTimeS: count * 3600 }, { vehicle: { vehicleClass: 'off_highway' }, ...more }))
  const engineDays = (...given: Parameters<typeof machine>) => machine(...given).remainingUsefulLife.engine ?? 0
  // Half of such engines reach some 11,000 h, of which 8,000 have run: at 8 h a day a year and a half, and not eleven.
  const [left, ofSlow] = [engineDays(8000, { ageDays: 1000 }), engineDays(8000, { ageDays: 4000 })]
  assert.ok(left > 300 && left < 700 && Math.abs(ofSlow / left - 4) < 0.05, `${left} ${ofSlow}`)
  const history = [{ recordedAtMs: NOW_MS - 5000, signals: { engineRunTimeS: 8000 * 3600 }, lamps: {}, dtcCodes: undefined }]
  assert.equal(
    predict({ ...stateless({}, { vehicle: { vehicleClass: 'off_highway' }, ageDays: 1000 }), history }).remainingUsefulLife.engine,
    left,
  )
})

test('an engine that is old by its hour meter is reported so, in hours', () => {
  const { alerts } = predict(stateless({ engineRunTimeS: 25_000 * 3600 }, { vehicle: { vehicleClass: 'off_highway' }, ageDays: 5000 }))
  assert.deepEqual(
    alerts.map(({ type, component, evidence }) => [type, component, evidence['age'], evidence['clock']]),
    [['life_ending', 'engine', 25_000, 'hours']],
  )
  assert.match(alerts[0]?.message ?? '', /^At 25000 hours, 99 of 100 are worn out \(engine, /)
})

test('daily use is learned from the odometer where the age is known', () => {
  const days = (ageDays: number | undefined) =>
    predict(stateless({ odometerKm: 100_000 }, { ageDays })).remainingUsefulLife.transmission ?? 0
  assert.ok(days(500) < days(undefined) && days(undefined) < days(4000))
})

test('a status is left for a better one only well inside it', () => {
  const after = (previousStatus: HealthStatus) => predict(stateless({ coolantTempC: 106 }, { previousStatus }))
  assert.equal(after('healthy').healthScore, 72)
  assert.deepEqual([after('healthy').healthStatus, after('warning').healthStatus], ['healthy', 'warning'])
})

test('a red stop lamp means critical and a high risk, whatever else is known', () => {
  const { healthStatus, riskLevel } = predict(stateless({}, { lamps: { redStopLamp: true }, previousStatus: 'healthy' }))
  assert.deepEqual({ healthStatus, riskLevel }, { healthStatus: 'critical', riskLevel: 'high' })
})

test('the life of a replaced part counts from its replacement; the other parts keep their age', () => {
  const car = stateless({ odometerKm: 180_000 }, { ageDays: 3600 })
  const before = predict(car)
  const dayMs = 86_400_000
  const parts = [
    { component: 'brakes', odometerKm: 178_000, atMs: undefined },
    { component: 'battery', odometerKm: undefined, atMs: NOW_MS - 30 * dayMs },
    { component: 'engine', odometerKm: 180_000, atMs: NOW_MS },
  ]
  const after = predict({ ...car, replacedParts: parts })
  for (const component of ['brakes', 'battery', 'engine'] as const) {
    const [old = 0, fresh = 0] = [before.remainingUsefulLife[component], after.remainingUsefulLife[component]]
    assert.ok(fresh > 1.3 * old, `${component}: ${old} days before, ${fresh} after`)
    assert.ok((after.components[component] ?? 0) > (before.components[component] ?? 0), component)
  }
  for (const component of ['transmission', 'cooling', 'charging'] as const) {
    assert.equal(after.remainingUsefulLife[component], before.remainingUsefulLife[component])
  }
  assert.ok(after.maintenanceProbability < before.maintenanceProbability)
})

test('of several replacements of one part the newest counts, and an odometer that is a little behind is no distance', () => {
  const car = stateless({ odometerKm: 100_000 }, { ageDays: 2000 })
  const brakes = (...kms: number[]) =>
    predict({ ...car, replacedParts: kms.map((odometerKm) => ({ component: 'brakes', odometerKm, atMs: undefined })) })
  assert.deepEqual(brakes(20_000, 99_000, 60_000), brakes(99_000))
  assert.deepEqual(brakes(100_500), brakes(100_000))
  assert.deepEqual(brakes(120_000), predict(car), 'it is ignored')
})

test('without an odometer of the vehicle, that of a replacement is ignored: the part ages by the date, or its age is unknown', () => {
  const DAY_MS = 86_400_000
  const brakesOf = (part: { odometerKm?: number; atMs?: number }, days: number, signals = {}) => {
    const replacedParts = [{ component: 'brakes', odometerKm: part.odometerKm, atMs: part.atMs }]
    return predict({ ...stateless(signals, { replacedParts }), recordedAtMs: NOW_MS + days * DAY_MS }).remainingUsefulLife.brakes ?? 0
  }
  const dated = { odometerKm: 80_000, atMs: NOW_MS }
  assert.ok(brakesOf(dated, 700) < 0.7 * brakesOf(dated, 0), 'it wears')
  assert.equal(brakesOf(dated, 700), brakesOf({ atMs: NOW_MS }, 700))
  assert.equal(brakesOf({ odometerKm: 80_000 }, 0), predict(stateless({})).remainingUsefulLife.brakes)
})

test('a part that was just replaced is as on a vehicle without kilometres', () => {
  const parts = [{ component: 'brakes', odometerKm: 150_000, atMs: NOW_MS }]
  const replaced = predict(stateless({ odometerKm: 150_000 }, { replacedParts: parts }))
  const driven = predict(stateless({ odometerKm: 0 }))
  assert.equal(replaced.remainingUsefulLife.brakes, driven.remainingUsefulLife.brakes)
})

test('however much is found, the probability is short of certain, and the sentence beside it is of the same figure', () => {
  const { maintenanceProbability, insights } = predict(stateless({ coolantTempC: 118 }, { dtcCodes: ['P0217', 'P0524', 'P0301'] }))
  assert.equal(maintenanceProbability, 0.9999)
  assert.ok(
    insights.some((text) => text.startsWith('The maintenance probability of 99 % rests on')),
    insights.join('\n'),
  )
})
