import { locale, timeZone } from '../text/preferences.ts'

const day = new Intl.DateTimeFormat(locale, {
  ...(timeZone === undefined ? {} : { timeZone }),
  ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
})

/** `Fri, Nov 20, 2026`, in the time zone of the person. */
export function dayText(time: string): string {
  return day.format(new Date(time))
}
