// A model that the customer brings as an ONNX file. It takes one matrix, rows × features, and gives one or more numbers for each row; that
// is what scikit-learn, LightGBM, XGBoost, PyTorch and our own export write for a table of features.
import type { OnnxRuntime, OnnxSession, OnnxTensor, OnnxValue } from './onnx-runtime.ts'

export type OnnxScorer = {
  /** A name for every number of an answer, in order: `name`, or `name_0`, `name_1` … where an output has several columns. */
  readonly outputs: readonly string[]
  /** `NaN` is a missing value. One answer for each row. */
  readonly scoreRows: (rows: readonly ArrayLike<number>[]) => Promise<readonly Float64Array[]>
}

const inputTypes = { float32: Float32Array, float64: Float64Array } as const
const numberTypes = ['float32', 'float64', 'int64', 'int32', 'bool']

/**
 * `outputs` chooses among the numbers of an answer; all of them when left out. Throws, with a sentence for whoever brought the model, when
 * the file is no ONNX model, or when the model does not take these features or give these outputs.
 */
export async function createOnnxScorer(
  bytes: Uint8Array,
  features: readonly string[],
  { runtime, outputs }: { readonly runtime: OnnxRuntime; readonly outputs?: readonly string[] | undefined },
): Promise<OnnxScorer> {
  const session = await openSession(runtime, bytes)
  const input = requireInput(session, features.length)
  const tensors = numericOutputs(session)
  const run = async (rows: readonly ArrayLike<number>[]): Promise<Column[]> => {
    const matrix = new runtime.Tensor(input.type, fillMatrix(inputTypes[input.type], rows, features.length), [rows.length, features.length])
    return toColumns(await session.run({ [input.name]: matrix }, tensors), tensors, rows.length)
  }
  // What an answer holds is known from an answer only: a file may leave the shapes of its outputs open. One row does not show whether the rows are
  // kept apart.
  const names = (await run([new Float64Array(features.length), new Float64Array(features.length)])).map(({ name }) => name)
  const wanted = (outputs ?? names).map((name) => {
    if (names.includes(name)) return names.indexOf(name)
    throw new Error(`the model has no output "${name}" of numbers; it has ${names.join(', ')}.`)
  })
  let last: Promise<unknown> = Promise.resolve()
  return {
    outputs: wanted.map((at) => names[at] as string),
    scoreRows: (rows) => {
      // One run after the other: the WebAssembly runtime refuses a second one while the first is under way.
      const answer = async () => {
        if (rows.length === 0) return []
        const columns = await run(rows)
        return rows.map((_, row) => Float64Array.from(wanted, (at) => columns[at]?.valueOf(row) ?? Number.NaN))
      }
      const next = last.then(answer)
      last = next.catch(() => undefined)
      return next
    },
  }
}

function fillMatrix(type: typeof Float32Array | typeof Float64Array, rows: readonly ArrayLike<number>[], width: number) {
  const matrix = new type(rows.length * width)
  for (const [at, row] of rows.entries()) {
    if (row.length !== width) throw new RangeError(`a row has ${width} values here, not ${row.length}`)
    matrix.set(row, at * width)
  }
  return matrix
}

async function openSession(onnx: OnnxRuntime, bytes: Uint8Array): Promise<OnnxSession> {
  try {
    // 3 is "error": warnings about the model would otherwise stand on standard error between the engine's own lines. One thread, because
    // replicas share out the cores, and threads that wait for work do so busily.
    return await onnx.InferenceSession.create(bytes, { logSeverityLevel: 3, intraOpNumThreads: 1 })
  } catch (error) {
    throw new Error(`ONNX Runtime cannot open the model: ${(error as Error).message}`, { cause: error })
  }
}

function requireInput(session: OnnxSession, featureCount: number): { readonly name: string; readonly type: keyof typeof inputTypes } {
  const [input, ...more] = session.inputMetadata
  if (input === undefined || more.length > 0) {
    throw new Error(`the model takes ${session.inputNames.length} inputs; it must take one, a matrix of rows by features.`)
  }
  const { name, type, shape = [] } = input
  if (type !== 'float32' && type !== 'float64')
    throw new Error(`the input "${name}" is ${type ?? 'no tensor'}; it must be float32 or float64.`)
  const columns = shape[1]
  if (shape.length !== 2 || (typeof columns === 'number' && columns > 0 && columns !== featureCount)) {
    throw new Error(
      `the input "${name}" has the shape [${shape.join(', ')}]; with the ${featureCount} features of the manifest it must be [rows, ${featureCount}].`,
    )
  }
  if (typeof shape[0] === 'number' && shape[0] > 0) {
    throw new Error(`the input "${name}" takes exactly ${shape[0]} rows; its first dimension must be free.`)
  }
  return { name, type }
}

function numericOutputs({ outputMetadata, outputNames }: OnnxSession): readonly string[] {
  const isNumeric = ({ isTensor, type }: OnnxValue) => isTensor && numberTypes.includes(type ?? '')
  const names = outputMetadata.filter(isNumeric).map(({ name }) => name)
  if (names.length > 0) return names
  throw new Error(`none of the outputs (${outputNames.join(', ')}) is a tensor of numbers. From scikit-learn, export with zipmap=False.`)
}

/** As many as a manifest may name. */
const MAX_WIDTH = 10_000

/** One number of every answer. */
type Column = { readonly name: string; readonly valueOf: (row: number) => number }

function toColumns(answers: Readonly<Record<string, OnnxTensor>>, names: readonly string[], rowCount: number): Column[] {
  return names.flatMap((name) => {
    const { dims, data } = answers[name] ?? { dims: [], data: [] }
    const width = data.length / rowCount
    if (dims[0] !== rowCount || !Number.isInteger(width)) {
      throw new Error(`the output "${name}" has the shape [${dims.join(', ')}]; its first dimension must be the rows.`)
    }
    if (width > MAX_WIDTH) throw new Error(`the output "${name}" has ${width} numbers for each row; at most ${MAX_WIDTH} are taken.`)
    return Array.from({ length: width }, (_, column) => ({
      name: width === 1 ? name : `${name}_${column}`,
      valueOf: (row: number) => Number(data[row * width + column]),
    }))
  })
}
