// The typeface of the PDF: Noto Sans, which has Latin with all diacritics, Greek, Cyrillic, Devanagari and the signs of currencies. It is under
// the SIL Open Font License, which allows parts of it in documents. Each file is read once in a thread; only the glyphs that are used get into a
// PDF.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

export type Typeface = 'regular' | 'bold'

const require = createRequire(import.meta.url)
const paths: Readonly<Record<Typeface, string>> = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
}
const fonts = new Map<Typeface, Font>()

/** Both have the same characters. Documents share it: reading its tables takes longer than drawing a short invoice. */
export function fontOf(typeface: Typeface): Font {
  const known = fonts.get(typeface)
  if (known !== undefined) return known
  const font = create(readFileSync(require.resolve(paths[typeface]))) as Font
  fonts.set(typeface, font)
  return font
}
