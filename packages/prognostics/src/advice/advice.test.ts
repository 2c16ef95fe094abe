// Findings and remaining life lead to what to do, why, and what waiting risks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { predict } from '../predict.ts'
import { NOW_MS, stateless } from '../testing/inputs.ts'

const driving = { engineSpeedRpm: 1500, vehicleSpeedKmh: 50, coolantTempC: 88, batteryVoltageV: 13.8 }

test('the act follows the gravest finding: stop, now, plan, by the next service', () => {
  const actOn = (
    component: 'brakes' | 'lubrication' | 'transmission' | 'emissions' | 'intake' | 'charging',
    more: object,
    signals = driving,
  ) => predict(stateless(signals, more)).advice[component]?.act
  assert.equal(actOn('lubrication', { dtcCodes: ['P0524'] }), 'stop')
  assert.equal(actOn('emissions', { dtcCodes: ['P0456'] }), 'next_service')
  assert.equal(actOn('lubrication', { dtcCodes: ['P0520'] }), 'plan', 'a sensor’s circuit stops nobody')
  assert.equal(actOn('charging', {}, { ...driving, batteryVoltageV: 10.5 }), 'now', 'a battery that runs flat endangers nobody')
})

test('advice rests on the interval, and states action, reason and risk; a sound component runs on without advice', () => {
  const { advice, remainingUsefulLifeInterval } = predict(stateless({ ...driving, coolantTempC: 112 }))
  assert.deepEqual(Object.keys(advice), ['cooling', 'engine'])
  assert.match(advice.engine?.what ?? '', /^See to the cooling system first/)
  assert.deepEqual(advice.cooling, {
    act: 'now',
    interval: remainingUsefulLifeInterval.cooling,
    what: 'Take load off at once, air conditioning off and heater on, and have coolant level, leaks, fan, thermostat and water pump checked today',
    why: 'Coolant temperature 112 °C is above 111 °C',
    risk: 'Heat ruins the head gasket, and then the engine',
  })
  assert.deepEqual(predict(stateless(driving)).advice, {})
})

test('where another component takes life from one that has findings of its own, its advice names both', () => {
  const { advice } = predict(stateless({ ...driving, coolantTempC: 118, odometerKm: 640_000 }, { ageDays: 5500 }))
  assert.equal(advice.engine?.act, 'stop')
  assert.match(advice.engine?.what ?? '', /^See to the cooling system first; what follows holds after that\. Inspect then: compression/)
  assert.match(advice.engine?.why ?? '', /^At 640000 km.*; the trouble of the cooling system wears it as well$/)
})

test('a component with a grave finding has a prediction, though no life of it is known', () => {
  const { remainingUsefulLife, remainingUsefulLifeInterval, componentConfidence, advice } = predict(
    stateless(driving, { dtcCodes: ['P0524', 'P20EE', 'P0456'] }),
  )
  assert.ok((remainingUsefulLife.lubrication ?? 999) <= 3)
  const [p10 = -1, p90 = -1] = remainingUsefulLifeInterval.lubrication ?? []
  assert.ok(p10 >= 0 && p90 <= 15, `${p10} ${p90}`)
  assert.equal(componentConfidence.lubrication, 0.7, 'as bad as it is, and no surer')
  assert.deepEqual(advice.lubrication?.interval, [p10, p90])
  assert.ok((remainingUsefulLife.aftertreatment ?? 999) < 60)
  assert.equal(remainingUsefulLife.emissions, undefined, 'a leaking cap does not end a life')
})

test('a car at 640,000 km gets advice on what to inspect first, without a loss of health, and is not called normal', () => {
  const old = predict(stateless({ ...driving, odometerKm: 640_000 }, { ageDays: 5500 }))
  const ending = old.alerts.filter(({ type }) => type === 'life_ending')
  assert.deepEqual(
    ending.map(({ component, severity }) => [component, severity]),
    [
      ['transmission', 'low'],
      ['engine', 'low'],
    ],
  )
  assert.match(old.recommendations[0] ?? '', /^Inspect first: oil level and condition, clutch/)
  assert.match(ending[0]?.message ?? '', /At 640000 km, 96 of 100 are worn out \(transmission, by published lives/)
  assert.equal(old.advice.engine?.act, 'next_service')
  assert.equal(old.healthStatus, 'healthy')
  const ofComponents = old.insights.filter((text) => /\((engine|transmission), by/.test(text))
  assert.ok(ofComponents.length >= 2 && ofComponents.every((text) => !/normal/i.test(text)), ofComponents.join('\n'))
  assert.ok(old.insights.every((text) => !/within its normal band/.test(text)))
})

test('a life that is not known to be over is not reported as over: no odometer, a part of unknown age, a part just replaced', () => {
  const ending = (...given: Parameters<typeof stateless>) =>
    predict(stateless(...given)).alerts.filter(({ type }) => type === 'life_ending')
  assert.deepEqual(ending({}), [])
  const brakes = (replacedAtKm: number) =>
    ending({ odometerKm: 300_000 }, { replacedParts: [{ component: 'brakes', odometerKm: replacedAtKm, atMs: undefined }] })
  assert.deepEqual(ending({ odometerKm: 300_000 }), [], 'pads have been replaced by then, nobody knows when')
  assert.deepEqual(brakes(299_000), [])
  assert.deepEqual(
    brakes(200_000).map(({ component }) => component),
    ['brakes'],
  )
})

test('the shorter the remaining life, the graver: weeks are planned, days are now', () => {
  const severityAt = (perDayKm: number) => {
    const ageDays = 400
    const odometerKm = perDayKm * ageDays
    const parts = [{ component: 'brakes', odometerKm: odometerKm - 110_000, atMs: NOW_MS - (110_000 / perDayKm) * 86_400_000 }]
    const { alerts, advice } = predict(stateless({ odometerKm }, { ageDays, replacedParts: parts }))
    const ending = alerts.find(({ component }) => component === 'brakes')
    const [, median, least] = /end by day (\d+) from now, one in ten by day (\d+)$/.exec(ending?.message ?? '') ?? []
    return [ending?.severity, advice.brakes?.act, median, least]
  }
  assert.deepEqual(severityAt(120), ['low', 'next_service', '42', '7'])
  assert.deepEqual(severityAt(400), ['medium', 'plan', '13', '2'])
  assert.deepEqual(severityAt(800), ['high', 'now', '7', '1'])
})

test('a score of 0 names the signals that it rests on', () => {
  assert.deepEqual(predict(stateless({})).anomalyBasis, [])
  assert.deepEqual(predict(stateless({ odometerKm: 80_000, vehicleSpeedKmh: 50 })).anomalyBasis, [])
  const judged = predict(stateless(driving, { dtcCodes: [], lamps: { milLamp: false } }))
  assert.deepEqual([judged.anomalyBasis, judged.anomalyScore < 0.1], [['coolantTempC', 'batteryVoltageV', 'milLamp', 'dtcCodes'], true])
})

test('each component has a confidence of its own, which rises with what narrows its interval', () => {
  const unknown = predict(stateless({})).componentConfidence
  for (const value of Object.values(unknown)) assert.equal(value, 0.1)
  const replaced = predict(
    stateless({ odometerKm: 120_000 }, { ageDays: 2400, replacedParts: [{ component: 'brakes', odometerKm: 80_000, atMs: undefined }] }),
  ).componentConfidence
  const odometer = predict(stateless({ odometerKm: 120_000 }, { ageDays: 2400 })).componentConfidence
  assert.ok((odometer.brakes ?? 0) > 0.1 && (replaced.brakes ?? 0) > (odometer.brakes ?? 0), `${odometer.brakes} ${replaced.brakes}`)
  assert.equal(replaced.engine, odometer.engine)
})

test('health in another band than the worst component is explained', () => {
  const { healthScore, components, insights } = predict(stateless(driving, { dtcCodes: ['U0140'] }))
  assert.ok((components.network ?? 100) < 70 && healthScore >= 70)
  assert.ok(
    insights.some((text) => /vehicle network 65: of what this component loses, 60 % counts for the vehicle/.test(text)),
    insights.join('\n'),
  )
})

test('an interval that rests on an assumption is reported with little confidence', () => {
  const confidenceWith = (more: object) => predict(stateless(driving, more)).componentConfidence
  assert.equal(confidenceWith({ lamps: { milLamp: true } }).engine, 0.25)
  assert.ok((confidenceWith({ dtcCodes: ['C0035'] }).brakes ?? 1) < 0.5)
})

test('a probability that rests on findings is reported as an assumption', () => {
  const isReportedAsAssumption = (dtcCodes: string[]) =>
    predict(stateless(driving, { dtcCodes })).insights.some((text) => /rests on an assumption/.test(text))
  assert.deepEqual([isReportedAsAssumption([]), isReportedAsAssumption(['P0301'])], [false, true])
})
