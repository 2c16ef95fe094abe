import type { CodeParts } from './code-titles.ts'
import { entryOf } from './entry-of.ts'
import type { Language } from './languages.ts'

type Texts = Readonly<Record<string, string>>

/** By the language; loaded with its first reader, and kept. The dashboard joins the same files to those of its pages. */
const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => ({}),
  de: async () => ({
    ...(await import('@roadworthy/wording/languages/de/names', { with: { type: 'json' } })).default,
    ...(await import('@roadworthy/wording/languages/de/said/said', { with: { type: 'json' } })).default,
  }),
  es: async () => ({
    ...(await import('@roadworthy/wording/languages/es/names', { with: { type: 'json' } })).default,
    ...(await import('@roadworthy/wording/languages/es/said/said', { with: { type: 'json' } })).default,
  }),
}
const loaded = new Map<Language, Promise<Texts>>()

/** What is there of the language: phrases, labels of signals, names of parts. A text that it lacks stays English. */
export async function textsOf(language: Language): Promise<(text: string) => string> {
  const loading = loaded.get(language) ?? loaders[language]()
  loaded.set(language, loading)
  const texts = await loading
  return (text) => entryOf(texts, text) ?? text
}

/** Those of the titles of fault codes, which are many; English needs none. */
const codeLoaders: Readonly<Record<Language, () => Promise<CodeParts>>> = {
  en: async () => ({}),
  de: async () => (await import('@roadworthy/wording/languages/de/codes/codes', { with: { type: 'json' } })).default,
  es: async () => (await import('@roadworthy/wording/languages/es/codes/codes', { with: { type: 'json' } })).default,
}

/** Node keeps the file with its first reader. */
export async function codePartsOf(language: Language): Promise<CodeParts> {
  return await codeLoaders[language]()
}
