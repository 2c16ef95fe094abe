// What stands in a gap of a phrase, whatever the phrases are about.

import type { Formats } from './formats.ts'
import type { Language, Units } from './languages.ts'

export type Reader = {
  readonly language: Language
  readonly units: Units
  readonly formats: Formats
  /** A text of a closed list: a phrase, a label, a name. */
  readonly textOf: (text: string) => string
}

export type Around = {
  readonly reader: Reader
  /** What stands in all gaps of the phrase. */
  readonly texts: readonly string[]
  /** For what is a phrase of its own; it stays as it came where no phrase knows it. */
  readonly translate: (text: string) => string
  /** The same, but `undefined` where no phrase knows it. */
  readonly known: (text: string) => string | undefined
}

/** Where `write` gives nothing, the phrase is not meant. */
export type Slot = { readonly pattern: string; readonly write: (text: string, around: Around) => string | undefined }

export type PhraseBook = {
  readonly phrases: readonly string[]
  /** By the name of the gap; `{count2}` is of the kind of `{count}`. */
  readonly slots: Readonly<Record<string, Slot>>
}

export const NUMBER = '-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?'

/** With the decimals it came with. */
export const number: Slot = {
  pattern: NUMBER,
  write: (text, { reader }) => reader.formats.decimalNumber(Number(text), decimalsOf(text)),
}

export const verbatim = (pattern: string): Slot => ({ pattern, write: (text) => text })

export function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}
