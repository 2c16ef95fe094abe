// Numbers beside and below a chart. Pure.

import { locale } from '../text/preferences.ts'
import { shownUnit } from '../text/units.ts'

/** As many as an axis of small numbers needs. */
const TICK_DECIMALS = 3

/** As the language of the person writes it, which need not be that of the browser: `1.500` is a thousand and a half in one, and one and a half in another. */
export function tickNumber(tick: number, language: string = locale): string {
  return tick.toLocaleString(language, { maximumFractionDigits: TICK_DECIMALS })
}

/** A value already in the unit of the person, with that unit. */
export function chartValue(unit: string, value: number, language: string = locale): string {
  return `${value.toLocaleString(language, { maximumFractionDigits: unit === 'V' ? 2 : 1 })} ${shownUnit(unit)}`.trimEnd()
}
