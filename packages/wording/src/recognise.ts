// From a text of the service to the same text for its reader. Loaded only for who reads another language or other units than the service writes.

import { filled } from './filled.ts'
import { gapsIn, type Pattern, patternOf } from './pattern.ts'
import type { PhraseBook, Reader } from './slot.ts'

/** Longer than any text the service stores. What is longer stays as it came, so that no text can keep a page busy. */
const MAX_CHARACTERS = 4_000
const MAX_KEPT = 2_000
/** Of texts that are joined to one. */
const MAX_PIECES = 12

/** Most phrases have no gap, and are looked up. */
type Known = { readonly withoutGap: ReadonlySet<string>; readonly patterns: readonly Pattern[]; readonly slots: PhraseBook['slots'] }
const knownOf = new WeakMap<PhraseBook, Known>()

export type Recogniser = (text: string) => string
type Otherwise = (text: string) => string | undefined
type Asked = Known & { readonly reader: Reader; readonly otherwise: Otherwise }

/**
 * It keeps what it was asked: pages ask for the same texts again and again. `otherwise` is asked for a text, or a piece of one, that no phrase knows;
 * what it does not know either stays as it came.
 */
export function createRecogniser(reader: Reader, book: PhraseBook, otherwise: Otherwise = () => undefined): Recogniser {
  const known = knownOf.get(book) ?? read(book)
  knownOf.set(book, known)
  const asked = { ...known, reader, otherwise }
  const kept = new Map<string, string>()
  return (text) => {
    const before = kept.get(text)
    if (before !== undefined) return before
    if (text.length > MAX_CHARACTERS) return text
    const result = translated(text, asked)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(text, result)
    return result
  }
}

/** A whole phrase, or several in a row: reasons are joined by `; `, recommendations by `. `. A piece that is not known stays as it came. */
function translated(text: string, asked: Asked): string {
  return known(text, asked) ?? text
}

function known(text: string, asked: Asked): string | undefined {
  return whole(text, asked) ?? inARow(text, asked)
}

function whole(text: string, asked: Asked): string | undefined {
  return written(text, asked) ?? withAddition(text, asked) ?? withFullStop(text, asked)
}

function written(text: string, asked: Asked): string | undefined {
  const { withoutGap, patterns, slots, reader, otherwise } = asked
  if (withoutGap.has(text)) return reader.textOf(text)
  for (const pattern of patterns) {
    const texts = gapsIn(pattern, text)
    if (texts === undefined) continue
    const around = { reader, texts, translate: (inner: string) => translated(inner, asked), known: (inner: string) => known(inner, asked) }
    const values = pattern.names.map((name, at) => [name, slots[kindOf(name)]?.write(texts[at] ?? '', around)])
    if (values.every(([, value]) => value !== undefined)) return filled(reader.textOf(pattern.text), Object.fromEntries(values))
  }
  return otherwise(text)
}

function kindOf(gap: string): string {
  return gap.replace(/\d$/, '')
}

/** `Engine overheating (comes and goes: …)`, `… (normally at most 102 °C; 60 % of the health that is lost)`. */
function withAddition(text: string, asked: Asked): string | undefined {
  const from = text.endsWith(')') ? openingOf(text) : -1
  const head = from > 0 ? written(text.slice(0, from).trimEnd(), asked) : undefined
  return head === undefined ? undefined : `${head} (${translated(text.slice(from + 1, -1), asked)})`
}

function withFullStop(text: string, asked: Asked): string | undefined {
  if (!text.endsWith('.')) return undefined
  const sentence = written(text.slice(0, -1), asked)
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
function inARow(text: string, asked: Asked): string | undefined {
  const pieces = piecesOf(text)
  if (pieces.length === 1 || pieces.length > MAX_PIECES) return undefined
  let result = ''
  let isKnown = false
  for (let at = 0; at < pieces.length; ) {
    const [known, next] = longestFrom(pieces, at, asked)
    isKnown ||= known !== undefined
    result += (known ?? pieces[at]?.text ?? '') + (pieces[next - 1]?.separator ?? '')
    at = next
  }
  return isKnown ? result : undefined
}

/** The phrase that begins at this piece, and the piece after it. */
function longestFrom(pieces: readonly Piece[], from: number, asked: Asked): [known: string | undefined, next: number] {
  for (let to = pieces.length; to > from; to--) {
    const last = pieces[to - 1]
    const before = pieces.slice(from, to - 1).map(({ text, separator }) => text + separator)
    const text = `${before.join('')}${last?.text ?? ''}`
    const known = whole(text, asked) ?? (last?.separator === '. ' ? sentence(text, asked) : undefined)
    if (known !== undefined) return [known, to]
  }
  return [undefined, from + 1]
}

/** A phrase that ends with a full stop, of which the separator has taken it. */
function sentence(text: string, asked: Asked): string | undefined {
  const known = written(`${text}.`, asked)
  return known?.endsWith('.') ? known.slice(0, -1) : undefined
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

function read({ phrases, slots }: PhraseBook): Known {
  const patterns = phrases.filter((phrase) => phrase.includes('{')).map((phrase) => patternOf(phrase, (gap) => slots[kindOf(gap)]?.pattern))
  return { withoutGap: new Set(phrases.filter((phrase) => !phrase.includes('{'))), patterns, slots }
}
