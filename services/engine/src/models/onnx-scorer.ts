// A model that the customer brings as an ONNX file. It takes one matrix, rows × features, and gives one or more numbers for each row; that
// is what scikit-learn, LightGBM, XGBoost, PyTorch and our own export write for a table of features.
import { findOnnxRuntime, NO_ONNX_RUNTIME, type OnnxRuntime, type OnnxSession, type OnnxTensor, type OnnxValue } from './onnx-runtime.ts'

export type OnnxScorer = {
  /** A name for every number of an answer, in order: `name`, or `name_0`, `name_1` … where an output has several columns. */
  readonly outputs: readonly string[]
  /** `NaN` is a missing value. One answer for each row. */
  readonly scoreRows: (rows: readonly ArrayLike<number>[]) => Promise<readonly Float64Array[]>
}

const inputTypes = { float32: Float32Array, float64: Float64Array } as const
const numberTypes = ['float32', 'float64', 'int64', 'int32', 'bool']

/**
 * Throws, with a sentence for whoever brought the model, when no runtime is installed, when the file is no ONNX model, or when the model
 * does not take these features.
 */
export async function createOnnxScorer(
  bytes: Uint8Array,
  features: readonly string[],
  { runtime, outputs }: { runtime?: OnnxRuntime; outputs?: readonly string[] } = {},
): Promise<OnnxScorer> {
  const onnx = runtime ?? (await findOnnxRuntime())
  if (onnx === undefined) throw new Error(NO_ONNX_RUNTIME)
  const session = await openSession(onnx, bytes)
  const input = requireInput(session, features.length)
  const wanted = chooseOutputs(session, outputs)
  const run = async (rows: readonly ArrayLike<number>[]) => {
    const data = new inputTypes[input.type](rows.length * features.length)
    rows.forEach((row, at) => {
      if (row.length !== features.length) throw new RangeError(`a row has ${features.length} values here, not ${row.length}`)
      data.set(row, at * features.length)
    })
    const answers = await session.run({ [input.name]: new onnx.Tensor(input.type, data, [rows.length, features.length]) }, wanted)
    return toRows(answers, wanted, rows.length)
  }
  // What the outputs are called is known from an answer only: a file may leave the shapes of its outputs open.
  const probe = await run([new Float64Array(features.length)])
  let last: Promise<unknown> = Promise.resolve()
  return {
    outputs: probe.names,
    scoreRows: (rows) => {
      // One run after the other: the WebAssembly runtime refuses a second one, and the native one has threads of its own.
      const next = last.then(async () => (rows.length === 0 ? [] : (await run(rows)).answers))
      last = next.catch(() => undefined)
      return next
    },
  }
}

async function openSession(onnx: OnnxRuntime, bytes: Uint8Array): Promise<OnnxSession> {
  try {
    // 3 is "error": warnings about the model would otherwise stand on standard error between the engine's own lines.
    return await onnx.InferenceSession.create(bytes, { logSeverityLevel: 3 })
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

/** Those that are asked for, or all that hold numbers. */
function chooseOutputs(session: OnnxSession, asked: readonly string[] | undefined): readonly string[] {
  const isNumeric = ({ isTensor, type }: OnnxValue) => isTensor && numberTypes.includes(type ?? '')
  const numeric = session.outputMetadata.filter(isNumeric).map(({ name }) => name)
  const missing = asked?.find((name) => !numeric.includes(name))
  if (missing !== undefined) throw new Error(`the model has no output "${missing}" of numbers; it has ${numeric.join(', ') || 'none'}.`)
  if (numeric.length === 0) {
    throw new Error(
      `none of the outputs (${session.outputNames.join(', ')}) is a tensor of numbers. For scikit-learn, export with zipmap=False.`,
    )
  }
  return asked ?? numeric
}

function toRows(answers: Readonly<Record<string, OnnxTensor>>, names: readonly string[], rowCount: number) {
  const columns: { name: string; at: (row: number) => number }[] = []
  for (const name of names) {
    const tensor = answers[name]
    const { dims, data } = tensor ?? { dims: [], data: [] }
    const width = data.length / rowCount
    if (dims[0] !== rowCount || !Number.isInteger(width))
      throw new Error(`the output "${name}" has the shape [${dims.join(', ')}]; its first dimension must be the rows.`)
    for (let column = 0; column < width; column++) {
      columns.push({ name: width === 1 ? name : `${name}_${column}`, at: (row) => Number(data[row * width + column]) })
    }
  }
  const answersByRow = Array.from({ length: rowCount }, (_, row) => Float64Array.from(columns, ({ at }) => at(row)))
  return { names: columns.map(({ name }) => name), answers: answersByRow }
}
