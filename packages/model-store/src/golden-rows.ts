import type { ModelKind, ModelManifest } from './manifest.ts'
import { ModelError } from './model-error.ts'

/** Answers rows of features, `NaN` for a missing value, with one output for each. */
export type ScoreRows = (rows: readonly Float64Array[]) => Promise<readonly ArrayLike<number>[]> | readonly ArrayLike<number>[]

/** Ours give the same numbers on every machine, but for the last bits of `Math.exp` and its like; ONNX computes in float32. */
const RELATIVE_TOLERANCE: Readonly<Record<ModelKind, number>> = { rul: 1e-9, life: 1e-9, classifier: 1e-9, normal: 1e-9, onnx: 1e-4 }

/** Throws `ModelError` when the model does not answer its golden rows as the manifest states. */
export async function checkGoldenRows({ kind, golden_rows: goldenRows }: ModelManifest, score: ScoreRows): Promise<void> {
  if (goldenRows.length === 0) return
  const rows = goldenRows.map(({ features }) => Float64Array.from(features, (value) => value ?? Number.NaN))
  const answers = await score(rows)
  for (const [at, { output }] of goldenRows.entries()) {
    const answer = Array.from(answers[at] ?? [])
    if (answer.length === output.length && output.every((expected, i) => isNear(answer[i], expected, RELATIVE_TOLERANCE[kind]))) continue
    const message = `golden row ${at} is answered with [${answer.join(', ')}] where the manifest states [${output.join(', ')}].`
    throw new ModelError('golden_rows_differ', message)
  }
}

function isNear(found: number | undefined, expected: number, tolerance: number): boolean {
  return found !== undefined && Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected))
}
