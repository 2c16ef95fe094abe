// What becomes of a brand's colour on a page, in words: shades are made of it until they can be read.

import { decimalNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { contrastOf, DARK_SHADE, LIGHT_SHADE, shadesOf } from './brand-shades.ts'

const LEAST_CONTRAST = 4.5

export type ColourUse = { readonly shade: string; readonly text: string }

/** Of `#rrggbb`: what buttons look like in both schemes, and how well white can be read on them (WCAG 2.2 §1.4.3 wants 4.5:1). */
export function colourUses(colour: string): { readonly light: ColourUse; readonly dark: ColourUse } {
  const shades = shadesOf(colour)
  return { light: buttonIn(colour, shades[LIGHT_SHADE]), dark: buttonIn(colour, shades[DARK_SHADE]) }
}

function buttonIn(colour: string, shade: string): ColourUse {
  const contrast = contrastText(shade)
  const own = contrastText(colour)
  if (shade.toLowerCase() === colour.toLowerCase()) {
    return { shade, text: t('{shade}, as you chose it: white text has a contrast of {contrast}:1.', { shade, contrast }) }
  }
  return {
    shade,
    text: t('{shade}, so that white text can be read: {contrast}:1, where your colour has {own}:1. The least is {least}:1.', {
      shade,
      contrast,
      own,
      least: decimalNumber(LEAST_CONTRAST, 1),
    }),
  }
}

/** Rounded down, so that what is too little never looks enough. */
function contrastText(colour: string): string {
  return decimalNumber(Math.floor(contrastOf(colour, '#ffffff') * 10) / 10, 1)
}

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}
