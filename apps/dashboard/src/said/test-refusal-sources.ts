// For tests: what a source of the service refuses with.

import { parseSync } from 'vite'

type Node = { type: string; [field: string]: unknown }

/** Of a text in a source: what is put there is not known. */
export const GAP = '{}'

export function wordsIn(text: string): readonly string[] {
  return text.replaceAll(/\{\w*\}/g, ' ').match(/\p{L}{2,}/gu) ?? []
}

export function refusalsIn({ path, text }: { readonly path: string; readonly text: string }): string[] {
  return textsIn(parseSync(path, text).program as unknown as Node, false)
}

/** Arguments of `Problem`, and texts that read as sentences: many a refusal is made elsewhere and handed to it. */
function textsIn(node: Node, isRefusal: boolean): string[] {
  const text = textOf(node)
  if (text !== undefined) {
    const own = (isRefusal && text.includes(' ')) || isSentence(text) ? [text] : []
    return node.type === 'TemplateLiteral' ? [...own, ...childrenOf(node.expressions).flatMap((each) => textsIn(each, false))] : own
  }
  if (isSaidToNobody(node)) return []
  if (isProblem(node)) {
    const [, message, ...rest] = node.arguments as Node[]
    return [...(message === undefined ? [] : textsIn(message, true)), ...rest.flatMap((each) => textsIn(each, false))]
  }
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

function isProblem(node: Node): boolean {
  return node.type === 'NewExpression' && nameOf(node.callee) === 'Problem'
}

/** Documentation, logs, errors that never leave the service. */
function isSaidToNobody(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) return true
  if (node.type === 'Property') return ['summary', 'description', 'title', 'help'].includes(nameOf(node.key))
  if (node.type === 'CallExpression') return /^(info|warn|error|debug|fatal)$/.test(nameOf((node.callee as Node).property))
  return node.type === 'NewExpression' && /Error$/.test(nameOf(node.callee))
}
