import { test } from 'node:test'
import { assertSameAsOnnx } from '../../testing/assert-onnx.ts'
import { drawForest } from '../../testing/random-forest.ts'
import { createRandom } from '../random.ts'
import { answerRow, channelFeatures, type NormalModel, outputNames } from './normal-model.ts'
import { normalToOnnx } from './normal-to-onnx.ts'
import { movingSignals, situationFeatures } from './situation.ts'

test('a learned normal answers the same as ONNX, where its quantiles cross as well', () => {
  const model: NormalModel = {
    channels: movingSignals.map((signal, at) => {
      const featureNames = channelFeatures[signal]
      const draw = (seed: number) => ({
        ...drawForest(createRandom(seed), { trees: 15, depth: 5, features: featureNames.length }, 'quantile', 0),
        featureNames,
      })
      return { signal, lower: draw(at * 2 + 1), upper: draw(at * 2 + 2), maxima: [1], spans: featureNames.map(() => undefined) }
    }),
  }
  assertSameAsOnnx(normalToOnnx(model, { name: 'test', description: '' }), {
    features: situationFeatures,
    outputs: outputNames(model),
    score: (row) => answerRow(model, row),
  })
})
