// Forests as an ONNX model, written byte by byte: the format is a few nested messages (onnx/onnx-ml.proto), and a library for it would be a
// hundred times this file.
//
// The graph: `features` (float32, rows × columns, NaN for a missing value) → Cast to float64 → for each output a TreeEnsembleRegressor →
// what is done to its sum → the output (float32, rows × 1). Thresholds and leaves are float32 values written as float64, so that a runtime
// decides and adds as we do: the trees of a forest of 350 add up to within the rounding of the answer itself, where sums in float32 were
// measured 5e-5 away.
import { type Forest, LEAF } from './forest.ts'
import { type Bytes, integerField, integersField, join, messageField, textField, textsField } from './protobuf.ts'

/** What is done to the sum of a forest, in order. */
export type OnnxStep =
  | { readonly kind: 'sigmoid' }
  | { readonly kind: 'clip'; readonly min: number; readonly max: number }
  | { readonly kind: 'scale'; readonly factor: number; readonly offset: number }

export type OnnxOutput = {
  readonly name: string
  readonly forest: Forest
  /** Nothing when left out, but for a logistic forest: its answer is the probability. */
  readonly steps?: readonly OnnxStep[]
}

export type OnnxModelText = {
  readonly name: string
  readonly description: string
  /** The order of the columns; every feature of every forest must be among them. Those of the first forest when left out. */
  readonly features?: readonly string[]
  /** Kept in the file as `metadata_props`. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** ONNX 1.11 (2022): the first with float64 trees. ONNX Runtime reads it from 1.11 on. */
export const ONNX_IR_VERSION = 8
export const ONNX_OPSET = 16
export const ONNX_ML_OPSET = 3

/** The one input of the graph. */
export const ONNX_INPUT = 'features'

const CAST_INPUT = 'features_float64'
const ROWS = 'rows'
const ML_DOMAIN = 'ai.onnx.ml'

/** `TensorProto.DataType`. */
const FLOAT32 = 1
const FLOAT64 = 11
/** `AttributeProto.AttributeType`. */
const ATTRIBUTE = { integer: 2, text: 3, tensor: 4, integers: 7, texts: 8 } as const

/** One forest as an ONNX model with one output. */
export function forestToOnnx(forest: Forest, text: OnnxModelText, outputName = 'prediction'): Uint8Array {
  return forestsToOnnx([{ name: outputName, forest }], text)
}

/** Several forests that look at the same row, for example the quantiles of one prediction, as one ONNX model with an output for each. */
export function forestsToOnnx(outputs: readonly OnnxOutput[], { name, description, features, metadata = {} }: OnnxModelText): Uint8Array {
  const columns = features ?? outputs[0]?.forest.featureNames ?? []
  const names = [ONNX_INPUT, CAST_INPUT, ...outputs.map((output) => output.name)]
  if (outputs.length === 0 || new Set(names).size !== names.length) throw new RangeError('every output needs a name of its own')
  const graph = [
    messageField(1, node('Cast', 'cast', [ONNX_INPUT], CAST_INPUT, [integerAttribute('to', FLOAT64)])),
    ...outputs.flatMap((output) => outputNodes(output, columns)),
    textField(2, name),
    ...outputs.flatMap(stepConstants).map((tensor) => messageField(5, tensor)),
    textField(10, description),
    messageField(11, matrix(ONNX_INPUT, columns.length)),
    ...outputs.map((output) => messageField(12, matrix(output.name, 1))),
  ]
  const properties = { ...metadata, features: JSON.stringify(columns), outputs: JSON.stringify(outputs.map((output) => output.name)) }
  return join([
    integerField(1, ONNX_IR_VERSION),
    textField(2, 'roadworthy'),
    textField(6, description),
    messageField(7, join(graph)),
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

/** `NodeProto`. */
function node(operator: string, name: string, inputs: readonly string[], output: string, attributes: readonly Bytes[], domain = ''): Bytes {
  return join([
    textsField(1, inputs),
    textField(2, output),
    textField(3, name),
    textField(4, operator),
    ...attributes.map((attribute) => messageField(5, attribute)),
    textField(7, domain),
  ])
}

const stepsOf = ({ forest, steps }: OnnxOutput): readonly OnnxStep[] => steps ?? (forest.loss === 'logistic' ? [{ kind: 'sigmoid' }] : [])

/** The nodes from the row to one output, each a field of the graph. */
function outputNodes(output: OnnxOutput, columns: readonly string[]): Bytes[] {
  const { name } = output
  const steps = stepsOf(output)
  const value = (done: number) => (done === steps.length ? name : `${name}_${done}`)
  const nodes = [node('TreeEnsembleRegressor', `${name}_trees`, [CAST_INPUT], value(0), treeAttributes(output.forest, columns), ML_DOMAIN)]
  steps.forEach((step, at) => {
    const [from, to, constant] = [value(at), value(at + 1), `${name}_${at}`]
    switch (step.kind) {
      case 'sigmoid':
        nodes.push(node('Sigmoid', `${constant}_sigmoid`, [from], to, []))
        return
      case 'clip':
        nodes.push(node('Clip', `${constant}_clip`, [from, `${constant}_min`, `${constant}_max`], to, []))
        return
      case 'scale':
        nodes.push(node('Mul', `${constant}_mul`, [from, `${constant}_factor`], `${to}_scaled`, []))
        nodes.push(node('Add', `${constant}_add`, [`${to}_scaled`, `${constant}_offset`], to, []))
    }
  })
  return nodes.map((each) => messageField(1, each))
}

/** The numbers that the steps of an output need, as initializers of the graph. */
function stepConstants(output: OnnxOutput): Bytes[] {
  return stepsOf(output).flatMap((step, at) => {
    const constant = (what: string, value: number) => float32Scalar(`${output.name}_${at}_${what}`, value)
    switch (step.kind) {
      case 'clip':
        return [constant('min', step.min), constant('max', step.max)]
      case 'scale':
        return [constant('factor', step.factor), constant('offset', step.offset)]
      default:
        return []
    }
  })
}

/** Attributes of a TreeEnsembleRegressor (ai.onnx.ml, version 3): a column for everything that is said of a node. */
function treeAttributes(forest: Forest, columns: readonly string[]): Bytes[] {
  const nodes = listNodes(forest, columns)
  const leaves = nodes.filter(({ isLeaf }) => isLeaf)
  return [
    textAttribute('aggregate_function', 'SUM'),
    textAttribute('post_transform', 'NONE'),
    integerAttribute('n_targets', 1),
    doublesAttribute('base_values_as_tensor', [forest.base], (base) => base),
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

/** A `TensorProto` of float64; `raw_data` is little-endian. */
function doublesAttribute<Item>(name: string, items: readonly Item[], of: (item: Item) => number): Bytes {
  const raw = new DataView(new ArrayBuffer(items.length * 8))
  for (const [at, item] of items.entries()) raw.setFloat64(at * 8, of(item), true)
  const tensor = [
    integersField(1, [items.length]),
    integerField(2, FLOAT64),
    textField(8, name),
    messageField(9, new Uint8Array(raw.buffer)),
  ]
  return attribute(name, 'tensor', messageField(5, join(tensor)))
}

function float32Scalar(name: string, value: number): Bytes {
  const raw = new DataView(new ArrayBuffer(4))
  raw.setFloat32(0, value, true)
  return join([integerField(2, FLOAT32), textField(8, name), messageField(9, new Uint8Array(raw.buffer))])
}
