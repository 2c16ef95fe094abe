// Text that somebody chose, as it may stand on a printed page.

/** Stands for a character that the typeface lacks. */
export const MISSING = '\ufffd'

/** More marks on one letter than any language of the typeface has; each would be drawn higher than the one before. */
const MAX_MARKS = 3
const surplusMarks = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu')

/** What has no glyph of its own and changes how others are drawn, such as marks of direction. */
const invisible = /(?<!\u094d)[\u200c\u200d]|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu

/**
 * One line of text that draws what it holds: white space and control characters are single spaces, marks of direction and other invisible
 * characters are gone, and what the typeface lacks is `MISSING`. At most `maxLength` characters.
 */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean, maxLength: number): string {
  // What is cut is not looked at, however long it is.
  const shown = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(surplusMarks, '$1')
    .trim()
  const characters = Array.from(shown, (character) => (hasGlyph(character.codePointAt(0) ?? 0) ? character : MISSING))
  const isCut = characters.length > maxLength || text.length > 4 * maxLength
  return isCut
    ? `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`
    : characters.join('')
}
