// A learned normal from a model directory: for /v1/predict as a judge of driving, for everyone else as rows of features and bands.
import type { StoredModel } from '@roadworthy/model-store/read-model'
import { learnedNormal } from '@roadworthy/prognostics/learning/normal/learned-normal'
import { answerRow, normalFromJson, outputNames } from '@roadworthy/prognostics/learning/normal/normal-model'
import { situationFeatures } from '@roadworthy/prognostics/learning/normal/situation'
import type { Backend } from './backend.ts'

const FILE = 'normal.json'

export function loadNormalBackend({ manifest, files }: StoredModel): Backend {
  const bytes = files.get(FILE)
  if (bytes === undefined) throw new Error(`a learned normal has a file ${FILE}.`)
  if (manifest.features.join() !== situationFeatures.join()) throw new Error('it looks at other features than this engine gives.')
  const model = normalFromJson(JSON.parse(Buffer.from(bytes).toString('utf8')))
  return { outputs: outputNames(model), scoreRows: (rows) => rows.map((row) => answerRow(model, row)), normal: learnedNormal(model) }
}
