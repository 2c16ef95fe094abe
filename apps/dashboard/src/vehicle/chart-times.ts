// Times below a chart: of the day as long as it shows hours, of the month when it shows days. Pure.

import { locale, timeZone } from '../text/preferences.ts'

const DAY_S = 86_400
const zone = timeZone === undefined ? {} : { timeZone }
const ofDay = new Intl.DateTimeFormat(locale, { ...zone, hour: '2-digit', minute: '2-digit' })
const ofWeek = new Intl.DateTimeFormat(locale, { ...zone, day: 'numeric', month: 'short', hour: '2-digit' })
const ofMonth = new Intl.DateTimeFormat(locale, { ...zone, day: 'numeric', month: 'short' })

/** `ticks` in seconds since the epoch. */
export function tickTexts(ticks: readonly number[]): string[] {
  const stepS = (ticks[1] ?? 0) - (ticks[0] ?? 0)
  const spanS = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0)
  const format = stepS >= DAY_S ? ofMonth : spanS >= DAY_S ? ofWeek : ofDay
  return ticks.map((tick) => format.format(new Date(tick * 1000)))
}
