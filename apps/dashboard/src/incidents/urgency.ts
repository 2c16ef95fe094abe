import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { locale } from '../text/preferences.ts'
import { t } from '../text/translate.ts'

/** A day has no time zone. */
const ofDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** By when something is to be done, in a few words. Undefined where nothing is advised. */
export function urgencyOf({ advice, status }: Pick<Incident, 'advice' | 'status'>): string | undefined {
  if (advice === null || status === 'resolved') return undefined
  const { act, by } = advice
  if (act === 'stop') return t('Stop driving')
  if (act === 'now') return t('To a workshop now')
  if (act === 'run_on') return t('Runs on')
  if (by === undefined) return act === 'plan' ? t('Plan') : t('Next service')
  const day = ofDay.format(new Date(by))
  return act === 'plan' ? t('Plan by {day}', { day }) : t('Next service by {day}', { day })
}
