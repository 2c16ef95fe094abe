// ONNX models that never come to an end, for tests: a Loop without a condition and without a count.
import { type Bytes, integerField, join, messageField, textField, textsField } from '@roadworthy/prognostics/learning/protobuf'

/** `TensorProto.DataType`. */
const TYPES = { float32: 1, int64: 7, bool: 9 } as const
/** `AttributeProto.AttributeType`. */
const ATTRIBUTE = { integer: 2, graph: 5 } as const

/** `growing`: what the loop carries is twice as large after each turn. */
export function loopModel(kind: 'endless' | 'growing'): Bytes {
  const carry =
    kind === 'growing'
      ? node('Concat', ['before', 'before'], 'after', [
          join([textField(1, 'axis'), integerField(3, 1), integerField(20, ATTRIBUTE.integer)]),
        ])
      : node('Identity', ['before'], 'after')
  const body = graph(
    [node('Identity', ['goOn'], 'goesOn'), carry],
    [value('turn', 'int64', []), value('goOn', 'bool', []), value('before', 'float32')],
    [value('goesOn', 'bool', []), value('after', 'float32')],
  )
  const loop = node('Loop', ['', '', 'features'], 'out', [
    join([textField(1, 'body'), messageField(6, body), integerField(20, ATTRIBUTE.graph)]),
  ])
  const whole = graph([loop], [value('features', 'float32', ['rows', 2])], [value('out', 'float32', ['rows', 'columns'])])
  return join([integerField(1, 8), messageField(7, whole), messageField(8, join([textField(1, ''), integerField(2, 16)]))])
}

function node(operator: string, inputs: readonly string[], output: string, attributes: readonly Bytes[] = []): Bytes {
  return join([textsField(1, inputs), textField(2, output), textField(4, operator), ...attributes.map((each) => messageField(5, each))])
}

function graph(nodes: readonly Bytes[], inputs: readonly Bytes[], outputs: readonly Bytes[]): Bytes {
  const lists = [
    nodes.map((each) => messageField(1, each)),
    inputs.map((each) => messageField(11, each)),
    outputs.map((each) => messageField(12, each)),
  ]
  return join([textField(2, 'loop'), ...lists.flat()])
}

function value(name: string, type: keyof typeof TYPES, shape?: readonly (string | number)[]): Bytes {
  const dimensions = shape?.map((each) => messageField(1, typeof each === 'string' ? textField(2, each) : integerField(1, each)))
  const tensor = [integerField(1, TYPES[type]), ...(dimensions === undefined ? [] : [messageField(2, join(dimensions))])]
  return join([textField(1, name), messageField(2, messageField(1, join(tensor)))])
}
