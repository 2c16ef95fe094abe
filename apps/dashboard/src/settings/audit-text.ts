// How an entry of the audit log is written for people.

import type { AuditEntry } from '@roadworthy/contracts/platform-v1/audit'
import { sentenceCase } from '../text/format.ts'

/** `User: role changed` of `user.role_changed`. */
export function actionText(action: string): string {
  const [object = '', ...rest] = action.split('.')
  const subject = sentenceCase(object).replace(/^Api\b/, 'API')
  return rest.length === 0 ? subject : `${subject}: ${rest.join(' ').replaceAll('_', ' ')}`
}

export function actorText({ type, id, name }: AuditEntry['actor']): string {
  if (type === 'system') return 'The service'
  if (type === 'anonymous') return name === null ? 'Nobody signed in' : `Not signed in: ${name}`
  const who = name ?? id
  if (type === 'cli') return `${who}, on the command line`
  return type === 'key' ? `Key ${who}` : who
}

/** `licensePlate` as `License plate`. */
export function fieldText(field: string): string {
  return sentenceCase(field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
}

/** What a field was, or is. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
