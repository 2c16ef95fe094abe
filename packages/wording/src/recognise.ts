// From a text of the service to the same text for its reader. Loaded only for who reads another language or other units than the service writes.

import { filled } from './filled.ts'
import { phrases } from './phrases.ts'
import { literally, type Reader, slots, unitOf } from './slots.ts'

/** Longer than any text the service stores. What is longer stays as it came, so that no text can keep a page busy. */
const MAX_CHARACTERS = 4_000
const MAX_KEPT = 2_000
/** Of texts that are joined to one. */
const MAX_PIECES = 12

type Pattern = { readonly phrase: string; readonly names: readonly string[]; readonly beginning: string; readonly expression: RegExp }

/** Most phrases have no gap, and are looked up. */
const withoutGap: ReadonlySet<string> = new Set(phrases.filter((phrase) => !phrase.includes('{')))
const patterns = phrases.filter((phrase) => phrase.includes('{')).map(patternOf)

export type Recogniser = (text: string) => string

/** It keeps what it was asked: pages ask for the same texts again and again. */
export function createRecogniser(reader: Reader): Recogniser {
  const kept = new Map<string, string>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    if (text.length > MAX_CHARACTERS) return text
    const result = translated(text, reader)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(text, result)
    return result
  }
}

/** A whole phrase, or several in a row: reasons are joined by `; `, recommendations by `. `. A piece that is not known stays as it came. */
function translated(text: string, reader: Reader): string {
  return whole(text, reader) ?? inARow(text, reader) ?? text
}

function whole(text: string, reader: Reader): string | undefined {
  return written(text, reader) ?? withAddition(text, reader) ?? withFullStop(text, reader)
}

function written(text: string, reader: Reader): string | undefined {
  if (withoutGap.has(text)) return reader.textOf(text)
  for (const { phrase, names, beginning, expression } of patterns) {
    const found = text.startsWith(beginning) ? expression.exec(text) : null
    if (found === null) continue
    const texts = found.slice(1)
    const around = { reader, unit: unitOf(texts), translate: (inner: string) => translated(inner, reader) }
    const values = names.map((name, at) => [name, slots[name]?.write(texts[at] ?? '', around) ?? ''])
    return filled(reader.textOf(phrase), Object.fromEntries(values))
  }
  return undefined
}

/** `Engine overheating (comes and goes: …)`, `… (normally at most 102 °C; 60 % of the health that is lost)`. */
function withAddition(text: string, reader: Reader): string | undefined {
  const from = text.endsWith(')') ? openingOf(text) : -1
  const head = from > 0 ? written(text.slice(0, from).trimEnd(), reader) : undefined
  return head === undefined ? undefined : `${head} (${translated(text.slice(from + 1, -1), reader)})`
}

function withFullStop(text: string, reader: Reader): string | undefined {
  if (!text.endsWith('.')) return undefined
  const sentence = written(text.slice(0, -1), reader)
  return sentence === undefined ? undefined : `${sentence}.`
}

/** Where the last bracket opens that closes at the end. */
function openingOf(text: string): number {
  let depth = 0
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(' && --depth === 0) return at
  }
  return -1
}

/** Takes the longest phrases first, for some hold a separator themselves. */
function inARow(text: string, reader: Reader): string | undefined {
  const pieces = piecesOf(text)
  if (pieces.length === 1 || pieces.length > MAX_PIECES) return undefined
  let result = ''
  let isKnown = false
  for (let at = 0; at < pieces.length; ) {
    const [known, next] = longestFrom(pieces, at, reader)
    isKnown ||= known !== undefined
    result += (known ?? pieces[at]?.text ?? '') + (pieces[next - 1]?.separator ?? '')
    at = next
  }
  return isKnown ? result : undefined
}

/** The phrase that begins at this piece, and the piece after it. */
function longestFrom(pieces: readonly Piece[], from: number, reader: Reader): [known: string | undefined, next: number] {
  for (let to = pieces.length; to > from; to--) {
    const last = pieces[to - 1]
    const before = pieces.slice(from, to - 1).map(({ text, separator }) => text + separator)
    const known = whole(`${before.join('')}${last?.text ?? ''}`, reader)
    if (known !== undefined) return [known, to]
  }
  return [undefined, from + 1]
}

type Piece = { readonly text: string; readonly separator: string }

/** Cut at `; ` and `. `, but not inside of brackets. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
    if (depth > 0 || text[at + 1] !== ' ' || (text[at] !== ';' && text[at] !== '.')) continue
    pieces.push({ text: text.slice(from, at), separator: text.slice(at, at + 2) })
    from = at + 2
  }
  return [...pieces, { text: text.slice(from), separator: '' }]
}

function patternOf(phrase: string): Pattern {
  const names: string[] = []
  const source = phrase.split(/\{(\w+)\}/).map((part, at) => {
    if (at % 2 === 0) return literally(part)
    const slot = slots[part]
    if (slot === undefined) throw new Error(`No slot is called ${part}: ${phrase}`)
    names.push(part)
    return `(${slot.pattern})`
  })
  return { phrase, names, beginning: phrase.slice(0, phrase.indexOf('{')), expression: new RegExp(`^${source.join('')}$`) }
}
