// The typefaces of the PDF: Noto Sans, in one family of files for some scripts each. All are under the SIL Open Font License, which allows parts of
// them in documents. A file is read when the first text of its script is drawn in a thread; only the glyphs that are used get into a PDF. The packages
// take 40 MB; those of Chinese (96 MB) and Japanese (50 MB) are left out for their size.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import { Blob, Face, Font as Shaper } from 'harfbuzzjs'
import { readTables, type TrueTypeTables } from './glyph-subset.ts'

export type Weight = 'regular' | 'bold'
export type Family = keyof typeof families
export type Typeface = { readonly font: Font; readonly shaper: Shaper; readonly tables: TrueTypeTables }

/**
 * The first one has digits, punctuation and currency signs, and the scripts that need no family of their own. Another one is only asked for
 * characters of its script, so that its file is not read for anything else.
 */
const families = {
  NotoSans: { folder: 'noto-sans', characters: /./su },
  NotoSansTamil: { folder: 'noto-sans-tamil', characters: /\p{scx=Tamil}/u },
  NotoSansTelugu: { folder: 'noto-sans-telugu', characters: /\p{scx=Telugu}/u },
  NotoSansKannada: { folder: 'noto-sans-kannada', characters: /\p{scx=Kannada}/u },
  NotoSansMalayalam: { folder: 'noto-sans-malayalam', characters: /\p{scx=Malayalam}/u },
  NotoSansBengali: { folder: 'noto-sans-bengali', characters: /\p{scx=Bengali}/u },
  NotoSansGujarati: { folder: 'noto-sans-gujarati', characters: /\p{scx=Gujarati}/u },
  NotoSansGurmukhi: { folder: 'noto-sans-gurmukhi', characters: /\p{scx=Gurmukhi}/u },
  NotoSansOriya: { folder: 'noto-sans-oriya', characters: /\p{scx=Oriya}/u },
  NotoSansSinhala: { folder: 'noto-sans-sinhala', characters: /\p{scx=Sinhala}/u },
  NotoSansThai: { folder: 'noto-sans-thai', characters: /[\p{scx=Thai}฿]/u },
  NotoSansArabic: { folder: 'noto-sans-arabic', characters: /\p{scx=Arabic}/u },
  NotoSansHebrew: { folder: 'noto-sans-hebrew', characters: /\p{scx=Hebrew}/u },
} as const
export const familyNames = Object.keys(families) as readonly Family[]
const folders: Readonly<Record<Weight, string>> = { regular: '400Regular', bold: '700Bold' }

/** They join or part what is beside them, and have no glyph. */
const joiner = /[\u200c\u200d]/

const require = createRequire(import.meta.url)
const typefaces: Readonly<Record<Weight, Map<Family, Typeface>>> = { regular: new Map(), bold: new Map() }

/** Both weights have the same characters. Documents share it: reading its tables takes longer than drawing a short invoice. */
export function typefaceOf(family: Family, weight: Weight): Typeface {
  const known = typefaces[weight].get(family)
  if (known !== undefined) return known
  const folder = `@expo-google-fonts/${families[family].folder}/${folders[weight]}`
  const file = readFileSync(require.resolve(`${folder}/${family}_${folders[weight]}.ttf`))
  const typeface = { font: create(file) as Font, shaper: new Shaper(new Face(new Blob(file))), tables: readTables(file) }
  typefaces[weight].set(family, typeface)
  return typeface
}

/** The first family that has every character of the text. */
export function familyOf(text: string): Family | undefined {
  const characters = Array.from(text).filter((character) => !joiner.test(character))
  return familyNames.find((family) => characters.every((character) => hasGlyph(family, character)))
}

function hasGlyph(family: Family, character: string): boolean {
  const isOfFamily = families[family].characters.test(character)
  return isOfFamily && typefaceOf(family, 'regular').shaper.nominalGlyph(character.codePointAt(0) ?? 0) !== undefined
}
