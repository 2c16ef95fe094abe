import { t } from '../text/translate.ts'

/** When people are at work again. Assumption. */
const MORNING_HOUR = 8

export type SnoozeTime = { readonly label: string; readonly until: Date }

/** Choices for a snooze, soonest first, in the time zone of this computer. */
export function snoozeTimes(now: Date): readonly SnoozeTime[] {
  const daysToMonday = (8 - now.getDay()) % 7 || 7
  return [
    { label: t('For an hour'), until: new Date(now.getTime() + 3_600_000) },
    { label: t('Until tomorrow morning'), until: morningIn(now, 1) },
    { label: t('Until Monday morning'), until: morningIn(now, daysToMonday) },
    { label: t('For a week'), until: morningIn(now, 7) },
    { label: t('For 30 days'), until: morningIn(now, 30) },
  ]
}

function morningIn(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR)
}
