import { type OnnxModelText, type OnnxOutput, type OnnxValue, valuesToOnnx } from '../onnx.ts'
import { type NormalModel, outputNames } from './normal-model.ts'
import { situationFeatures } from './situation.ts'

/** What `answerRow` computes from a row of situation features, as ONNX: the same outputs in the same order. */
export function normalToOnnx(model: NormalModel, text: Omit<OnnxModelText, 'features'>): Uint8Array {
  const values = model.channels.flatMap(({ lower, upper }): OnnxValue[] => {
    const both = [
      { kind: 'forest', forest: lower },
      { kind: 'forest', forest: upper },
    ] as const
    return [
      { kind: 'least', of: both },
      { kind: 'greatest', of: both },
    ]
  })
  const outputs = outputNames(model).map((name, at): OnnxOutput => ({ name, value: values[at] as OnnxValue }))
  return valuesToOnnx(outputs, { ...text, features: situationFeatures })
}
