// What the parts of a vehicle are called, in the language of the person.

import { partName, partNames, partWords } from '@roadworthy/wording/part-names'
import { language } from '../text/preferences.ts'
import { tListed } from '../text/translate.ts'

/** Those that every prediction judges, as a person may choose them. */
export const judgedComponents = ['battery', 'brakes', 'charging', 'cooling', 'engine', 'fuel', 'lubrication', 'transmission'] as const

/** Of a part as people call it; what a person named themselves stays as it is. */
export function componentName(component: string): string {
  return partName(component, tListed)
}

/** The name inside of a sentence. */
export function componentWords(component: string): string {
  return partWords(component, language, tListed)
}

/** The part that a person typed, by its name in their language or as the API calls it. Any other text is a part of their own. */
export function componentOf(text: string): string {
  const typed = text.trim().toLowerCase()
  return Object.keys(partNames).find((component) => componentName(component).toLowerCase() === typed) ?? typed
}
