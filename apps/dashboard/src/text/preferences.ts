// What a person chose, as this browser remembers it: language, units, time zone and shortcuts. Read once, before any page is loaded and anybody is signed in; another language, unit or
// zone loads the page anew, so that every text and every format of a page is of one choice.

import { closestLanguage, type Language, languageOf, languages, type Units, unitSystems } from '@roadworthy/wording/languages'

export type Zone = 'local' | 'utc'

type Chosen = { readonly language?: Language; readonly units?: Units }

/**
 * A language or a time zone that was not chosen follows the browser. `singleKeys`: whether a letter alone is a shortcut. `agreed`: what the service had when
 * this browser last came together with it (`session/choice.ts`).
 */
export type Preferences = Chosen & { readonly zone?: Zone; readonly singleKeys?: boolean; readonly agreed?: Chosen }

const KEY = 'roadworthy.preferences'

const chosen: Preferences = readPreferences(stored())

/** The preferred locales of the browser, best first. */
const browserLocales = globalThis.document === undefined ? ['en'] : globalThis.navigator.languages

export const language: Language = chosen.language ?? closestLanguage(browserLocales)
/** For dates and numbers: as the browser writes this language, `en-IN` or `de-AT`, where it does. */
export const locale: string = browserLocales.find((each) => languageOf(each) === language) ?? language
/** Not by country: the devices, the API and its documents are metric, so a person who compares finds the same numbers. */
export const units: Units = chosen.units ?? 'metric'
/** For `Intl`; `undefined` is the time zone of this computer. */
export const timeZone: string | undefined = chosen.zone === 'utc' ? 'UTC' : undefined

export const hadSingleKeys: boolean = chosen.singleKeys ?? true

/** Stores the change and loads the page anew. */
export function choose(change: Preferences): void {
  remember(change)
  location.reload()
}

/** Also by another tab. */
export function remembered(): Preferences {
  return readPreferences(stored())
}

/** Beside what was chosen since the page was loaded, in this tab or another. */
export function remember(change: Preferences): void {
  localStorage.setItem(KEY, JSON.stringify({ ...remembered(), ...change }))
}

/** Of what was stored; what is unknown counts as not chosen, since any version of the dashboard may have written it. */
export function readPreferences(text: string | null): Preferences {
  const values = parsed(text)
  const { zone, singleKeys, agreed } = values
  return {
    ...chosenOf(values),
    ...(isObject(agreed) && { agreed: chosenOf(agreed) }),
    ...((zone === 'local' || zone === 'utc') && { zone }),
    ...(typeof singleKeys === 'boolean' && { singleKeys }),
  }
}

function chosenOf({ language, units }: Readonly<Record<string, unknown>>): Chosen {
  return {
    ...(languages.includes(language as Language) && { language: language as Language }),
    ...(unitSystems.includes(units as Units) && { units: units as Units }),
  }
}

function stored(): string | null {
  // A browser may refuse storage altogether; Node has none.
  try {
    return globalThis.localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
