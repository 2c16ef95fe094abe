// What the parts of a vehicle are called: the one place, for every page.

import { sentenceCase } from '../text/format.ts'
import { language } from '../text/preferences.ts'
import { t } from '../text/translate.ts'

/** Those that predictions name. */
const names: Readonly<Record<string, string>> = {
  ...{ engine: t('Engine'), cooling: t('Cooling'), lubrication: t('Lubrication'), fuel: t('Fuel system'), transmission: t('Transmission') },
  ...{ brakes: t('Brakes'), battery: t('Battery'), charging: t('Charging'), intake: t('Intake'), emissions: t('Emissions') },
  ...{
    aftertreatment: t('Aftertreatment'),
    high_voltage: t('High voltage'),
    chassis: t('Chassis'),
    body: t('Body'),
    network: t('Network'),
  },
}

/** Those that every prediction judges, as a person may choose them. */
export const judgedComponents = ['battery', 'brakes', 'charging', 'cooling', 'engine', 'fuel', 'lubrication', 'transmission'] as const

/** Of a part as people call it; what a person named themselves stays as it is. */
export function componentName(component: string): string {
  return names[component] ?? sentenceCase(component)
}

/** The name inside of a sentence: only German writes its nouns with a capital letter. */
export function componentWords(component: string): string {
  const name = names[component]
  if (name === undefined) return component.replaceAll('_', ' ')
  return language === 'de' ? name : name.charAt(0).toLowerCase() + name.slice(1)
}

/** The part that a person typed, by its name in their language or as the API calls it. Any other text is a part of their own. */
export function componentOf(text: string): string {
  const typed = text.trim().toLowerCase()
  return Object.keys(names).find((component) => componentName(component).toLowerCase() === typed) ?? typed
}
