// Times below a chart: of the day as long as it shows hours, of the month when it shows days. Pure.

import { locale, timeZone } from '../text/preferences.ts'

const DAY_S = 86_400
const zone = timeZone === undefined ? {} : { timeZone }
const ofDay = new Intl.DateTimeFormat(locale, { ...zone, hour: '2-digit', minute: '2-digit' })
const ofWeek = new Intl.DateTimeFormat(locale, { ...zone, day: 'numeric', month: 'short', hour: '2-digit' })
const ofMonth = new Intl.DateTimeFormat(locale, { ...zone, day: 'numeric', month: 'short' })

/** As wide as the longest text of each in any language, at 11 pixels, with a gap to the next: "12:00 AM", "1. Dez., 00 Uhr", "29. Nov.". */
const [DAY_PX, WEEK_PX, MONTH_PX] = [62, 104, 50]
/** The longest step that is shorter than a day. */
const HALF_DAY_S = DAY_S / 2

/** How far apart two texts must be below a chart so many pixels wide, so that they stay apart. */
export function tickSpacePx(fromS: number, toS: number, widthPx: number): number {
  const spanS = toS - fromS
  if (spanS < DAY_S) return DAY_PX
  return (spanS / widthPx) * MONTH_PX > HALF_DAY_S ? MONTH_PX : WEEK_PX
}

/** `ticks` in seconds since the epoch. */
export function tickTexts(ticks: readonly number[]): string[] {
  const stepS = (ticks[1] ?? 0) - (ticks[0] ?? 0)
  const spanS = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0)
  const format = stepS >= DAY_S ? ofMonth : spanS >= DAY_S ? ofWeek : ofDay
  return ticks.map((tick) => format.format(new Date(tick * 1000)))
}
