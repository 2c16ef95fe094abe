// Which language and units a person reads in, where this browser and the service say different things. Pure.

import type { Session } from '@roadworthy/contracts/platform-v1/session'
import type { Language, Units } from '@roadworthy/wording/languages'
import type { Preferences } from '../text/preferences.ts'

export type Choice = { readonly language: Language; readonly units: Units }

/**
 * What both are to have. What was chosen here since they last agreed, also before signing in, is the person's newest choice. Else the service's holds, which
 * they may have made in another browser; and where it has none, what is read here, so that mails are like it.
 */
export function choiceOf(here: Preferences, shown: Choice, there: Pick<Session, 'language' | 'units'>): Choice {
  const { agreed = {} } = here
  const isChosenHere = <Field extends keyof Choice>(field: Field) => here[field] !== undefined && here[field] !== agreed[field]
  return {
    language: isChosenHere('language') ? shown.language : (there.language ?? shown.language),
    units: isChosenHere('units') ? shown.units : (there.units ?? shown.units),
  }
}
