// Goal: a model directory becomes an ONNX file that gives the same answers, or the command reports why not.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { readModel } from '@roadworthy/model-store/read-model'
import { writeModel } from '@roadworthy/model-store/write-model'
import {
  type ClassifierModel,
  classifierModelToFiles,
  classifierOutputs,
  scoreClassifierRow,
} from '@roadworthy/prognostics/learning/classifier/classifier-model'
import { createRandom } from '@roadworthy/prognostics/learning/random'
import { assertSameAsOnnx } from '@roadworthy/prognostics/testing/assert-onnx'
import { drawForest } from '@roadworthy/prognostics/testing/random-forest'
import { readOnnx } from '@roadworthy/prognostics/testing/read-onnx'
import { roadworthy } from '../../../../test/support/command-line.ts'

const features = ['oil_pressure', 'oil_temperature', 'engine_speed']
const forest = { ...drawForest(createRandom(1), { trees: 10, depth: 4, features: 3 }, 'logistic', 0), featureNames: features }
const model: ClassifierModel = {
  labelName: 'failed',
  positive: 'yes',
  inputs: features.map((name) => ({ kind: 'number', name })),
  forest,
  platt: { slope: 0.9, intercept: 0.1 },
  threshold: 0.5,
}

let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roadworthy-export-'))
  const manifest = {
    name: 'oil',
    version: '1.0.0',
    features,
    outputs: [...classifierOutputs],
    training_data: { sha256: '0'.repeat(64), rows: 0, units: 0, description: 'Drawn at random.' },
    metrics: {},
    calibration: {},
    seed: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    golden_rows: [{ features: [1, 2, 3], output: scoreClassifierRow(model, [1, 2, 3]) }],
  }
  await writeModel(join(folder, 'oil'), { manifest: { ...manifest, kind: 'classifier' }, files: classifierModelToFiles(model) })
  await writeModel(join(folder, 'brought'), { manifest: { ...manifest, kind: 'onnx' }, files: { 'model.onnx': Buffer.from('x') } })
})
after(() => rmSync(folder, { recursive: true }))

const exportOnnx = (...args: string[]) => roadworthy(['export', 'onnx', ...args], { cwd: folder })

test('a model directory is written as ONNX that answers the same, and the answer names what is in it', async () => {
  const { code, stdout, stderr } = await exportOnnx('--model', 'oil', '--json')
  assert.equal(code, 0, stderr)
  const answer = JSON.parse(stdout) as Record<string, unknown>
  const bytes = readFileSync(join(folder, 'oil-1.0.0.onnx'))
  assert.deepEqual(
    [answer['file'], answer['bytes'], answer['input'], answer['features'], answer['outputs']],
    ['oil-1.0.0.onnx', bytes.length, 'features', features, [...classifierOutputs]],
  )
  assertSameAsOnnx(bytes, { features, outputs: classifierOutputs, score: (row) => scoreClassifierRow(model, row) })
  const again = await exportOnnx('--model', 'oil', '--out', 'again.onnx')
  assert.match(again.stdout, /^again\.onnx: \d+ bytes, opset 16 and ai\.onnx\.ml 3$/m)
  assert.deepEqual(readFileSync(join(folder, 'again.onnx')), bytes)
})

test('the learned normal that comes with the engine is written, and answers its golden rows', async () => {
  const shipped = resolve(import.meta.dirname, '../../../../models/driving-normal')
  const dir = join(shipped, readdirSync(shipped)[0] ?? '')
  const { code, stderr } = await exportOnnx('--model', dir, '--out', 'normal.onnx')
  assert.equal(code, 0, stderr)
  const { outputs, run } = readOnnx(readFileSync(join(folder, 'normal.onnx')))
  const { manifest } = await readModel(dir)
  assert.ok(manifest.golden_rows.length > 0)
  for (const { features: row, output } of manifest.golden_rows) {
    const answer = run(row.map((value) => value ?? Number.NaN))
    const found = outputs.map((name) => answer[name] ?? Number.NaN)
    assert.ok(
      found.every((value, at) => Math.abs(value - (output[at] ?? Number.NaN)) <= 1e-4),
      `${found} where ${output} was`,
    )
  }
})

test('what is no model, is ONNX already or cannot be written is reported in one line', async () => {
  const wrong: [string[], number, RegExp][] = [
    [['--model', 'nothing'], 4, /manifest\.json cannot be read/],
    [['--model', 'brought'], 2, /brought: it is ONNX already/],
    [['--model', 'oil', '--out', 'no/such/folder.onnx'], 1, /cannot be written \(ENOENT\)/],
    [[], 2, /missing '--model <dir>'/],
  ]
  for (const [args, expected, message] of wrong) {
    const { code, stdout, stderr } = await exportOnnx(...args)
    assert.deepEqual([code, stdout], [expected, ''], stderr)
    assert.match(stderr, message)
  }
})
