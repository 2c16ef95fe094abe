import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { locale, timeZone } from '../text/preferences.ts'
import { t } from '../text/translate.ts'

/** A day has no time zone. */
const ofDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

type Urgent = Pick<Incident, 'advice' | 'status' | 'source' | 'severity'>

/** Which day it is for the person, as `2026-02-04`. */
const isoDay = new Intl.DateTimeFormat('en-CA', { ...(timeZone === undefined ? {} : { timeZone }), dateStyle: 'short' })
const DAY_MS = 86_400_000

/** By when something is to be done, in a few words. Undefined where nothing is advised. */
export function urgencyOf({ advice, status, source, severity }: Urgent, nowMs: number): string | undefined {
  if (status === 'resolved') return undefined
  if (advice === null) return isAlarm({ source, severity }) ? t('Act now') : undefined
  const { act, by } = advice
  if (act === 'stop') return t('Stop driving')
  if (act === 'now') return t('To a workshop now')
  if (act === 'run_on') return t('Runs on')
  if (by === undefined) return act === 'plan' ? t('Plan') : t('Next service')
  return act === 'plan' ? planBy(by, nowMs) : nextServiceBy(by, nowMs)
}

function planBy(by: string, nowMs: number): string {
  if (isDaysAhead(by, 0, nowMs)) return t('Plan by today')
  if (isDaysAhead(by, 1, nowMs)) return t('Plan by tomorrow')
  return t('Plan by {day}', { day: ofDay.format(new Date(by)) })
}

function nextServiceBy(by: string, nowMs: number): string {
  if (isDaysAhead(by, 0, nowMs)) return t('Next service by today')
  if (isDaysAhead(by, 1, nowMs)) return t('Next service by tomorrow')
  return t('Next service by {day}', { day: ofDay.format(new Date(by)) })
}

/** Days of the calendar are counted as such: one on which clocks change has 23 or 25 hours. */
function isDaysAhead(day: string, count: number, nowMs: number): boolean {
  return day === new Date(Date.parse(isoDay.format(nowMs)) + count * DAY_MS).toISOString().slice(0, 10)
}

/** Somebody calls for help, a crash, a theft: nobody advises on it, and it does not wait. */
function isAlarm({ source, severity }: Pick<Incident, 'source' | 'severity'>): boolean {
  return source === 'device' && (severity === 'critical' || severity === 'high')
}
