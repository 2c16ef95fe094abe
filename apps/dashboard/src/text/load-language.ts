// The texts of a language come in parts: those of the first page (what stands around every page, signing in and the overview), those of all other
// pages, those of the sentences of the service, those of the titles of fault codes, and those of refusals.

import { formatsOf } from '@roadworthy/wording/formats'
import { setRefusals } from '../said/refused.ts'
import { setRecogniser } from '../said/said.ts'
import { language, locale, timeZone, units } from './preferences.ts'
import { addTexts, tListed } from './translate.ts'

const none = async () => ({ texts: {} })
const loaders = {
  en: { first: none, later: none, said: none, codes: none, refused: none },
  de: {
    first: () => import('#languages/de/first'),
    later: () => import('#languages/de/later'),
    said: () => import('#languages/de/said'),
    codes: () => import('#languages/de/codes'),
    refused: () => import('#languages/de/refused'),
  },
  es: {
    first: () => import('#languages/es/first'),
    later: () => import('#languages/es/later'),
    said: () => import('#languages/es/said'),
    codes: () => import('#languages/es/codes'),
    refused: () => import('#languages/es/refused'),
  },
}

let later: Promise<void> | undefined

/** Call before a module with pages is loaded. Without its file, the page is shown in English rather than not at all. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language
  // The sentences of the service are in English and metric units already.
  if (language !== 'en' || units !== 'metric') setRecogniser(loadRecogniser)
  if (language !== 'en') setRefusals(loadRefusals)
  try {
    const isFirstPage = location.pathname === '/'
    await Promise.all([loadPart('first'), ...(isFirstPage ? [] : [loadLaterTexts()])])
  } catch (error) {
    document.documentElement.lang = 'en'
    console.warn('The texts of the language could not be loaded.', error)
  }
}

/** Of a page that is loaded when it is opened: its texts first, for its modules may hold some. Rejects where the page itself would. */
export function withTexts<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    await loadLaterTexts()
    return await load()
  }
}

function loadLaterTexts(): Promise<void> {
  later ??= loadPart('later').catch((error: unknown) => {
    later = undefined
    throw error
  })
  return later
}

const kept = new Map<boolean, Promise<(text: string) => string>>()

/** Each is made once, for it keeps what it was asked. */
function loadRecogniser({ codes }: { readonly codes: boolean }): Promise<(text: string) => string> {
  const known = kept.get(codes)
  if (known !== undefined) return known
  const loading = createReader(codes).catch((error: unknown) => {
    kept.delete(codes)
    throw error
  })
  kept.set(codes, loading)
  return loading
}

async function createReader(codes: boolean): Promise<(text: string) => string> {
  const [, { createRecogniser }, { said }, titles] = await Promise.all([
    loadPart('said'),
    import('@roadworthy/wording/recognise'),
    import('@roadworthy/wording/phrases'),
    codes && language !== 'en' ? loadCodeTitles() : undefined,
  ])
  return createRecogniser({ language, units, formats: formatsOf(locale, timeZone), textOf: tListed }, said, titles)
}

/** Not among the texts of pages: a part such as `set` or `body` means something else there. */
async function loadCodeTitles() {
  const [{ texts }, { createCodeTitles }] = await Promise.all([loaders[language].codes(), import('@roadworthy/wording/code-titles')])
  return createCodeTitles(texts)
}

let refusals: Promise<(text: string) => string> | undefined

function loadRefusals(): Promise<(text: string) => string> {
  refusals ??= createRefusalReader().catch((error: unknown) => {
    refusals = undefined
    throw error
  })
  return refusals
}

/** Not among the texts of pages either: `open` and `test` have many meanings. */
async function createRefusalReader() {
  const [{ texts }, { createRefusals }] = await Promise.all([loaders[language].refused(), import('../said/refusals.ts')])
  return createRefusals(texts, { language, units, formats: formatsOf(locale, timeZone) })
}

async function loadPart(part: 'first' | 'later' | 'said'): Promise<void> {
  addTexts((await loaders[language][part]()).texts)
}
