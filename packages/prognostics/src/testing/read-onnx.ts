// Reads an ONNX model and computes it as the ONNX specification defines, for tests: a second opinion that shares no line with the writer.
// Only what is written by us is understood; anything else throws.

type Field = { readonly field: number; readonly value: number | Uint8Array }
export type OnnxGraph = {
  readonly irVersion: number
  readonly opsets: Readonly<Record<string, number>>
  readonly metadata: Readonly<Record<string, string>>
  readonly inputs: readonly { readonly name: string; readonly columns: number }[]
  readonly outputs: readonly string[]
  /** Every output of the graph for one row. */
  readonly run: (row: ArrayLike<number>) => Record<string, number>
}

export function readOnnx(bytes: Uint8Array): OnnxGraph {
  const model = fieldsOf(bytes)
  const graph = fieldsOf(one(model, 7))
  const nodes = many(graph, 1).map(readNode)
  const constants = Object.fromEntries(many(graph, 5).map((tensor) => [text(one(fieldsOf(tensor), 8)), numbersOf(tensor)]))
  const inputNames = many(graph, 11).map((input) => text(one(fieldsOf(input), 1)))
  const outputs = many(graph, 12).map((output) => text(one(fieldsOf(output), 1)))
  return {
    irVersion: model.find(({ field }) => field === 1)?.value as number,
    opsets: Object.fromEntries(many(model, 8).map((each) => [text(one(fieldsOf(each), 1)), integer(each, 2)])),
    metadata: Object.fromEntries(many(model, 14).map((each) => [text(one(fieldsOf(each), 1)), text(one(fieldsOf(each), 2))])),
    inputs: many(graph, 11).map((input) => ({ name: text(one(fieldsOf(input), 1)), columns: columnsOf(input) })),
    outputs,
    run: (row) => {
      // The input, and what is cast or joined of it, are rows; everything else is one number.
      const values: Record<string, readonly number[]> = { ...constants, [inputNames[0] as string]: Array.from(row, Math.fround) }
      for (const node of nodes)
        values[node.output] = compute(
          node,
          node.inputs.map((name) => values[name] ?? []),
        )
      return Object.fromEntries(outputs.map((name) => [name, values[name]?.[0] as number]))
    },
  }
}

/** `TensorProto.DataType`; everything else that we write is float64. */
const FLOAT32 = 1

type Node = ReturnType<typeof readNode>

function compute({ operator, attributes }: Node, inputs: readonly (readonly number[])[]): readonly number[] {
  const [first = [], second = []] = inputs
  const [a = Number.NaN, b = Number.NaN, c = Number.NaN] = inputs.flat()
  switch (operator) {
    case 'Cast':
      return attributes['to']?.[0] === FLOAT32 ? first.map(Math.fround) : first
    case 'Concat':
      return [...first, ...second]
    case 'TreeEnsembleRegressor':
      return [Math.fround(sumTrees(attributes, first))]
    case 'Sigmoid':
      return [1 / (1 + Math.exp(-a))]
    case 'Clip':
      return [Math.min(Math.max(a, b), c)]
    case 'Min':
      return [Math.min(a, b)]
    case 'Max':
      return [Math.max(a, b)]
    case 'Mul':
      return [a * b]
    case 'Add':
      return [a + b]
    default:
      throw new Error(`${operator} is not understood`)
  }
}

type Attributes = Readonly<Record<string, readonly number[] | readonly string[]>>

/** TreeEnsembleRegressor-3: follow each tree from its node that is nobody's child, and sum the targets of the leaves. */
function sumTrees(attributes: Attributes, row: readonly number[]): number {
  const list = (name: string) => attributes[name] as readonly number[]
  const modes = attributes['nodes_modes'] as readonly string[]
  const [trees, ids, features] = [list('nodes_treeids'), list('nodes_nodeids'), list('nodes_featureids')]
  const [lefts, rights, tracksTrue] = [list('nodes_truenodeids'), list('nodes_falsenodeids'), list('nodes_missing_value_tracks_true')]
  const at = new Map(ids.map((id, index) => [`${trees[index]}/${id}`, index]))
  const weights = new Map(
    list('target_nodeids').map((id, index) => [`${list('target_treeids')[index]}/${id}`, list('target_weights_as_tensor')[index]]),
  )
  const children = new Set(
    modes.flatMap((mode, index) => (mode === 'LEAF' ? [] : [`${trees[index]}/${lefts[index]}`, `${trees[index]}/${rights[index]}`])),
  )
  let sum = list('base_values_as_tensor')[0] as number
  for (const [root, index] of at) {
    if (children.has(root)) continue
    let node = index
    while (modes[node] !== 'LEAF') {
      if (modes[node] !== 'BRANCH_LEQ') throw new Error(`${modes[node]} is not understood`)
      const cell = row[features[node] as number] as number
      const isTrue = cell <= (list('nodes_values_as_tensor')[node] as number) || (Number.isNaN(cell) && tracksTrue[node] === 1)
      node = at.get(`${trees[node]}/${(isTrue ? lefts : rights)[node]}`) as number
    }
    sum += weights.get(`${trees[node]}/${ids[node]}`) as number
  }
  return sum
}

function readNode(bytes: Uint8Array) {
  const fields = fieldsOf(bytes)
  const attributes: Record<string, readonly number[] | readonly string[]> = {}
  for (const attribute of many(fields, 5)) {
    const parts = fieldsOf(attribute)
    const kind = integer(attribute, 20)
    const name = text(one(parts, 1))
    if (kind === 2) attributes[name] = [integer(attribute, 3)]
    else if (kind === 3) attributes[name] = [text(one(parts, 4))]
    else if (kind === 4) attributes[name] = numbersOf(one(parts, 5))
    else if (kind === 7) attributes[name] = varints(one(parts, 8))
    else if (kind === 8) attributes[name] = many(parts, 9).map(text)
    else throw new Error(`an attribute of kind ${kind} is not understood`)
  }
  return { operator: text(one(fields, 4)), inputs: many(fields, 1).map(text), output: text(one(fields, 2)), attributes }
}

function numbersOf(tensor: Uint8Array): number[] {
  const raw = one(fieldsOf(tensor), 9)
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength)
  if (integer(tensor, 2) !== 11) throw new Error('a tensor that is not float64 is not understood')
  return Array.from({ length: raw.length / 8 }, (_, at) => view.getFloat64(at * 8, true))
}

function columnsOf(input: Uint8Array): number {
  const shape = one(fieldsOf(one(fieldsOf(one(fieldsOf(input), 2)), 1)), 2)
  return integer(many(fieldsOf(shape), 1)[1] as Uint8Array, 1)
}

function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const next = () => {
    const [value, end] = varintAt(bytes, at)
    at = end
    return value
  }
  while (at < bytes.length) {
    const key = next()
    const [field, wire] = [Math.floor(key / 8), key % 8]
    const length = wire === 2 ? next() : 0
    if (wire === 2) fields.push({ field, value: bytes.subarray(at, at + length) })
    else if (wire === 0) fields.push({ field, value: next() })
    else throw new Error(`wire type ${wire} is not understood`)
    at += length
  }
  return fields
}

function varintAt(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0
  for (let at = from, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at]
    if (byte === undefined) throw new Error('the model ends within a number')
    value += (byte % 128) * factor
    if (byte < 128) return [value, at + 1]
  }
}

function varints(bytes: Uint8Array): number[] {
  const values: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const [value, end] = varintAt(bytes, at)
    values.push(value)
    at = end
  }
  return values
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const many = (fields: readonly Field[], field: number) =>
  fields.filter((each) => each.field === field).map(({ value }) => value as Uint8Array)
const integer = (message: Uint8Array, field: number) => fieldsOf(message).find((each) => each.field === field)?.value as number

function one(fields: readonly Field[], field: number): Uint8Array {
  const value = fields.find((each) => each.field === field)?.value
  if (!(value instanceof Uint8Array)) throw new Error(`field ${field} is not there`)
  return value
}
