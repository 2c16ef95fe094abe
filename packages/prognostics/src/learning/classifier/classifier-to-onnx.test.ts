import { test } from 'node:test'
import { assertSameAsOnnx } from '../../testing/assert-onnx.ts'
import { drawForest } from '../../testing/random-forest.ts'
import { createRandom } from '../random.ts'
import { type ClassifierModel, classifierOutputs, scoreClassifierRow } from './classifier-model.ts'
import { classifierToOnnx } from './classifier-to-onnx.ts'
import { inputFeatureNames } from './columns.ts'

test('a classifier answers the same as ONNX, its calibration included', () => {
  const inputs = [
    { kind: 'number', name: 'pressure' },
    { kind: 'category', name: 'maker', categories: ['a', 'b'] },
  ] as const
  const featureNames = inputFeatureNames(inputs)
  const forest = { ...drawForest(createRandom(1), { trees: 20, depth: 5, features: featureNames.length }, 'logistic', 0.2), featureNames }
  const model: ClassifierModel = { labelName: 'y', positive: '1', inputs, forest, platt: { slope: 0.7, intercept: -0.4 }, threshold: 0.5 }
  assertSameAsOnnx(classifierToOnnx(model, { name: 'test', description: '' }), {
    features: featureNames,
    outputs: classifierOutputs,
    score: (row) => scoreClassifierRow(model, row),
  })
})
