// Text that somebody chose, as it may stand on a printed page.

/** Stands for a character that no typeface has. */
export const MISSING = '\ufffd'

/** More marks on one letter than any language of the typefaces has; each would be drawn higher than the one before. */
const MAX_MARKS = 3
const surplusMarks = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu')

/** In these scripts a joiner or non-joiner after a letter or mark is a matter of spelling. */
const joiningScripts = [
  'Arabic',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
]
const joinable = joiningScripts.map((script) => `\\p{Script=${script}}`).join('')
/** What has no glyph of its own and changes how others are drawn, such as marks of direction. */
const invisible = new RegExp(`(?<![${joinable}])[\\u200c\\u200d]|(?![\\u200c\\u200d])\\p{Default_Ignorable_Code_Point}`, 'gu')

/**
 * One line of text that draws what it holds: white space and control characters are single spaces, marks of direction and other invisible
 * characters are gone, and what no typeface has is `MISSING`. At most `maxLength` characters.
 */
export function printable(text: string, isDrawable: (character: string) => boolean, maxLength: number): string {
  // What is cut is not looked at, however long it is.
  const shown = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(surplusMarks, '$1')
    .trim()
  const characters = Array.from(shown, (character) => (isDrawable(character) ? character : MISSING))
  const isCut = characters.length > maxLength || text.length > 4 * maxLength
  return isCut
    ? `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`
    : characters.join('')
}
