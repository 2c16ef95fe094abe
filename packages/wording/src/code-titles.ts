// What a fault code of SAE J2012 stands for: `camshaft position sensor A, bank 1: signal too low`. There are thousands of such titles, made of some
// hundred parts. A language has its parts and their order in `languages/*/codes/codes.json`; the keys are the English parts.

import { filled } from './filled.ts'
import { gapsIn, patternOf } from './pattern.ts'

/** English part to its translation. What stands in `{part}` and `{part2}` is made of parts itself; in `{no}` and `{no2}` stands a number or a letter. */
export type CodeParts = Readonly<Record<string, string>>

const GAPS: Readonly<Record<string, string>> = { part: '.+?', part2: '.+', no: '[A-Z\\d]{1,2}', no2: '[A-Z\\d]{1,2}' }

/** Longer than any title. What is longer stays as it came, so that no text can keep a page busy. */
const MAX_CHARACTERS = 250

/** A title that is not made of the parts is `undefined`, and so is one of which a part is not known: half a title is not shown. */
export function createCodeTitles(parts: CodeParts): (title: string) => string | undefined {
  const withoutGap = new Map(Object.entries(parts).filter(([part]) => !part.includes('{')))
  // The one with the most words of its own knows a title best.
  const patterns = Object.keys(parts)
    .filter((part) => part.includes('{'))
    .map((part) => patternOf(part, (gap) => GAPS[gap]))
    .sort((a, b) => ownLength(b.text) - ownLength(a.text))
  const translated = (title: string): string | undefined => {
    const known = withoutGap.get(title)
    if (known !== undefined) return known
    for (const pattern of patterns) {
      const found = gapsIn(pattern, title)
      if (found === undefined) continue
      const values = pattern.names.map((name, at) => [name, name.startsWith('part') ? translated(found[at] ?? '') : found[at]])
      if (values.every(([, value]) => value !== undefined)) return filled(parts[pattern.text] ?? '', Object.fromEntries(values))
    }
    return undefined
  }
  return (title) => (title.length > MAX_CHARACTERS ? undefined : translated(title))
}

function ownLength(part: string): number {
  return part.replace(/\{\w+\}/g, '').length
}
