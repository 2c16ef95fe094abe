// For tests: what a source of the service refuses with.

import { parseSync } from 'vite'

type Node = { type: string; [field: string]: unknown }

/** Of a text in a source: what is put there is not known. */
export const GAP = '{}'

export function wordsIn(text: string): readonly string[] {
  return text.replaceAll(/\{\w*\}/g, ' ').match(/\p{L}{2,}/gu) ?? []
}

/** Errors whose message people are shown, and which argument it is. */
const SHOWN: Readonly<Record<string, number>> = {
  ...{ Problem: 1, OperatorError: 1, GatewayError: 1 },
  ...{ StepError: 0, ForbiddenTargetError: 0, ExchangeError: 0, NoAnswerError: 0, TimeoutError: 0 },
}
/** What these write is no sentence, and stands in one or alone. */
const FRAGMENTS = /\/(ingest\/wire-warnings|webhooks\/send-webhook|sims\/operators\/limits|service-kit\/src\/network\/guarded-request)\.ts$/

export function refusalsIn({ path, text }: { readonly path: string; readonly text: string }): string[] {
  const program = parseSync(path, text).program as unknown as Node
  return FRAGMENTS.test(path) ? fragmentsIn(program) : textsIn(program, false)
}

function fragmentsIn(node: Node): string[] {
  const text = textOf(node)
  if (text !== undefined) return text.includes(' ') ? [text] : []
  return node.type === 'ImportDeclaration' || node.type.startsWith('TS') ? [] : childrenOf(Object.values(node)).flatMap(fragmentsIn)
}

/** Arguments of `Problem`, and texts that read as sentences: many a refusal is made elsewhere and handed to it. */
function textsIn(node: Node, isRefusal: boolean): string[] {
  const text = textOf(node)
  if (text !== undefined) {
    const own = (isRefusal && text.includes(' ')) || isSentence(text) ? [text] : []
    return node.type === 'TemplateLiteral' ? [...own, ...childrenOf(node.expressions).flatMap((each) => textsIn(each, false))] : own
  }
  if (isSaidToNobody(node)) return []
  if (isShownError(node)) return (node.arguments as Node[]).flatMap((each, at) => textsIn(each, at === SHOWN[nameOf(node.callee)]))
  const isChoice = isRefusal && ['ConditionalExpression', 'LogicalExpression'].includes(node.type)
  return childrenOf(Object.values(node)).flatMap((each) => textsIn(each, isChoice))
}

function childrenOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(childrenOf)
  return typeof (value as Node | null)?.type === 'string' ? [value as Node] : []
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral') return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(GAP)
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const sides = [textOf(node.left as Node), textOf(node.right as Node)]
  return sides.includes(undefined) ? undefined : sides.join('')
}

function isSentence(text: string): boolean {
  return /^(\p{Lu}|"|\{\})/u.test(text) && /\.( ?\{\})*$/.test(text) && wordsIn(text).length >= 2
}

function nameOf(node: unknown): string {
  return String((node as Node | undefined)?.name ?? '')
}

function isShownError(node: Node): boolean {
  return node.type === 'NewExpression' && SHOWN[nameOf(node.callee)] !== undefined
}

/** Documentation, logs, errors that never leave the service. */
function isSaidToNobody(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) return true
  if (node.type === 'Property') return ['summary', 'description', 'title', 'help'].includes(nameOf(node.key))
  if (node.type === 'CallExpression') return /^(info|warn|error|debug|fatal)$/.test(nameOf((node.callee as Node).property))
  return node.type === 'NewExpression' && /Error$/.test(nameOf(node.callee)) && !isShownError(node)
}
