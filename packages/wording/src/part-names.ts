// What the parts of a vehicle are called, by their ids: the one place. Translations are in `languages/*/names.json`.

import { entryOf } from './entry-of.ts'
import type { Language } from './languages.ts'
import { sentenceCase } from './sentence-case.ts'

type Translate = (text: string) => string

export const partNames: Readonly<Record<string, string>> = {
  ...{ engine: 'Engine', cooling: 'Cooling', lubrication: 'Lubrication', fuel: 'Fuel system', transmission: 'Transmission' },
  ...{ brakes: 'Brakes', battery: 'Battery', charging: 'Charging', intake: 'Intake', emissions: 'Emissions' },
  ...{ aftertreatment: 'Aftertreatment', high_voltage: 'High voltage', chassis: 'Chassis', body: 'Body', network: 'Network' },
  // Of what a device reports: the vehicle as a whole, and the device itself.
  ...{ vehicle: 'Vehicle', device: 'Device' },
}

/** As the beginning of a line. What a person named themselves stays as it is. */
export function partName(component: string, translate: Translate): string {
  const name = entryOf(partNames, component)
  return name === undefined ? sentenceCase(component) : translate(name)
}

/** Inside of a sentence: only German writes its nouns with a capital letter. */
export function partWords(component: string, language: Language, translate: Translate): string {
  const name = entryOf(partNames, component)
  if (name === undefined) return component.replaceAll('_', ' ')
  const translated = translate(name)
  return language === 'de' ? translated : translated.charAt(0).toLowerCase() + translated.slice(1)
}
