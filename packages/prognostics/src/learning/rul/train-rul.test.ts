// Goal: what is learned from runs to failure is real. Nothing looks ahead, nothing is calibrated on what it was fitted on, and the measure of it
// all falls apart when the truth is shuffled. Method: made-up fleets whose wear is known; the published data are in turbofan.long.test.ts.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { prefixOf, simulateRuns } from '../../testing/simulated-runs.ts'
import { LearningRefusal } from '../learning-refusal.ts'
import { createRandom, shuffle } from '../random.ts'
import { evaluateRul } from './evaluate-rul.ts'
import { estimateUnits, rowOf, rulModelFromFiles, rulModelToFiles, scoreRulRow } from './rul-model.ts'
import { createRuns, type Runs } from './runs.ts'
import { splitUnits } from './split-units.ts'
import { type TrainedRul, trainRul, UNITS_FOR_INTERVALS } from './train-rul.ts'
import { trendFeatures } from './trend-features.ts'

const fleet = simulateRuns(40, 1)
const other = simulateRuns(60, 2, true)
const truth = new Map(other.runs.units.map(({ name }, at) => [name, other.lives[at] ?? 0]))
const options = { unitName: 'unit', timeName: 'cycle', cap: 60, seed: 1 }
let trained: TrainedRul

before(async () => {
  trained = await trainRul(fleet.runs, options)
})

test('remaining life of unseen units is predicted, within intervals that hold', () => {
  const { n, rmse_clipped, coverage90, mean_width90 } = evaluateRul(trained.model, other.runs, truth)
  assert.equal(n, 60)
  // Always predicting the mean of the clipped lives is off by 22.
  assert.ok(rmse_clipped < 10, `RMSE ${rmse_clipped}`)
  // Sixty units and a tenth outside: 2.6 standard errors of 3.9 points.
  assert.ok(coverage90 >= 0.8, `coverage ${coverage90}`)
  assert.ok(mean_width90 < 45, `width ${mean_width90}`)
})

test('shuffling the true lives ruins the score', () => {
  const lives = [...other.lives]
  shuffle(lives, createRandom(7))
  const shuffled = new Map(other.runs.units.map(({ name }, at) => [name, lives[at] ?? 0]))
  const { rmse_clipped, coverage90 } = evaluateRul(trained.model, other.runs, shuffled)
  assert.ok(rmse_clipped > 20, `RMSE ${rmse_clipped}`)
  assert.ok(coverage90 < 0.75, `coverage ${coverage90}`)
})

test('features look at no row after their own: a run cut off there gives the same numbers, bit for bit', () => {
  const { pipeline } = trained.model
  for (const unit of [0, 17, 39]) {
    const { start } = fleet.runs.units[unit] ?? { start: 0 }
    for (const rowCount of [1, 2, 5, 11, 40, 77]) {
      const whole = trendFeatures(pipeline, fleet.runs, Int32Array.of(start + rowCount - 1))
      const cut = trendFeatures(pipeline, prefixOf(fleet.runs, unit, rowCount), Int32Array.of(rowCount - 1))
      assert.deepEqual(rowOf(cut, 0), rowOf(whole, 0), `unit ${unit}, ${rowCount} rows`)
    }
  }
})

/** The fleet with readings that no forest could have seen and stayed the same. */
function withSpoiled(units: readonly number[]): Runs {
  const sensors = fleet.runs.sensors.map((column) => column.slice())
  for (const unit of units) {
    const { start, end } = fleet.runs.units[unit] ?? { start: 0, end: 0 }
    for (const column of sensors) column.fill(-1e6, start, end)
  }
  return { ...fleet.runs, sensors }
}

test('no forest is calibrated on units that it, its spread or the scaling was fitted on', async () => {
  const { scaling, folds } = trained.split
  assert.deepEqual(
    [...scaling, ...folds.flat()].sort((a, b) => a - b),
    [...fleet.runs.units.keys()],
  )
  assert.deepEqual([scaling.length, folds.map(({ length }) => length)], [7, [7, 7, 7, 6, 6]])
  // The proof: spoil the units of a fold, and what is calibrated on them stays as it was, while all the rest learns from them.
  for (const fold of [0, 3]) {
    const { model: spoiled } = await trainRul(withSpoiled(folds[fold] ?? []), options)
    assert.deepEqual(spoiled.pipeline, trained.model.pipeline)
    const isSame = trained.model.folds.map((forests, at) => [
      isDeepStrictEqual(spoiled.folds[at]?.life, forests.life),
      isDeepStrictEqual(spoiled.folds[at]?.spread, forests.spread),
    ])
    assert.deepEqual(
      isSame,
      folds.map((_, at) => [at === fold, at === fold]),
    )
    assert.notDeepEqual(spoiled.margins, trained.model.margins)
  }
})

test('each unit is in one fold or the scaling, with as few units as there can be', () => {
  for (const unitCount of [4, 5, 7, 11, 100]) {
    const { scaling, folds } = splitUnits(unitCount, 1)
    assert.deepEqual(
      [...scaling, ...folds.flat()].sort((a, b) => a - b),
      Array.from({ length: unitCount }, (_, unit) => unit),
    )
    assert.ok(scaling.length >= 2 && folds.length >= 2 && folds.every(({ length }) => length > 0), `${unitCount} units`)
  }
  const { folds } = splitUnits(UNITS_FOR_INTERVALS, 1)
  assert.equal(folds.flat().length, 9)
})

test('the same runs and seed give the same bytes, another seed others', async () => {
  assert.deepEqual(rulModelToFiles((await trainRul(fleet.runs, options)).model), rulModelToFiles(trained.model))
  assert.notDeepEqual(rulModelToFiles((await trainRul(fleet.runs, { ...options, seed: 2 })).model), rulModelToFiles(trained.model))
})

test('a model answers from its files as it did before, golden rows included', () => {
  const read = rulModelFromFiles(new Map(Object.entries(rulModelToFiles(trained.model))))
  assert.deepEqual(estimateUnits(read, other.runs), estimateUnits(trained.model, other.runs))
  for (const { features, output } of trained.goldenRows) {
    assert.deepEqual(
      scoreRulRow(
        read,
        features.map((value) => value ?? Number.NaN),
      ),
      output,
    )
  }
})

test('files of another kind or hand are refused', () => {
  const files = rulModelToFiles(trained.model)
  const withPipeline = (change: (text: string) => string) =>
    new Map(Object.entries({ ...files, 'rul.json': new TextEncoder().encode(change(new TextDecoder().decode(files['rul.json']))) }))
  assert.throws(() => rulModelFromFiles(new Map()), /no rul\.json/)
  assert.throws(() => rulModelFromFiles(withPipeline((text) => text.replace('roadworthy-rul/2', 'roadworthy-rul/9'))), /"format"/)
  assert.throws(
    () => rulModelFromFiles(withPipeline((text) => text.replace('roadworthy-rul/2', 'roadworthy-rul/1'))),
    /older form.*train it again/,
  )
  assert.throws(() => rulModelFromFiles(withPipeline((text) => text.replace('"folds":5', '"folds":6'))), /no life-6\.forest\.json/)
  assert.throws(() => rulModelFromFiles(withPipeline((text) => text.replace('"folds":5', '"folds":0'))), /"folds"/)
  assert.throws(() => rulModelFromFiles(withPipeline((text) => text.replace('"cap":60', '"cap":-60'))), /"cap"/)
  assert.throws(
    () => rulModelFromFiles(withPipeline((text) => text.replace('"sensor":"hot"', '"sensor":"cold"'))),
    /features are not those/,
  )
})

test('every estimate lies in its intervals, wide around narrow, between 0 and the cap', () => {
  for (const { rul, intervals } of estimateUnits(trained.model, other.runs)) {
    const [wide, narrow] = intervals
    assert.deepEqual([wide?.coverage, narrow?.coverage], [0.9, 0.8])
    const order = [0, wide?.low ?? -1, narrow?.low ?? -1, rul, narrow?.high ?? -1, wide?.high ?? -1, 60]
    assert.deepEqual(
      [...order].sort((a, b) => a - b),
      order,
    )
  }
})

test('the regimes are found from the settings, whatever their unit', async () => {
  assert.equal(trained.model.pipeline.regimes.centres.length, 3)
  const inOtherUnits = { ...fleet.runs, settings: fleet.runs.settings.map((column) => column.map((value) => value * 1e-6 - 40)) }
  const { pipeline } = (await trainRul(inOtherUnits, options)).model
  assert.equal(pipeline.regimes.centres.length, 3)
  assert.deepEqual(
    pipeline.scales.map(({ means }) => means.map(Math.round).sort()),
    trained.model.pipeline.scales.map(({ means }) => means.map(Math.round).sort()),
  )
})

test('what is no sensor is left out and named: a constant, a countdown to the failure, a row number', async () => {
  assert.deepEqual(
    trained.dropped.map(({ sensor }) => sensor),
    ['still'],
  )
  const { runs } = simulateRuns(6, 3)
  const countdown = new Float32Array(runs.times.length)
  for (const { start, end } of runs.units) for (let row = start; row < end; row++) countdown[row] = end - 1 - row
  const [capped, rowNumber] = [countdown.map((left) => Math.min(left, 20)), countdown.map((_, row) => row)]
  const { dropped, model } = await trainRul(
    { ...runs, sensorNames: [...runs.sensorNames, 'left', 'capped', ''], sensors: [...runs.sensors, countdown, capped, rowNumber] },
    options,
  )
  const whyOf = (name: string) => dropped.find(({ sensor }) => sensor === name)?.why ?? ''
  for (const name of ['left', 'capped']) assert.match(whyOf(name), /counts down/, name)
  assert.match(whyOf(''), /counts the rows/)
  assert.deepEqual(
    model.pipeline.scales.map(({ sensor }) => sensor),
    ['hot', 'slow'],
  )
})

test('with too few units for an interval, it reaches from 0 to the cap', async () => {
  const { model: few } = await trainRul(simulateRuns(5, 3).runs, options)
  assert.deepEqual(
    few.margins.map(({ spreads }) => spreads),
    [null, null],
  )
  for (const { intervals } of estimateUnits(few, other.runs)) assert.deepEqual([intervals[0]?.low, intervals[0]?.high], [0, 60])
})

test('missing readings are bridged', () => {
  const random = createRandom(5)
  const sensors = other.runs.sensors.map((column) => column.map((value) => (random() < 0.1 ? Number.NaN : value)))
  const { rmse_clipped } = evaluateRul(trained.model, { ...other.runs, sensors }, truth)
  assert.ok(rmse_clipped < 11, `RMSE ${rmse_clipped}`)
})

test('age is time since the first row where times do not begin with the life', async () => {
  const calendar = { ...fleet.runs, times: fleet.runs.times.slice() }
  for (const [at, { start, end }] of fleet.runs.units.entries()) {
    for (let row = start; row < end; row++) calendar.times[row] = (calendar.times[row] ?? 0) + 20_000 + 1000 * at
  }
  assert.equal(trained.model.pipeline.ageFrom, 'time')
  assert.equal((await trainRul(calendar, options)).model.pipeline.ageFrom, 'first-row')
})

const row = (unit: string, time: number) => ({ unit, time })
const bare = (rows: readonly { unit: string; time: number }[]): Runs => {
  const unitNames = [...new Set(rows.map(({ unit }) => unit))]
  return createRuns({
    unitNames,
    unitOfRow: Int32Array.from(rows, ({ unit }) => unitNames.indexOf(unit)),
    times: Float64Array.from(rows, ({ time }) => time),
    settingNames: [],
    settings: [],
    sensorNames: ['s'],
    sensors: [Float32Array.from(rows, ({ time }) => 10 * time)],
  })
}

test('rows may come in any order', () => {
  const { units, times, sensors } = bare([row('b', 2), row('a', 3), row('b', 1), row('a', 1), row('a', 2)])
  assert.deepEqual(units, [
    { name: 'b', start: 0, end: 2 },
    { name: 'a', start: 2, end: 5 },
  ])
  assert.deepEqual([...times], [1, 2, 1, 2, 3])
  assert.deepEqual([...(sensors[0] ?? [])], [10, 20, 10, 20, 30])
})

const refusals: [what: string, run: () => unknown, message: RegExp][] = [
  ['two rows of a unit at one time', () => bare([row('a', 1), row('a', 1)]), /Unit a has two rows at time 1/],
  ['a unit of one row', () => trainRul(bare([row('a', 1), row('a', 2), row('b', 1)]), options), /Unit b has one row/],
  ['too few units', () => trainRul(bare([row('a', 1), row('a', 2)]), options), /1 units; at least 4/],
  [
    'a truth without a unit',
    () => evaluateRul(trained.model, other.runs, new Map([...truth].slice(1))),
    /does not state how long unit unit-1 lived on/,
  ],
  [
    'a unit without data',
    () => evaluateRul(trained.model, other.runs, new Map([...truth, ['x', 1]])),
    /speaks of unit x, of which the data have no row/,
  ],
]
for (const [what, run, message] of refusals) {
  test(`${what} is refused in words`, async () => {
    await assert.rejects(
      async () => run(),
      (error) => error instanceof LearningRefusal && message.test(error.message),
    )
  })
}

test('sensors whose features no manifest could name are refused before a forest is fitted', async () => {
  const { units, times, settingNames, settings, sensors } = fleet.runs
  const sensorNames = ['x'.repeat(252), 'slow', 'still']
  const runs: Runs = { units, times, settingNames, settings, sensorNames, sensors }
  const neverFits = () => assert.fail('a forest was fitted')
  await assert.rejects(() => trainRul(runs, options, neverFits), {
    name: LearningRefusal.name,
    message: /The name of the feature "x{40}…" has more than 256 characters; shorten that of its column/,
  })
})
