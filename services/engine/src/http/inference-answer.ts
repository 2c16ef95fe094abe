// An answer to an inference request in its final form: JSON, and behind it the outputs that were asked for as bytes.

import type { InferResponse } from '@roadworthy/contracts/engine-v2/inference'

export const OUTPUT_DATATYPE = 'FP64' as const
const BYTES_PER_VALUE = 8

export type WantedOutput = { readonly index: number; readonly isBinary: boolean }

export type InferenceAnswer = {
  readonly json: InferResponse
  /** In the order of their outputs; empty where all is JSON. */
  readonly tensors: readonly Buffer[]
}

type Scored = {
  readonly model: { readonly name: string; readonly version: string }
  readonly id: string | undefined
  readonly names: readonly string[]
  readonly wanted: readonly WantedOutput[]
  /** One answer a row. */
  readonly answers: readonly ArrayLike<number>[]
}

export function toInferenceAnswer({ model, id, names, wanted, answers }: Scored): InferenceAnswer {
  const tensors: Buffer[] = []
  const outputs = wanted.map(({ index, isBinary }) => {
    const head = { name: names[index] ?? '', shape: [answers.length, 1], datatype: OUTPUT_DATATYPE }
    // JSON has no word for what is no number; as in the input, null is its place.
    if (!isBinary) return { ...head, data: answers.map((answer) => finiteOrNull(answer[index])) }
    const bytes = toBytes(answers, index)
    tensors.push(bytes)
    return { ...head, parameters: { binary_data_size: bytes.length } }
  })
  return { json: { model_name: model.name, model_version: model.version, ...(id === undefined ? {} : { id }), outputs }, tensors }
}

function toBytes(answers: readonly ArrayLike<number>[], index: number): Buffer {
  const bytes = Buffer.alloc(answers.length * BYTES_PER_VALUE)
  for (const [row, answer] of answers.entries()) bytes.writeDoubleLE(answer[index] ?? Number.NaN, row * BYTES_PER_VALUE)
  return bytes
}

function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}
