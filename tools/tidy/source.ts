// What a source file brings in and gives away, read from its tokens.

import { closingIndex, scanTokens, type Token, withoutComments } from './tokens.ts'

export type Import = {
  readonly specifier: string
  readonly line: number
  /** Nothing of it is left at run time. */
  readonly isTypeOnly: boolean
  /** Names as the other file exports them; `*` for all of them. */
  readonly names: readonly string[]
  readonly isReExport: boolean
}

export type Export = { readonly name: string; readonly line: number; readonly kind: 'value' | 'type' }

export type Source = {
  readonly path: string
  readonly text: string
  readonly tokens: readonly Token[]
  /** Without comments. */
  readonly code: readonly Token[]
  readonly imports: readonly Import[]
  readonly exports: readonly Export[]
}

const TYPE_DECLARATIONS = new Set(['type', 'interface'])
const DECLARATIONS = new Set(['const', 'let', 'var', 'function', 'class', 'enum', ...TYPE_DECLARATIONS])

export function parseSource(path: string, text: string): Source {
  const tokens = scanTokens(text)
  const code = withoutComments(tokens)
  const imports: Import[] = []
  const exports: Export[] = []
  for (const [i, token] of code.entries()) {
    if (token.kind !== 'word' || code[i - 1]?.text === '.' || code[i + 1]?.text === ':') continue
    if (token.text === 'import') {
      const found = readImport(code, i)
      if (found !== undefined) imports.push(found)
    } else if (token.text === 'export') {
      const reExport = readReExport(code, i)
      if (reExport === undefined) exports.push(...readExport(code, i))
      else imports.push(reExport)
    }
  }
  return { path, text, tokens, code, imports, exports }
}

function readImport(code: readonly Token[], at: number): Import | undefined {
  const line = code[at]?.line ?? 0
  const next = code[at + 1]
  if (next?.text === '.') return undefined
  if (next?.text === '(' || next?.kind === 'string') {
    const specifier = next.kind === 'string' ? next : code[at + 2]
    if (specifier?.kind !== 'string') return undefined
    return { specifier: specifier.text, line, isTypeOnly: false, names: next.kind === 'string' ? [] : ['*'], isReExport: false }
  }
  const from = findFrom(code, at)
  if (from === undefined) return undefined
  const isTypeOnly = next?.text === 'type' && !['from', ','].includes(code[at + 2]?.text ?? '')
  const clause = code.slice(at + (isTypeOnly ? 2 : 1), from.index)
  const { names, areAllTypes } = readClause(clause)
  return { specifier: from.specifier, line, isTypeOnly: isTypeOnly || areAllTypes, names, isReExport: false }
}

/** `from "…"` of the statement that starts at `at`: before any other statement can have begun. */
function findFrom(code: readonly Token[], at: number): { index: number; specifier: string } | undefined {
  for (let i = at + 1; i < code.length; i++) {
    const specifier = code[i + 1]
    if (code[i]?.text === 'from' && specifier?.kind === 'string') return { index: i, specifier: specifier.text }
    if (!['{', '}', ',', '*'].includes(code[i]?.text ?? '') && !['word', 'string'].includes(code[i]?.kind ?? '')) return undefined
  }
  return undefined
}

function readClause(clause: readonly Token[]): { names: string[]; areAllTypes: boolean } {
  const open = clause.findIndex(({ text }) => text === '{')
  const before = open === -1 ? clause : clause.slice(0, open)
  const names: string[] = []
  if (before.some(({ text }) => text === '*')) names.push('*')
  else if (before[0]?.kind === 'word') names.push('default')
  if (open === -1) return { names, areAllTypes: false }
  const items = splitByComma(clause.slice(open + 1, closingIndex(clause, open)))
  const isType = (item: readonly Token[]) => item[0]?.text === 'type' && item.length > 1 && item[1]?.text !== 'as'
  for (const item of items) names.push(item[isType(item) ? 1 : 0]?.text ?? '')
  return { names, areAllTypes: before.length === 0 && items.length > 0 && items.every(isType) }
}

function splitByComma(tokens: readonly Token[]): Token[][] {
  const items: Token[][] = [[]]
  for (const token of tokens) {
    if (token.text === ',') items.push([])
    else items.at(-1)?.push(token)
  }
  return items.filter((item) => item.length > 0)
}

function readReExport(code: readonly Token[], at: number): Import | undefined {
  const start = code[at + 1]?.text === 'type' ? at + 2 : at + 1
  const opening = code[start]?.text
  if (opening !== '{' && opening !== '*') return undefined
  const end = opening === '{' ? closingIndex(code, start) : start
  const from = opening === '*' ? findFrom(code, at) : code[end + 1]?.text === 'from' ? findFrom(code, end) : undefined
  if (from === undefined) return undefined
  const { names } = readClause(code.slice(start, end + 1))
  return { specifier: from.specifier, line: code[at]?.line ?? 0, isTypeOnly: start === at + 2, names, isReExport: true }
}

function readExport(code: readonly Token[], at: number): Export[] {
  const line = code[at]?.line ?? 0
  let i = at + 1
  if (code[i]?.text === 'default') return [{ name: 'default', line, kind: 'value' }]
  if (code[i]?.text === '{') {
    const items = splitByComma(code.slice(i + 1, closingIndex(code, i)))
    return items.map((item) => ({ name: item.at(-1)?.text ?? '', line, kind: 'value' as const }))
  }
  while (['async', 'abstract', 'declare'].includes(code[i]?.text ?? '')) i++
  const keyword = code[i]?.text ?? ''
  if (!DECLARATIONS.has(keyword)) return []
  if (code[i + 1]?.text === '*') i++
  // `export const enum` names itself one word later.
  if (code[i + 1]?.text === 'enum') i++
  const name = code[i + 1]
  if (name?.kind !== 'word') return []
  return [{ name: name.text, line, kind: TYPE_DECLARATIONS.has(keyword) ? 'type' : 'value' }]
}

/** Names that a file declares, at any depth, with the keyword that declares them. */
export function declaredNames(code: readonly Token[]): { keyword: string; name: string; line: number }[] {
  return code.flatMap((token, i) => {
    const name = code[i + 1]
    const isDeclaration = token.kind === 'word' && DECLARATIONS.has(token.text) && code[i - 1]?.text !== '.'
    // `type` and `interface` are names too, as in `{ type: 'x' }` and `import { type A }`.
    const isPlainWord = TYPE_DECLARATIONS.has(token.text) && !['=', '<', '{', 'extends'].includes(code[i + 2]?.text ?? '')
    if (!isDeclaration || isPlainWord || name?.kind !== 'word') return []
    return [{ keyword: token.text, name: name.text, line: name.line }]
  })
}
