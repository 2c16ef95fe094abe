// Forests as an ONNX model, written byte by byte: the format is a few nested messages (onnx/onnx-ml.proto), and a library for it would be a
// hundred times this file.
//
// The graph: `features` (float32, rows × columns, NaN for a missing value) → Cast to float64 → a TreeEnsembleRegressor for each forest → what
// is computed from their sums, in float64 → the outputs (float32, rows × 1 each). Thresholds and leaves are float32 values written as float64,
// so that a runtime decides and adds as we do. What an ensemble answers is float32 by its specification; so that this costs little, its base is
// added afterwards. With lives of up to 600 an interval was 1e-4 away when all after the trees was float32.
import { type Forest, LEAF } from './forest.ts'
import { type Bytes, integerField, integersField, join, messageField, textField, textsField } from './protobuf.ts'

/** A number for each row. The same object used twice is computed once. */
export type OnnxValue =
  /** `extra` are features that are no columns of the input but values themselves. */
  | { readonly kind: 'forest'; readonly forest: Forest; readonly extra?: Readonly<Record<string, OnnxValue>> }
  | { readonly kind: 'sigmoid'; readonly of: OnnxValue }
  | { readonly kind: 'clip'; readonly of: OnnxValue; readonly min: number; readonly max: number }
  | { readonly kind: 'scale'; readonly of: OnnxValue; readonly factor: number; readonly offset: number }
  | { readonly kind: 'sum' | 'least' | 'greatest'; readonly of: readonly [OnnxValue, OnnxValue] }

export type OnnxOutput = { readonly name: string; readonly value: OnnxValue }

export type OnnxModelText = {
  readonly name: string
  readonly description: string
  /** The columns of the input, in order; every feature of every forest must be among them. */
  readonly features: readonly string[]
  /** Kept in the file as `metadata_props`. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** ONNX 1.11 (2022): the first with float64 trees. ONNX Runtime computes them from 1.12 on; 1.11 refuses them. */
export const ONNX_IR_VERSION = 8
export const ONNX_OPSET = 16
export const ONNX_ML_OPSET = 3

/** The one input of the graph. */
export const ONNX_INPUT = 'features'

const CAST_INPUT = 'features:float64'
const ROWS = 'rows'
const ML_DOMAIN = 'ai.onnx.ml'

/** `TensorProto.DataType`. */
const FLOAT32 = 1
const FLOAT64 = 11
/** `AttributeProto.AttributeType`. */
const ATTRIBUTE = { integer: 2, text: 3, tensor: 4, integers: 7, texts: 8 } as const

/** One forest as an ONNX model with one output: its score, or the probability for a logistic forest. */
export function forestToOnnx(forest: Forest, text: Omit<OnnxModelText, 'features'>, outputName = 'prediction'): Uint8Array {
  const score: OnnxValue = { kind: 'forest', forest }
  const value: OnnxValue = forest.loss === 'logistic' ? { kind: 'sigmoid', of: score } : score
  return valuesToOnnx([{ name: outputName, value }], { ...text, features: forest.featureNames })
}

/** Several values of the same row, for example the quantiles of one prediction, as one ONNX model with an output for each. */
export function valuesToOnnx(outputs: readonly OnnxOutput[], { name, description, features, metadata = {} }: OnnxModelText): Uint8Array {
  const names = outputs.map((output) => output.name)
  if (outputs.length === 0 || new Set([ONNX_INPUT, ...names]).size !== names.length + 1)
    throw new RangeError('every output needs a name of its own')
  const graph: Graph = { features, nodes: [], constants: [], names: new Map() }
  addNode(graph, 'Cast', [ONNX_INPUT], CAST_INPUT, [integerAttribute('to', FLOAT64)])
  for (const output of outputs) addNode(graph, 'Cast', [nameOf(graph, output.value)], output.name, [integerAttribute('to', FLOAT32)])
  const content = [
    ...graph.nodes.map((node) => messageField(1, node)),
    textField(2, name),
    ...graph.constants.map((tensor) => messageField(5, tensor)),
    textField(10, description),
    messageField(11, matrix(ONNX_INPUT, features.length)),
    ...names.map((output) => messageField(12, matrix(output, 1))),
  ]
  const properties = { ...metadata, features: JSON.stringify(features), outputs: JSON.stringify(names) }
  return join([
    integerField(1, ONNX_IR_VERSION),
    textField(2, 'roadworthy'),
    textField(6, description),
    messageField(7, join(content)),
    messageField(8, opset('', ONNX_OPSET)),
    messageField(8, opset(ML_DOMAIN, ONNX_ML_OPSET)),
    ...Object.entries(properties).map(([key, value]) => messageField(14, join([textField(1, key), textField(2, value)]))),
  ])
}

function opset(domain: string, version: number): Bytes {
  return join([textField(1, domain), integerField(2, version)])
}

/** `ValueInfoProto` of a float32 matrix with any number of rows. */
function matrix(name: string, columnCount: number): Bytes {
  const shape = join([messageField(1, textField(2, ROWS)), messageField(1, integerField(1, columnCount))])
  const tensor = join([integerField(1, FLOAT32), messageField(2, shape)])
  return join([textField(1, name), messageField(2, messageField(1, tensor))])
}

/** What is being written, and under which names values are computed in it. */
type Graph = {
  readonly features: readonly string[]
  /** `NodeProto`, in an order in which each finds its inputs computed. */
  readonly nodes: Bytes[]
  /** `TensorProto`. */
  readonly constants: Bytes[]
  readonly names: Map<OnnxValue, string>
}

function addNode(
  { nodes }: Graph,
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Bytes[] = [],
  domain = '',
): void {
  const parts = attributes.map((attribute) => messageField(5, attribute))
  nodes.push(
    join([
      textsField(1, inputs),
      textField(2, output),
      textField(3, `node_${output}`),
      textField(4, operator),
      ...parts,
      textField(7, domain),
    ]),
  )
}

/** The name under which the graph computes the value; it does from now on. Outputs have names of their own, so these cannot meet them. */
function nameOf(graph: Graph, value: OnnxValue): string {
  const known = graph.names.get(value)
  if (known !== undefined) return known
  const inputs = operandsOf(value).map((operand) => nameOf(graph, operand))
  const name = `value:${graph.names.size}`
  graph.names.set(value, name)
  const constant = (what: string, number: number) => {
    graph.constants.push(float64Scalar(`${name}:${what}`, number))
    return `${name}:${what}`
  }
  switch (value.kind) {
    case 'forest':
      addForest(graph, value.forest, Object.keys(value.extra ?? {}), inputs, name)
      addNode(graph, 'Cast', [`${name}:trees`], `${name}:sum`, [integerAttribute('to', FLOAT64)])
      addNode(graph, 'Add', [`${name}:sum`, constant('base', value.forest.base)], name)
      break
    case 'sigmoid':
      addNode(graph, 'Sigmoid', inputs, name)
      break
    case 'clip':
      addNode(graph, 'Clip', [...inputs, constant('min', value.min), constant('max', value.max)], name)
      break
    case 'scale':
      addNode(graph, 'Mul', [...inputs, constant('factor', value.factor)], `${name}:scaled`)
      addNode(graph, 'Add', [`${name}:scaled`, constant('offset', value.offset)], name)
      break
    default:
      addNode(graph, { sum: 'Add', least: 'Min', greatest: 'Max' }[value.kind], inputs, name)
  }
  return name
}

function operandsOf(value: OnnxValue): readonly OnnxValue[] {
  switch (value.kind) {
    case 'forest':
      return Object.values(value.extra ?? {})
    case 'sum':
    case 'least':
    case 'greatest':
      return value.of
    default:
      return [value.of]
  }
}

/** The sum of its trees, without its base. Values that the forest looks at as features become further columns, after those of the input. */
function addForest(graph: Graph, forest: Forest, extraNames: readonly string[], extra: readonly string[], name: string): void {
  const row = extra.length === 0 ? CAST_INPUT : `${name}:row`
  if (extra.length > 0) addNode(graph, 'Concat', [CAST_INPUT, ...extra], row, [integerAttribute('axis', 1)])
  addNode(graph, 'TreeEnsembleRegressor', [row], `${name}:trees`, treeAttributes(forest, [...graph.features, ...extraNames]), ML_DOMAIN)
}

/** Attributes of a TreeEnsembleRegressor (ai.onnx.ml, version 3): a column for every attribute of a node. */
function treeAttributes(forest: Forest, columns: readonly string[]): Bytes[] {
  const nodes = listNodes(forest, columns)
  const leaves = nodes.filter(({ isLeaf }) => isLeaf)
  return [
    textAttribute('aggregate_function', 'SUM'),
    textAttribute('post_transform', 'NONE'),
    integerAttribute('n_targets', 1),
    doublesAttribute('base_values_as_tensor', [0], (base) => base),
    integersAttribute('nodes_treeids', nodes, ({ tree }) => tree),
    integersAttribute('nodes_nodeids', nodes, ({ id }) => id),
    integersAttribute('nodes_featureids', nodes, ({ column }) => column),
    doublesAttribute('nodes_values_as_tensor', nodes, ({ isLeaf, number }) => (isLeaf ? 0 : number)),
    textsAttribute('nodes_modes', nodes, ({ isLeaf }) => (isLeaf ? 'LEAF' : 'BRANCH_LEQ')),
    integersAttribute('nodes_truenodeids', nodes, ({ left }) => left),
    integersAttribute('nodes_falsenodeids', nodes, ({ right }) => right),
    integersAttribute('nodes_missing_value_tracks_true', nodes, ({ missingLeft }) => missingLeft),
    integersAttribute('target_ids', leaves, () => 0),
    integersAttribute('target_treeids', leaves, ({ tree }) => tree),
    integersAttribute('target_nodeids', leaves, ({ id }) => id),
    doublesAttribute('target_weights_as_tensor', leaves, ({ number }) => number),
  ]
}

type OnnxNode = {
  readonly tree: number
  readonly id: number
  readonly isLeaf: boolean
  readonly column: number
  /** The threshold, or what a leaf adds. */
  readonly number: number
  readonly left: number
  readonly right: number
  readonly missingLeft: number
}

/** A forest without trees is one leaf of nothing: runtimes refuse an ensemble that is empty. */
const EMPTY: OnnxNode = { tree: 0, id: 0, isLeaf: true, column: 0, number: 0, left: 0, right: 0, missingLeft: 0 }

/** Every node, numbered within its tree as it is met, the root first: some runtimes take the first of a tree for its root. */
function listNodes(forest: Forest, columns: readonly string[]): OnnxNode[] {
  const columnOf = forest.featureNames.map((feature) => {
    const column = columns.indexOf(feature)
    if (column === -1) throw new RangeError(`the forest looks at "${feature}", which is not among the features of the model`)
    return column
  })
  const nodes: OnnxNode[] = forest.roots.length === 0 ? [EMPTY] : []
  forest.roots.forEach((root, tree) => {
    const members = [root]
    for (let id = 0; id < members.length; id++) {
      const at = members[id] as number
      const feature = forest.feature[at] as number
      if (feature === LEAF) {
        nodes.push({ ...EMPTY, tree, id, number: forest.value[at] as number })
        continue
      }
      const left = members.push(forest.left[at] as number) - 1
      const right = members.push(forest.right[at] as number) - 1
      const [column, number, missingLeft] = [columnOf[feature] as number, forest.threshold[at] as number, forest.missingLeft[at] as number]
      nodes.push({ tree, id, isLeaf: false, column, number, left, right, missingLeft })
    }
  })
  return nodes
}

/** `AttributeProto`: its name, its value in the field of its kind, and its kind. */
function attribute(name: string, kind: keyof typeof ATTRIBUTE, value: Bytes): Bytes {
  return join([textField(1, name), value, integerField(20, ATTRIBUTE[kind])])
}

function integerAttribute(name: string, value: number): Bytes {
  return attribute(name, 'integer', integerField(3, value))
}

function textAttribute(name: string, value: string): Bytes {
  return attribute(name, 'text', textField(4, value))
}

function integersAttribute<Item>(name: string, items: readonly Item[], of: (item: Item) => number): Bytes {
  return attribute(name, 'integers', integersField(8, items.map(of)))
}

function textsAttribute<Item>(name: string, items: readonly Item[], of: (item: Item) => string): Bytes {
  return attribute(name, 'texts', textsField(9, items.map(of)))
}

function doublesAttribute<Item>(name: string, items: readonly Item[], of: (item: Item) => number): Bytes {
  return attribute(name, 'tensor', messageField(5, float64Tensor(name, [items.length], items.map(of))))
}

function float64Scalar(name: string, value: number): Bytes {
  return float64Tensor(name, [], [value])
}

/** A `TensorProto`; `raw_data` is little-endian. */
function float64Tensor(name: string, shape: readonly number[], values: readonly number[]): Bytes {
  const raw = new DataView(new ArrayBuffer(values.length * 8))
  for (const [at, value] of values.entries()) raw.setFloat64(at * 8, value, true)
  const dimensions = shape.length === 0 ? [] : [integersField(1, shape)]
  return join([...dimensions, integerField(2, FLOAT64), textField(8, name), messageField(9, new Uint8Array(raw.buffer))])
}
