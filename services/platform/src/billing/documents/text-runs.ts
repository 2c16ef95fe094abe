// A line of text as it is drawn: pieces that each have one typeface, one script and one direction, from left to right (Unicode Annex 9).

import { createRequire } from 'node:module'
import { RIGHT_TO_LEFT_MARK } from './shape-text.ts'
import { type Family, familyOf } from './typefaces.ts'

export type BaseDirection = 'ltr' | 'rtl'

export type Run = {
  readonly text: string
  readonly family: Family
}

type Piece = { text: string; family: Family; script: string | undefined; readonly level: number }

// Its types describe a default export, where Node.js finds the function itself.
const bidi = (createRequire(import.meta.url)('bidi-js') as typeof import('bidi-js').default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Latin with diacritics, digits and punctuation: nothing to look up. */
const plain = /^[\u0020-\u024f\u2010-\u2027]*$/
const rightToLeft = /[\p{scx=Arabic}\p{scx=Hebrew}]/u
const scripts = [
  ...['Latin', 'Greek', 'Cyrillic', 'Devanagari', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Bengali', 'Gujarati', 'Gurmukhi', 'Oriya'],
  ...['Sinhala', 'Thai', 'Arabic', 'Hebrew'],
].map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }))

/** That of its first letter. */
export function directionOf(text: string): BaseDirection {
  if (!rightToLeft.test(text)) return 'ltr'
  const [paragraph] = bidi.getEmbeddingLevels(text, 'auto').paragraphs
  return paragraph?.level === 1 ? 'rtl' : 'ltr'
}

/** From left to right. The line holds printable characters only; its direction is that of the text that it is a line of. */
export function runsOf(line: string, direction: BaseDirection): Run[] {
  if (plain.test(line)) return line === '' ? [] : [{ text: line, family: 'NotoSans' }]
  const levels = rightToLeft.test(line) ? bidi.getEmbeddingLevels(line, direction).levels : undefined
  return inVisualOrder(piecesOf(line, levels)).map(({ text, family, script, level }) => {
    const isSign = script === undefined && level % 2 === 1
    return { text: isSign ? RIGHT_TO_LEFT_MARK + text : text, family }
  })
}

function piecesOf(line: string, levels: Uint8Array | undefined): Piece[] {
  const pieces: Piece[] = []
  for (const { segment, index } of graphemes.segment(line)) {
    const level = levels?.[index] ?? 0
    const family = familyOf(segment)
    // Where no family has all of it, such as a letter with a mark of another script, each character has its own.
    const parts = family === undefined ? Array.from(segment) : [segment]
    for (const text of parts) addPiece(pieces, { text, family: family ?? familyOf(text) ?? 'NotoSans', script: scriptOf(text), level })
  }
  return pieces
}

function scriptOf(text: string): string | undefined {
  return scripts.find(({ letter }) => letter.test(text))?.name
}

function addPiece(pieces: Piece[], next: Piece): void {
  const last = pieces.at(-1)
  if (last === undefined || !isOnePiece(last, next)) {
    pieces.push(next)
    return
  }
  last.text += next.text
  last.script ??= next.script
}

/** Signs take the script of what is beside them. Those that are read from right to left stand alone, each to be mirrored. */
function isOnePiece(last: Piece, next: Piece): boolean {
  if (last.family !== next.family || last.level !== next.level) return false
  if (last.script === undefined && next.script === undefined) return next.level % 2 === 0
  return last.script === undefined || next.script === undefined || last.script === next.script
}

/** Rule L2: from the highest level down, whatever is on that level or above is turned around. */
function inVisualOrder(pieces: readonly Piece[]): Piece[] {
  let ordered = [...pieces]
  for (let level = Math.max(0, ...pieces.map((piece) => piece.level)); level > 0; level--) {
    const turned: Piece[] = []
    let turnFrom = 0
    for (const piece of ordered) {
      if (piece.level < level) {
        turned.push(piece)
        turnFrom = turned.length
      } else turned.splice(turnFrom, 0, piece)
    }
    ordered = turned
  }
  return ordered
}
