// How messages to one person, or to one channel, are worded: in their language and units. Tables of a language are loaded with its first reader.

import { filled } from '@roadworthy/wording/filled'
import { formatsOf } from '@roadworthy/wording/formats'
import type { Language, Units } from '@roadworthy/wording/languages'
import { partName, partWords } from '@roadworthy/wording/part-names'
import { codePartsOf, textsOf } from '@roadworthy/wording/texts-of'
import type { MessageKey, WordTable } from './word-table.ts'

/** What a person or a channel chose; what they did not is as the service writes it. */
export type Choice = { readonly language: Language | undefined; readonly units: Units | undefined }

export type Wording = {
  readonly language: Language
  readonly say: (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string
  /** A sentence of the engine or of the service, which are stored in English and metric. One that is not known stays as it is. */
  readonly said: (text: string, timeZone: string) => string
  /** `High voltage`, as the beginning of a line. */
  readonly partName: (component: string) => string
  /** `high voltage`, inside of a sentence. */
  readonly partWords: (component: string) => string
  /** `29 Mar 2026, 01:30`. */
  readonly time: (at: Date, timeZone: string) => string
  /** Of `2026-03-29`. */
  readonly day: (day: string) => string
  /** Of `2026-03`. */
  readonly month: (month: string) => string
  /** Of `1234.50` and `EUR`. */
  readonly amount: (major: string, currency: string) => string
}

/** Of nobody who chose: English and metric, as the service writes. */
export const NO_CHOICE: Choice = { language: undefined, units: undefined }

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de', es: 'es' }

const tables: Readonly<Record<Language, () => Promise<WordTable>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
}

export async function wordingOf({ language = 'en', units = 'metric' }: Choice): Promise<Wording> {
  const locale = LOCALES[language]
  const table = await tables[language]()
  const textOf = await textsOf(language)
  // Of days, months and amounts English has the form that programs read, for webhooks say the same.
  const isEnglish = language === 'en'
  return {
    language,
    say: (key, values = {}) => filled(table[key], values),
    said: isEnglish && units === 'metric' ? (text) => text : await saidTo(language, units),
    partName: (component) => partName(component, textOf),
    partWords: (component) => partWords(component, language, textOf),
    time: (at, timeZone) => formatsOf(locale, timeZone).shortTime(at),
    day: (day) => (isEnglish ? day : formatsOf(locale, 'UTC').calendarDay(day)),
    month: (month) =>
      isEnglish
        ? month
        : new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`)),
    amount: (major, currency) => `${isEnglish ? major : amountText(major, locale)} ${currency}`,
  }
}

async function saidTo(language: Language, units: Units): Promise<Wording['said']> {
  const [{ createRecogniser }, { said }, { createCodeTitles }] = await Promise.all([
    import('@roadworthy/wording/recognise'),
    import('@roadworthy/wording/phrases'),
    import('@roadworthy/wording/code-titles'),
  ])
  const [textOf, titles] = [await textsOf(language), createCodeTitles(await codePartsOf(language))]
  return (text, timeZone) =>
    createRecogniser({ language, units, formats: formatsOf(LOCALES[language], timeZone), textOf }, said, titles)(text)
}

/** With the decimals it came with, and none lost: it never is a float. */
function amountText(major: string, locale: string): string {
  const decimals = major.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  return format.format(major as Intl.StringNumericLiteral)
}
