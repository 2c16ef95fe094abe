// Opens one ONNX model, has it answer, and reports what is wrong with it.
import { checkGoldenRows } from '@roadworthy/model-store/golden-rows'
import { findOnnxRuntime, NO_ONNX_RUNTIME } from './onnx-runtime.ts'
import { createOnnxScorer } from './onnx-scorer.ts'
import type { OnnxTrial, OnnxVerdict } from './onnx-trial.ts'

process.once('message', (trial: OnnxTrial) => {
  void judge(trial).then((verdict) => process.send?.(verdict))
})

async function judge({ manifest, bytes, onnxRuntimeDir }: OnnxTrial): Promise<OnnxVerdict> {
  try {
    const runtime = await findOnnxRuntime(onnxRuntimeDir)
    if (runtime === undefined) throw new Error(NO_ONNX_RUNTIME)
    const { scoreRows } = await createOnnxScorer(bytes, manifest.features, { runtime, outputs: manifest.outputs })
    await checkGoldenRows(manifest, scoreRows)
    return {}
  } catch (error) {
    return { problem: (error as Error).message }
  }
}
