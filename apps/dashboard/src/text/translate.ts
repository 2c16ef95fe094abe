// What people read, in their language. The English text is the key; a text with numbers or names in it is an ICU message
// (https://unicode-org.github.io/icu/userguide/format_parse/messages/). The texts of a language are loaded before any page, so `t` may also be
// called for constants. `languages.test.ts` finds texts that are missing in a language, and texts that are shown without `t`.

import { entryOf } from '@roadworthy/wording/entry-of'
import IntlMessageFormat from 'intl-messageformat'
import { createElement, Fragment, type ReactNode } from 'react'
import { language, locale } from './preferences.ts'

export type Texts = Readonly<Record<string, string>>

type Values = Readonly<Record<string, string | number>>
type RichValues = Readonly<Record<string, ReactNode | ((inner: ReactNode) => ReactNode)>>

let texts: Texts = {}
const formats = new Map<string, IntlMessageFormat>()

export function setTexts(given: Texts): void {
  texts = given
  formats.clear()
}

/** Beside those that are there already. */
export function addTexts(given: Texts): void {
  setTexts({ ...texts, ...given })
}

/** `t('{count, plural, one {# vehicle} other {# vehicles}}', { count })`. A text that is missing in the language is shown in English. */
export function t(message: string, values?: Values): string {
  if (values === undefined && !/[{'<]/.test(message)) return entryOf(texts, message) ?? message
  return String(formatOf(message).format(values))
}

/** A text of a closed list that is kept elsewhere, like the labels of signals. `languages.test.ts` knows those lists. */
export function tListed(text: string): string {
  return entryOf(texts, text) ?? text
}

/** A text with elements in it: `tRich('See <a>the invoices</a>.', { a: (inner) => <Link to="/invoices">{inner}</Link> })`. */
export function tRich(message: string, values: RichValues): ReactNode {
  const parts = formatOf(message).format<ReactNode>(withFragments(values))
  return Array.isArray(parts) ? createElement(Fragment, null, ...parts) : (parts as ReactNode)
}

/** What stands inside of a tag comes as a list of parts; as children of an element they need no keys. */
function withFragments(values: RichValues): Record<string, ReactNode | ((inner: ReactNode[]) => ReactNode)> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? (inner: ReactNode[]) => value(createElement(Fragment, null, ...inner)) : value,
    ]),
  )
}

function formatOf(message: string): IntlMessageFormat {
  const known = formats.get(message)
  if (known !== undefined) return known
  const text = entryOf(texts, message)
  // English plurals of an English text: a German form of "one" must not choose among English words.
  const format =
    text === undefined ? new IntlMessageFormat(message, language === 'en' ? locale : 'en') : new IntlMessageFormat(text, locale)
  formats.set(message, format)
  return format
}
