// How an entry of the audit log is written for people.

import type { AuditEntry } from '@roadworthy/contracts/platform-v1/audit'
import { sentenceCase } from '../text/format.ts'
import { t } from '../text/translate.ts'

/** `User: role changed` of `user.role_changed`. */
export function actionText(action: string): string {
  const [object = '', ...rest] = action.split('.')
  const subject = sentenceCase(object).replace(/^Api\b/, 'API')
  return rest.length === 0 ? subject : `${subject}: ${rest.join(' ').replaceAll('_', ' ')}`
}

export function actorText({ type, id, name }: AuditEntry['actor']): string {
  if (type === 'system') return t('The service')
  if (type === 'anonymous') return name === null ? t('Nobody signed in') : t('Not signed in: {name}', { name })
  const who = name ?? id
  if (type === 'cli') return t('{who}, on the command line', { who })
  return type === 'key' ? t('Key {who}', { who }) : who
}

/** `licensePlate` as `License plate`. */
export function fieldText(field: string): string {
  return sentenceCase(field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
}

/** What a field was, or is. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return t('none')
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (Array.isArray(value)) return value.length === 0 ? t('none') : value.map(valueText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
