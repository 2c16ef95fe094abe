// Makes glyphs of a text of one script: conjuncts, vowels that are written before their consonant, joined letters, the places of marks. HarfBuzz
// does it, because the layout of fontkit fails on words of Malayalam, Gurmukhi and Telugu.

import type { Font } from 'fontkit'
import { BufferFlag, Direction, type GlyphInfo, type GlyphPosition, type Font as Shaper, Buffer as ShapingBuffer, shape } from 'harfbuzzjs'
import { type Component, type DrawnGlyph, subsetOf } from './glyph-subset.ts'
import { type Family, type Typeface, typefaceOf, type Weight } from './typefaces.ts'

/** Letters; digits are written from left to right among them. */
const rightToLeft = /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Before signs that are read from right to left, and mirrored therefore. */
export const RIGHT_TO_LEFT_MARK = '\u200f'

/** What one glyph may be made of; a syllable has some five. More of them, or wider ones, are drawn one by one. */
const MAX_COMPONENTS = 32
const MAX_OFFSET = 0x7fff
/** What one glyph may stand for: readers refuse texts of more than some 50 characters. */
const MAX_CHARACTERS = 32
/** A document names glyphs by 16 bits; with the glyphs of a typeface themselves these are far fewer. No language has as many syllables in use. */
const MAX_COMBINATIONS = 10_000
/** What a reader finds for a glyph whose text is that of the one before: draws nothing and ends no word. */
const WORD_JOINER = 0x2060

/**
 * What is drawn in one place, and the part of the text that it stands for. Its characters too are from left to right: readers turn words that are
 * read from right to left around character by character.
 */
export type Cluster = { readonly text: string; readonly glyphs: readonly Component[]; readonly advanceWidth: number }

/** One for all texts: its memory is not that of JavaScript, which gives unused ones back only between two documents. */
const buffer = new ShapingBuffer()

type OpenCluster = { readonly start: number; text: string; readonly glyphs: Component[]; advanceWidth: number }

/** From left to right, in units of the typeface. The text is of one script and one direction. */
export function shapeText(shaper: Shaper, marked: string): Cluster[] {
  const isMarked = marked.startsWith(RIGHT_TO_LEFT_MARK)
  const text = isMarked ? marked.slice(RIGHT_TO_LEFT_MARK.length) : marked
  buffer.reset()
  buffer.addText(text)
  buffer.setDirection(isMarked || rightToLeft.test(text) ? Direction.RTL : Direction.LTR)
  // Else it is the one of the machine, and letters of some languages have other forms.
  buffer.setLanguage('und')
  buffer.guessSegmentProperties()
  buffer.setFlags(BufferFlag.REMOVE_DEFAULT_IGNORABLES)
  shape(shaper, buffer)
  return clustersOf(text, buffer.getGlyphInfos(), buffer.getGlyphPositions())
}

function clustersOf(text: string, infos: readonly GlyphInfo[], positions: readonly GlyphPosition[]): Cluster[] {
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b)
  const isFromRight = rightToLeft.test(text)
  const inDrawnOrder = (part: string) => (isFromRight ? Array.from(part).reverse().join('') : part)
  // What has no glyph, such as a joiner, is with what is beside it.
  const texts = new Map(starts.map((start, nth) => [start, inDrawnOrder(text.slice(nth === 0 ? 0 : start, starts[nth + 1]))]))
  const clusters: OpenCluster[] = []
  for (const [nth, { codepoint: glyph, cluster: start }] of infos.entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[nth] ?? {}
    let cluster = clusters.at(-1)
    if (cluster?.start !== start) {
      cluster = { start, text: texts.get(start) ?? '', glyphs: [], advanceWidth: 0 }
      clusters.push(cluster)
    }
    cluster.glyphs.push({ glyph, x: cluster.advanceWidth + xOffset, y: yOffset })
    cluster.advanceWidth += xAdvance
  }
  return clusters
}

type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }
type PlacedGlyph = {
  readonly id: number
  readonly advanceWidth: number
  readonly codePoints: readonly number[]
  readonly position: Position
}

/**
 * The typeface for one document, as the PDF library wants it: it asks for glyphs by `layout`, a word at a time, and for those that it has used as a
 * font file.
 */
export function documentFont(family: Family, weight: Weight): Font {
  const typeface = typefaceOf(family, weight)
  const glyphs = new DocumentGlyphs(typeface)
  return Object.create(typeface.font, {
    layout: { value: (text: string) => glyphs.layout(text) },
    createSubset: { value: () => glyphs.subset() },
  }) as Font
}

class DocumentGlyphs {
  readonly #typeface: Typeface
  readonly #drawn: DrawnGlyph[] = []
  readonly #ids = new Map<string, number>()

  constructor(typeface: Typeface) {
    this.#typeface = typeface
  }

  layout(text: string) {
    const placed = shapeText(this.#typeface.shaper, text).flatMap((cluster) => this.#placed(cluster))
    const positions = placed.map(({ position }) => position)
    // The library changes the positions to its own units, and asks for the width after that.
    return {
      glyphs: placed,
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
      },
    }
  }

  subset() {
    const places = new Map<number, number>([[-1, 0]])
    const used: DrawnGlyph[] = [{ components: [{ glyph: 0, x: 0, y: 0 }], advanceWidth: this.#advanceWidthOf(0) }]
    return {
      includeGlyph: (id: number) => {
        const known = places.get(id)
        if (known !== undefined) return known
        const drawn = this.#drawn[id]
        if (drawn === undefined) throw new Error(`glyph ${id} was not laid out`)
        const place = used.push(drawn) - 1
        places.set(id, place)
        return place
      },
      encode: () => subsetOf(this.#typeface.tables, used),
    }
  }

  #placed({ text, glyphs, advanceWidth }: Cluster): PlacedGlyph[] {
    const characters = codePointsOf(text)
    const [first] = glyphs
    // Letters that are closer than they are wide, as kerning has it, are moved; readers take a gap for a space.
    if (glyphs.length === 1 && first !== undefined && advanceWidth <= this.#advanceWidthOf(first.glyph)) {
      return [this.#alone(first, characters, advanceWidth)]
    }
    const isNarrow = advanceWidth >= 0 && glyphs.every(({ x, y }) => Math.max(Math.abs(x), Math.abs(y), advanceWidth) <= MAX_OFFSET)
    const isShort = glyphs.length <= MAX_COMPONENTS && characters.length <= MAX_CHARACTERS
    if (isNarrow && isShort && this.#drawn.length < MAX_COMBINATIONS) {
      const id = this.#idOf({ components: glyphs, advanceWidth }, characters)
      return [{ id, advanceWidth, codePoints: characters, position: { xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 } }]
    }
    return glyphs.map((glyph, nth) => {
      const part = characters.slice(nth * MAX_CHARACTERS, (nth + 1) * MAX_CHARACTERS)
      return this.#alone(glyph, part.length === 0 ? [WORD_JOINER] : part, nth === glyphs.length - 1 ? advanceWidth : 0)
    })
  }

  #alone({ glyph, x, y }: Component, characters: readonly number[], xAdvance: number): PlacedGlyph {
    const advanceWidth = this.#advanceWidthOf(glyph)
    const codePoints = characters.slice(0, MAX_CHARACTERS)
    const drawn = { components: [{ glyph, x: 0, y: 0 }], advanceWidth }
    const id = this.#idOf(drawn, this.#drawn.length < MAX_COMBINATIONS ? codePoints : [])
    return { id, advanceWidth, codePoints, position: { xAdvance, yAdvance: 0, xOffset: x, yOffset: y } }
  }

  #advanceWidthOf(glyph: number): number {
    return this.#typeface.shaper.glyphHAdvance(glyph)
  }

  /** The same glyph with another text is another one. */
  #idOf(drawn: DrawnGlyph, characters: readonly number[]): number {
    const key = [...characters, '', drawn.advanceWidth, ...drawn.components.flatMap(({ glyph, x, y }) => [glyph, x, y])].join(' ')
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#drawn.push(drawn) - 1
    this.#ids.set(key, id)
    return id
  }
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}
