// A function fits on a screen and a file in a head.

import path from 'node:path'
import { type Finding, isTest, type Repository } from './repository.ts'
import { closingIndex, type Token } from './tokens.ts'

const MAX_FUNCTION_LINES = 70
const MAX_FILE_LINES = 400
const MAX_ROUTES_FILE_LINES = 250

/** Written by a program and read by editors: as long as what it is made from. */
const GENERATED = /\/generated\//

/** A bracket pair after one of these is not a parameter list. */
const CONTROL_WORDS = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'return', 'await', 'typeof', 'of', 'in'])

export function checkSizes(repository: Repository): Finding[] {
  const findings: Finding[] = []
  for (const { path: file, text, code } of repository.sources.values()) {
    if (GENERATED.test(file)) continue
    const lineCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
    const most = /(^|\.)routes\./.test(path.posix.basename(file)) ? MAX_ROUTES_FILE_LINES : MAX_FILE_LINES
    if (lineCount > most) findings.push({ path: file, line: most + 1, message: `has ${lineCount} lines; ${most} is the most` })
    if (isTest(file)) continue
    const long = findFunctions(code).filter((each) => each.lineCount > MAX_FUNCTION_LINES)
    for (const each of long) {
      // Where one long function holds another, the inner one is the one to shorten.
      if (long.some((other) => other !== each && isWithin(other, each))) continue
      findings.push({ path: file, line: each.line, message: `${each.name} has ${each.lineCount} lines; ${MAX_FUNCTION_LINES} is the most` })
    }
  }
  return findings
}

type FoundFunction = { readonly name: string; readonly line: number; readonly lineCount: number }

function isWithin(inner: FoundFunction, outer: FoundFunction): boolean {
  return inner.line >= outer.line && inner.line + inner.lineCount <= outer.line + outer.lineCount && inner.lineCount < outer.lineCount
}

export function findFunctions(code: readonly Token[]): FoundFunction[] {
  const found: FoundFunction[] = []
  for (const [i, token] of code.entries()) {
    const body =
      token.text === '=>'
        ? arrowBody(code, i)
        : token.text === '(' && token.kind === 'punctuation'
          ? bodyAfterParameters(code, i)
          : undefined
    if (body === undefined) continue
    const end = code[closingIndex(code, body)]
    const line = token.line
    found.push({ name: nameBefore(code, i), line, lineCount: (end?.line ?? line) - line + 1 })
  }
  return found
}

function arrowBody(code: readonly Token[], arrow: number): number | undefined {
  return code[arrow + 1]?.text === '{' ? arrow + 1 : undefined
}

/** `name(…) {` or `name(…): Type {`, of a function or a method. */
function bodyAfterParameters(code: readonly Token[], open: number): number | undefined {
  const before = code[open - 1]
  const isNamed = before?.kind === 'word' ? !CONTROL_WORDS.has(before.text) : before?.text === '>' || before?.text === '*'
  if (!isNamed) return undefined
  const close = closingIndex(code, open)
  const after = code[close + 1]
  if (after?.text === '{') return close + 1
  return after?.text === ':' ? bodyAfterType(code, close + 2) : undefined
}

/** The brace that follows a return type. A brace where a type has to stand is part of the type. */
function bodyAfterType(code: readonly Token[], from: number): number | undefined {
  let isTypeExpected = true
  for (let i = from; i < code.length; i++) {
    const token = code[i]
    if (token === undefined) return undefined
    if (token.text === '{' && !isTypeExpected) return i
    if (['{', '(', '['].includes(token.text) && token.kind === 'punctuation') {
      i = closingIndex(code, i)
      isTypeExpected = false
    } else if (token.kind === 'punctuation') {
      if (!['|', '&', '<', '>', ',', '=>', '.'].includes(token.text)) return undefined
      isTypeExpected = token.text !== '>'
    } else isTypeExpected = ['is', 'keyof', 'typeof', 'readonly', 'asserts', 'extends'].includes(token.text)
  }
  return undefined
}

function nameBefore(code: readonly Token[], at: number): string {
  const name = code[at - 1]
  return code[at]?.text === '(' && name?.kind === 'word' && name.text !== 'function' ? name.text : 'a function'
}
