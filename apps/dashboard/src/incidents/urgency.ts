import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { locale } from '../text/preferences.ts'
import { t } from '../text/translate.ts'

/** A day has no time zone. */
const ofDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

type Urgent = Pick<Incident, 'advice' | 'status' | 'source' | 'severity'>

/** By when something is to be done, in a few words. Undefined where nothing is advised. */
export function urgencyOf({ advice, status, source, severity }: Urgent): string | undefined {
  if (status === 'resolved') return undefined
  if (advice === null) return isAlarm({ source, severity }) ? t('Act now') : undefined
  const { act, by } = advice
  if (act === 'stop') return t('Stop driving')
  if (act === 'now') return t('To a workshop now')
  if (act === 'run_on') return t('Runs on')
  if (by === undefined) return act === 'plan' ? t('Plan') : t('Next service')
  const day = ofDay.format(new Date(by))
  return act === 'plan' ? t('Plan by {day}', { day }) : t('Next service by {day}', { day })
}

/** Somebody calls for help, a crash, a theft: nobody advises on it, and it does not wait. */
function isAlarm({ source, severity }: Pick<Incident, 'source' | 'severity'>): boolean {
  return source === 'device' && (severity === 'critical' || severity === 'high')
}
