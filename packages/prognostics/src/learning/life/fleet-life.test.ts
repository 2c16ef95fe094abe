// Goal: a fleet's own lives are what its predictions follow, as sure as the lives that were seen allow. Method: lives drawn from known Weibulls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LifeModel, withFitted } from '../../lives/life-models.ts'
import { residualQuantile, type Weibull } from '../../lives/weibull.ts'
import { predict } from '../../predict.ts'
import { stateless } from '../../testing/inputs.ts'
import { LearningRefusal } from '../learning-refusal.ts'
import { createRandom } from '../random.ts'
import { fitWeibull, type Lives, type WeibullFit } from '../weibull-fit.ts'
import {
  fleetLifeFromFiles,
  fleetLifeOf,
  fleetLifeToFiles,
  goldenLifeRows,
  type LifeUnit,
  MIN_FAILURES,
  scoreLifeRow,
  toLifeModel,
} from './fleet-life.ts'

const draw = ({ shape, scale }: Weibull, random: () => number) => scale * (-Math.log1p(-random())) ** (1 / shape)

/** Watched until the given number have failed; the rest still run then. */
function watch(life: Weibull, count: number, failures: number, random: () => number): Lives {
  const times = Float64Array.from({ length: count }, () => draw(life, random)).sort()
  const end = times[failures - 1] ?? 0
  return { times: times.map((time) => Math.min(time, end)), isFailed: Uint8Array.from(times, (time) => (time <= end ? 1 : 0)) }
}

const brakes = (scale: number, unit: LifeUnit = 'km') =>
  fleetLifeOf('brakes', unit, fitWeibull(watch({ shape: 3, scale }, 2000, 2000, createRandom(1))))

/** The share of new lives inside the 80 % interval of a fit, over many fits. */
function coverageOf(count: number, failures: number, lifeOf: (fit: WeibullFit) => Weibull): number {
  const [truth, random] = [{ shape: 2.5, scale: 1000 }, createRandom(3)]
  let [inside, asked] = [0, 0]
  for (let fleet = 0; fleet < 1500; fleet++) {
    const life = lifeOf(fitWeibull(watch(truth, count, failures, random)))
    const [low, high] = [residualQuantile(life, 0, 0, 0, 0.1), residualQuantile(life, 0, 0, 0, 0.9)]
    for (let part = 0; part < 20; part++) {
      const lasts = draw(truth, random)
      if (lasts >= low && lasts <= high) inside++
      asked++
    }
  }
  return inside / asked
}

test('the interval of few lives is widened by their uncertainty, and then has its nominal coverage', (t) => {
  for (const [count, failures] of [
    [5, 5],
    [10, 5],
    [40, 10],
    [20, 20],
  ] as const) {
    const asFitted = coverageOf(count, failures, (fit) => fit)
    const asForetold = coverageOf(count, failures, (fit) => fleetLifeOf('brakes', 'km', fit).foretold)
    t.diagnostic(JSON.stringify({ count, failures, asFitted, asForetold }))
    assert.ok(asFitted < asForetold, `${asFitted} ${asForetold}`)
    assert.ok(Math.abs(asForetold - 0.8) < 0.05, `${failures} failures of ${count}: ${asForetold}`)
  }
})

test('with many failures the life for predictions is the fitted one', () => {
  const { fit, foretold } = brakes(30_000)
  assert.equal(foretold.scale, fit.scale)
  assert.ok(foretold.shape < fit.shape && foretold.shape > 0.99 * fit.shape)
})

const lastsWith = (models: readonly LifeModel[], more: Parameters<typeof stateless>[0] = {}) =>
  predict(stateless({ odometerKm: 40_000, ...more }, { ageDays: 800 }), undefined, models).remainingUsefulLife

test('predictions of the component follow the fleet, and those of no other', () => {
  const before = lastsWith(withFitted([]))
  const after = lastsWith(withFitted([toLifeModel(brakes(20_000))]))
  assert.ok((after.brakes ?? 0) < (before.brakes ?? 0) / 2)
  assert.deepEqual({ ...after, brakes: before.brakes }, before)
})

test('a fit is of the fleet as it is, trucks or not', () => {
  const models = withFitted([toLifeModel(brakes(20_000))])
  const heavy = { batteryVoltageV: 27.8 }
  assert.equal(lastsWith(models, heavy).brakes, lastsWith(models).brakes)
  assert.notEqual(lastsWith(withFitted([]), heavy).brakes, lastsWith(withFitted([])).brakes)
})

test('lives may be counted in days, and in hours with an hour meter or without', () => {
  const inDays = withFitted([toLifeModel(brakes(20_000 / 50, 'days'))])
  const inKm = withFitted([toLifeModel(brakes(20_000))])
  assert.equal(lastsWith(inDays).brakes, lastsWith(inKm).brakes, '50 km a day')
  const inHours = withFitted([toLifeModel(brakes(20_000 / (400_000 / 9_000), 'hours'))])
  assert.equal(lastsWith(inHours).brakes, lastsWith(inKm).brakes, 'without a meter')
  const engine = (engineHours: number) =>
    lastsWith(withFitted([toLifeModel({ ...brakes(9_000, 'hours'), component: 'engine' })]), { engineRunTimeS: engineHours * 3600 })
      .engine ?? 0
  assert.ok(engine(200) > engine(900) && engine(900) > engine(5000), 'the meter is the clock, above and below the reading of the odometer')
})

test('a life that reaches over millions of years is reported as a thousand', () => {
  const life: LifeModel = { component: 'brakes', clock: 'km', life: { shape: 0.4, scale: 8e10 }, isReplaced: true, isFitted: true }
  const { remainingUsefulLife, remainingUsefulLifeInterval } = predict(stateless({ odometerKm: 50_000 }), undefined, withFitted([life]))
  assert.equal(remainingUsefulLife.brakes, 365_250)
  assert.equal(remainingUsefulLifeInterval.brakes?.[1], 365_250)
})

test('too few failures are refused in words', () => {
  const fit = fitWeibull(watch({ shape: 3, scale: 1000 }, 50, MIN_FAILURES - 1, createRandom(1)))
  assert.throws(
    () => fleetLifeOf('brakes', 'km', fit),
    (error) => error instanceof LearningRefusal && /4 of 50 lives ended in failure; .* at least 5/.test(error.message),
  )
})

test('a life answers from its files as before, and files of another hand are refused', () => {
  const life = brakes(30_000)
  const files = fleetLifeToFiles(life)
  const read = fleetLifeFromFiles(new Map(Object.entries(files)))
  assert.deepEqual(read, life)
  for (const { features, output } of goldenLifeRows(life)) assert.deepEqual(scoreLifeRow(read, [features[0] ?? Number.NaN]), output)
  const changed = (from: string | RegExp, to: string) =>
    new Map([['life.json', new TextEncoder().encode(new TextDecoder().decode(files['life.json']).replace(from, to))]])
  assert.throws(() => fleetLifeFromFiles(new Map()), /no life\.json/)
  assert.throws(() => fleetLifeFromFiles(changed('roadworthy-life/1', 'roadworthy-life/9')), /"format"/)
  assert.throws(() => fleetLifeFromFiles(changed('brakes', 'wings')), /"component" is none of engine, /)
  assert.throws(() => fleetLifeFromFiles(changed('"km"', '"miles"')), /"unit" is none of km, days, hours/)
  assert.throws(() => fleetLifeFromFiles(changed(/"shape":[\d.]+/, '"shape":-1')), /"shape"/)
  assert.throws(() => fleetLifeFromFiles(changed(/"failureCount":\d+/, '"failureCount":3')), /"failureCount"/)
})
