export const languages = ['en', 'de', 'es'] as const
export type Language = (typeof languages)[number]
export const unitSystems = ['metric', 'imperial'] as const
export type Units = (typeof unitSystems)[number]

/** The first of the locales whose language there is, else English. What is no locale, as in a header of a request, is passed over. */
export function closestLanguage(locales: readonly string[]): Language {
  return locales.map(languageOf).find((each): each is Language => languages.includes(each as Language)) ?? 'en'
}

export function languageOf(locale: string): string {
  return /^[a-z]{2,3}(?=-|$)/i.exec(locale)?.[0].toLowerCase() ?? ''
}
