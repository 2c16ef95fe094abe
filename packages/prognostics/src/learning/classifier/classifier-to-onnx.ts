import { type OnnxModelText, valuesToOnnx } from '../onnx.ts'
import { type ClassifierModel, classifierOutputs } from './classifier-model.ts'
import { inputFeatureNames } from './columns.ts'

/** What `scoreClassifierRow` computes from a row of features, as ONNX: the calibrated probability. */
export function classifierToOnnx({ inputs, forest, platt }: ClassifierModel, text: Omit<OnnxModelText, 'features'>): Uint8Array {
  const margin = { kind: 'scale', of: { kind: 'forest', forest }, factor: platt.slope, offset: platt.intercept } as const
  const outputs = [{ name: classifierOutputs[0], value: { kind: 'sigmoid', of: margin } as const }]
  return valuesToOnnx(outputs, { ...text, features: inputFeatureNames(inputs) })
}
