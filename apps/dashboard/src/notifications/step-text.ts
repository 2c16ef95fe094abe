import { t } from '../text/translate.ts'

/** What step of its rule a message was: `repeat.2`, `digest.2026-11-23`. */
export function stepText(step: string): string {
  if (step === 'first') return t('First message')
  if (step === 'escalation') return t('Escalation')
  if (step === 'test') return t('Test')
  if (step.startsWith('digest.')) return t('Digest of {day}', { day: step.replace('digest.', '') })
  return t('Reminder {number}', { number: step.replace(/^repeat\./, '') })
}
