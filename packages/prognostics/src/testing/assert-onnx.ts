import assert from 'node:assert/strict'
import { createRandom } from '../learning/random.ts'
import { readOnnx } from './read-onnx.ts'

/** That an exported model takes these features and answers 300 random rows, missing values among them, as `score` does. */
export function assertSameAsOnnx(
  bytes: Uint8Array,
  expected: { features: readonly string[]; outputs: readonly string[]; score: (row: Float64Array) => readonly number[] },
): void {
  const { inputs, outputs, metadata, run } = readOnnx(bytes)
  assert.deepEqual([outputs, metadata['features']], [expected.outputs, JSON.stringify(expected.features)])
  assert.deepEqual(inputs, [{ name: 'features', columns: expected.features.length }])
  const random = createRandom(1)
  for (let each = 0; each < 300; each++) {
    const row = Float64Array.from(expected.features, () => (random() < 0.1 ? Number.NaN : random() * 12 - 6))
    const answer = run(row)
    const wanted = expected.score(row)
    for (const [at, name] of outputs.entries()) {
      const [found = Number.NaN, ours = Number.NaN] = [answer[name], wanted[at]]
      assert.ok(Math.abs(found - ours) <= 1e-4, `${name}: ${found} where ${ours} is ours`)
    }
  }
}
