import { test } from 'node:test'
import { assertSameAsOnnx } from '../../testing/assert-onnx.ts'
import { drawForest } from '../../testing/random-forest.ts'
import { createRandom } from '../random.ts'
import { type IntervalMargin, LIFE_FEATURE, type RulModel, rulOutputs, scoreRulRow } from './rul-model.ts'
import { rulToOnnx } from './rul-to-onnx.ts'
import { trendFeatureNames } from './trend-features.ts'

function drawModel(margins: readonly IntervalMargin[]): RulModel {
  const pipeline = {
    settingNames: [],
    regimes: { offsets: [], ranges: [], centres: [[]] },
    scales: [{ sensor: 'temperature', means: [0], deviations: [1] }],
    ageFrom: 'time',
  } as const
  const names = trendFeatureNames(pipeline)
  const draw = (seed: number, featureNames: readonly string[], base: number) => ({
    ...drawForest(createRandom(seed), { trees: 15, depth: 5, features: featureNames.length }, 'squared', base),
    featureNames,
  })
  const folds = [1, 2, 3].map((seed) => ({ life: draw(seed, names, 1), spread: draw(seed + 10, [...names, LIFE_FEATURE], 0) }))
  return { unitName: 'unit', timeName: 'cycle', pipeline, cap: 3, folds, margins }
}

for (const [what, spreads] of [
  ['intervals', 1.4],
  ['intervals that are as wide as can be', null],
] as const) {
  test(`a model of remaining life answers the same as ONNX, its ${what} included`, () => {
    const model = drawModel([0.9, 0.8].map((coverage) => ({ coverage, spreads })))
    assertSameAsOnnx(rulToOnnx(model, { name: 'test', description: '' }), {
      features: trendFeatureNames(model.pipeline),
      outputs: rulOutputs,
      score: (row) => scoreRulRow(model, row),
    })
  })
}
