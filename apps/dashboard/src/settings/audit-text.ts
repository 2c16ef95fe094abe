// How an entry of the audit log is written for people.

import type { AuditEntry } from '@roadworthy/contracts/platform-v1/audit'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { t } from '../text/translate.ts'
import { actionWords, fieldWords } from './audit-words.ts'

/** `Device registered` of `device.registered`. One without words, of a newer service, is `Device: painted`. */
export function actionText(action: string): string {
  const [object = '', ...rest] = action.split('.')
  const what = rest.length === 0 ? '' : `: ${rest.join(' ').replaceAll('_', ' ')}`
  return actionWords[action] ?? `${sentenceCase(object)}${what}`
}

export function actorText({ type, id, name }: AuditEntry['actor']): string {
  if (type === 'system') return t('The service')
  if (type === 'anonymous') return name === null ? t('Nobody signed in') : t('Not signed in: {name}', { name })
  const who = name ?? id
  if (type === 'cli') return t('{who}, on the command line', { who })
  return type === 'key' ? t('Key {who}', { who }) : who
}

/** `licensePlate` and `license_plate` as `Licence plate`. */
export function fieldText(field: string): string {
  const words = field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return fieldWords[words.replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase())] ?? sentenceCase(words)
}

/** Of things with names. Ids of sub-clients are words, so that only the field shows that one is meant. */
const NAMED = /^(usr|nch|vgr|dev|veh|inc|sim|whe)-/
const SUB_CLIENT_FIELD = /^sub_?client(_?id)?$/i

/** What a field was, or is, by the names of what it refers to, where they are known. */
export function valueText(value: unknown, field = '', names: ReadonlyMap<string, string> = new Map()): string {
  if (value === undefined || value === null || value === '') return t('none')
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (Array.isArray(value)) return value.length === 0 ? t('none') : value.map((each) => valueText(each, field, names)).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  return NAMED.test(text) || SUB_CLIENT_FIELD.test(field) ? (names.get(text) ?? text) : text
}

/** What the thing that it was done to is called, where that is known, else its id. */
export function objectText(action: string, objectId: string, names: ReadonlyMap<string, string>): string {
  return valueText(objectId, action.startsWith('sub_client.') ? 'subClientId' : '', names)
}

const pages: Readonly<Record<string, string>> = {
  ...{ device: '/devices/', vehicle: '/vehicles/', sub_client: '/sub-clients/', incident: '/alerts/', sim: '/sims/' },
  ...{ invoice: '/invoices/', webhook: '/settings/webhooks/', operator_connection: '/settings/operators/' },
}
/** After these there is no page any more, or the id is of something else. */
const WITHOUT_PAGE = /(deleted|discarded|removed|delivery_resent|calendar_link_\w+)$/

/** Where the thing that it was done to is shown. */
export function objectPage(action: string, objectId: string): string | undefined {
  const [object = ''] = action.split('.')
  const page = pages[object]
  return page === undefined || WITHOUT_PAGE.test(action) ? undefined : page + encodeURIComponent(objectId)
}
