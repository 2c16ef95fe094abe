// Small models for tests: the sum of their features times a factor.
import path from 'node:path'
import type { ModelManifest } from '@roadworthy/model-store/manifest'
import type { StoredModel } from '@roadworthy/model-store/read-model'
import { writeModel } from '@roadworthy/model-store/write-model'
import { classifierModelToFiles } from '@roadworthy/prognostics/learning/classifier/classifier-model'
import { forestFromJson } from '@roadworthy/prognostics/learning/forest'
import { fleetLifeOf, fleetLifeToFiles, goldenLifeRows, lifeFeatures, lifeOutputs } from '@roadworthy/prognostics/learning/life/fleet-life'
import { fitWeibull } from '@roadworthy/prognostics/learning/weibull-fit'
import type { Backend } from './backend.ts'

type LinearOptions = {
  readonly name?: string
  readonly version?: string
  readonly factor?: number
  readonly golden?: ModelManifest['golden_rows']
}

/** Writes it to `<modelsDir>/<name>/<version>`. It is of the kind `onnx`, a model of another maker, and is run by `linearBackend` only. */
export async function writeLinear(modelsDir: string, options: LinearOptions): Promise<void> {
  const { name = 'linear', version = '1.0.0', factor = 2 } = options
  await writeModel(path.join(modelsDir, name, version), {
    manifest: {
      name,
      version,
      kind: 'onnx',
      features: ['a', 'b'],
      outputs: ['sum'],
      training_data: { sha256: '0'.repeat(64), rows: 0, units: 0, description: 'None: the factor is chosen.' },
      metrics: { factor },
      calibration: {},
      seed: 0,
      created_at: '2026-01-01T00:00:00.000Z',
      golden_rows: options.golden ?? [
        { features: [1, 1], output: [2 * factor] },
        { features: [1, null], output: [factor] },
      ],
    },
    files: { 'model.json': Buffer.from(JSON.stringify({ factor })) },
  })
}

/** A missing value counts as nothing. */
export function linearBackend({ files }: StoredModel): Backend {
  const { factor } = JSON.parse(Buffer.from(files.get('model.json') ?? []).toString()) as { factor: number }
  return {
    outputs: ['sum'],
    scoreRows: (rows) => rows.map((row) => [factor * row.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)]),
  }
}

/** A fleet whose brakes last `scaleKm`, known as well as can be; written as `roadworthy fit life --out` writes one. */
export async function writeBrakesLife(
  modelsDir: string,
  {
    name = 'brakes-life',
    version = '1.0.0',
    scaleKm,
    failures = 200,
  }: { name?: string; version?: string; scaleKm: number; failures?: number },
): Promise<void> {
  const times = Float64Array.from({ length: failures }, (_, at) => scaleKm * (-Math.log1p(-(at + 0.5) / failures)) ** (1 / 3))
  const life = fleetLifeOf('brakes', 'km', fitWeibull({ times, isFailed: new Uint8Array(failures).fill(1) }))
  await writeModel(path.join(modelsDir, name, version), {
    manifest: {
      name,
      version,
      kind: 'life',
      features: [...lifeFeatures],
      outputs: [...lifeOutputs],
      training_data: { sha256: '0'.repeat(64), rows: failures, units: failures, description: 'None: the life is chosen.' },
      metrics: { beta: life.fit.shape, eta: life.fit.scale },
      calibration: {},
      seed: 0,
      created_at: '2026-01-01T00:00:00.000Z',
      golden_rows: goldenLifeRows(life),
    },
    files: fleetLifeToFiles(life),
  })
}

/** A classifier that answers every row with the same probability, whatever the row; written as `roadworthy train` writes one. */
export async function writeClassifier(
  modelsDir: string,
  { version, probability, features = ['a', 'b'] }: { version: string; probability: number; features?: string[] },
): Promise<void> {
  const leaf = { format: 'roadworthy-forest/1', features: ['a', 'b'], loss: 'logistic', base: 0, treeCount: 1, column: [-1], number: [0] }
  const files = classifierModelToFiles({
    labelName: 'failed',
    positive: '1',
    inputs: ['a', 'b'].map((name) => ({ kind: 'number', name })),
    forest: forestFromJson({ ...leaf, missingLeft: '' }),
    platt: { slope: 1, intercept: Math.log(probability / (1 - probability)) },
    threshold: 0.5,
  })
  await writeModel(path.join(modelsDir, 'failure', version), {
    manifest: {
      name: 'failure',
      version,
      kind: 'classifier',
      features,
      training_data: { sha256: '0'.repeat(64), rows: 0, units: 0, description: 'None: the probability is chosen.' },
      metrics: { auc: 0.5 },
      calibration: {},
      seed: 0,
      created_at: '2026-01-01T00:00:00.000Z',
      golden_rows: [{ features: features.map(() => null), output: [probability] }],
    },
    files,
  })
}
