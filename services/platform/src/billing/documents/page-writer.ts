// Puts lines of text on A4 pages. Every text goes through `printable`, is wrapped here and never by the library, and has a most of lines, so that
// whatever somebody called their company, each text stays within its box.

import PDFDocument from 'pdfkit'
import { MISSING, printable } from './printable-text.ts'
import { documentFont } from './shape-text.ts'
import { type BaseDirection, directionOf, type Run, runsOf } from './text-runs.ts'
import { type Family, familyOf, type Weight } from './typefaces.ts'

/** A4 in points (1/72 inch). */
export const PAGE = { width: 595.28, height: 841.89, marginX: 48, top: 44, bottom: 64 } as const
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.marginX
export const BOTTOM = PAGE.height - PAGE.bottom

export const INK = '#1a1d21'
export const GREY = '#5c6570'
const RULE = '#d5dae0'

/** Noto Sans has tall lines, because of its Devanagari. */
const LINE_HEIGHT = 1.36
/** From the top of a line to its base line, on which all typefaces stand: that of Noto Sans. */
const ASCENT = 1.069
const SMALLEST_SIZE = 4
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Thai has no spaces between its words. */
const thai = /\p{Script=Thai}/u
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' })
const isDrawable = (character: string) => familyOf(character) !== undefined

export type Style = {
  readonly size: number
  readonly weight?: Weight
  readonly colour?: string
  readonly align?: 'left' | 'right'
}

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly maxLines: number }

export class PageWriter {
  readonly document: PDFKit.PDFDocument
  readonly #fonts = new Set<string>()
  readonly #widths = new Map<string, number>()
  /** Whether a character was drawn as `MISSING`. */
  hasMissing = false

  constructor(info: { readonly title: string; readonly author: string; readonly createdAt: Date }) {
    this.document = new PDFDocument({
      size: 'A4',
      // Nothing may start a page by itself.
      margin: 0,
      bufferPages: true,
      autoFirstPage: false,
      pdfVersion: '1.7',
      lang: 'en',
      displayTitle: true,
      // The identifier of the file is made from these: the same invoice gives the same bytes.
      // Who gets it knows the brand of the reseller alone: the properties of the file name no other.
      info: { Title: info.title, Author: info.author, CreationDate: info.createdAt, ModDate: info.createdAt },
    })
  }

  addPage(): void {
    this.document.addPage()
  }

  /** Draws the text from the top of the box and returns how high it is. */
  text(text: string, { x, y, width, maxLines }: Box, style: Style): number {
    const lines = this.wrap(text, width, maxLines, style)
    const direction = directionOf(text)
    for (const [nth, line] of lines.entries()) this.#draw(line, direction, { x, y: y + nth * lineHeight(style), width }, style)
    return lines.length * lineHeight(style)
  }

  /** A number must not be cut: it becomes smaller until it fits. */
  figure(text: string, { x, y, width }: Omit<Box, 'maxLines'>, style: Style): void {
    const shown = this.#printable(text, Number.MAX_SAFE_INTEGER)
    const fitting = style.size * Math.min(1, width / this.#widthOf(shown, style))
    const size = Math.max(SMALLEST_SIZE, fitting)
    // On the same base line.
    const at = { x, y: y + (style.size - size) * ASCENT, width }
    this.#draw(shown, directionOf(shown), at, { align: 'right', ...style, size })
  }

  rule(y: number, colour: string = RULE, lineWidth = 0.6): void {
    this.document
      .moveTo(PAGE.marginX, y)
      .lineTo(PAGE.width - PAGE.marginX, y)
      .lineWidth(lineWidth)
      .strokeColor(colour)
      .stroke()
  }

  /** The lines that the text needs, at most so many; the last one shows by `…` that there is more. */
  wrap(text: string, width: number, maxLines: number, style: Style): string[] {
    // A letter is hardly ever narrower than a fifth of its height.
    const words = this.#printable(text, Math.ceil((maxLines * width * 5) / style.size)).split(' ')
    const lines: string[] = []
    let line = ''
    for (const word of words) {
      const longer = line === '' ? word : `${line} ${word}`
      if (this.#widthOf(longer, style) <= width) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      const pieces = this.#pieces(word, width, style)
      lines.push(...pieces.slice(0, -1))
      line = pieces.at(-1) ?? ''
      if (lines.length > maxLines) break
    }
    if (line !== '') lines.push(line)
    return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), this.#ellipsized(lines[maxLines - 1] ?? '', width, style)]
  }

  /** A word in parts that each fit on a line. */
  #pieces(word: string, width: number, style: Style): string[] {
    if (this.#widthOf(word, style) <= width) return [word]
    const pieces: string[] = []
    let piece = ''
    let pieceWidth = 0
    for (const part of this.#parts(word, width, style)) {
      const partWidth = this.#widthOf(part, style)
      if (pieceWidth + partWidth > width && piece !== '') {
        pieces.push(piece)
        piece = ''
        pieceWidth = 0
      }
      piece += part
      // Together they are hardly ever wider: letters that are joined become narrower.
      pieceWidth += partWidth
    }
    return [...pieces, piece]
  }

  /** Between which a word may be broken. */
  #parts(word: string, width: number, style: Style): string[] {
    const words = thai.test(word) ? Array.from(thaiWords.segment(word), ({ segment }) => segment) : [word]
    return words.flatMap((each) =>
      this.#widthOf(each, style) <= width ? [each] : Array.from(graphemes.segment(each), ({ segment }) => segment),
    )
  }

  #ellipsized(line: string, width: number, style: Style): string {
    const kept = Array.from(graphemes.segment(line), ({ segment }) => segment)
    while (kept.length > 0 && this.#widthOf(`${kept.join('')}…`, style) > width) kept.pop()
    return `${kept.join('').trimEnd()}…`
  }

  #draw(line: string, direction: BaseDirection, { x, y, width }: Omit<Box, 'maxLines'>, style: Style): void {
    let left = style.align === 'right' ? x + width - this.#widthOf(line, style) : x
    for (const run of runsOf(line, direction)) {
      this.#useFont(run.family, style.weight, style.size)
      this.document.fillColor(style.colour ?? INK)
      this.document.text(run.text, left, y + style.size * ASCENT, { lineBreak: false, baseline: 'alphabetic' })
      left += this.document.widthOfString(run.text)
    }
  }

  #printable(text: string, maxLength: number): string {
    const shown = printable(text, isDrawable, maxLength)
    this.hasMissing ||= shown.includes(MISSING)
    return shown
  }

  /** Measured once a text: the words of an invoice are mostly the same ones. */
  #widthOf(text: string, { size, weight = 'regular' }: Style): number {
    const key = `${weight} ${text}`
    const known = this.#widths.get(key)
    if (known !== undefined) return known * size
    const width = runsOf(text, directionOf(text)).reduce((sum, run) => sum + this.#widthOfRun(run, weight), 0)
    this.#widths.set(key, width)
    return width * size
  }

  #widthOfRun({ text, family }: Run, weight: Weight): number {
    this.#useFont(family, weight, 1)
    return this.document.widthOfString(text)
  }

  /** Each typeface is read when the first text needs it. */
  #useFont(family: Family, weight: Weight = 'regular', size: number): void {
    const name = `${family} ${weight}`
    if (!this.#fonts.has(name)) {
      // The library takes a font that was read, which its types do not state.
      this.document.registerFont(name, documentFont(family, weight) as unknown as PDFKit.Mixins.PDFFontSource)
      this.#fonts.add(name)
    }
    this.document.font(name, size)
  }
}

export function lineHeight({ size }: Style): number {
  return size * LINE_HEIGHT
}
