// How an entry of the audit log is written for people.

import type { AuditEntry } from '@roadworthy/contracts/platform-v1/audit'
import { entryOf } from '@roadworthy/wording/entry-of'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { componentName } from '../health/component-name.ts'
import { absoluteTime } from '../text/format.ts'
import { money } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { fieldWords, valueWord } from './audit-fields.ts'
import { actionWords } from './audit-words.ts'

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
  const inCamelCase = words.replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase())
  return entryOf(fieldWords, inCamelCase) ?? sentenceCase(words)
}

/** Of things with names. Ids of sub-clients are words, so that only the field shows that one is meant. */
const NAMED = /^(usr|nch|vgr|dev|veh|inc|sim|whe)-/
const SUB_CLIENT_FIELD = /^sub_?client(_?id)?$/i

/** Amounts are stored in minor units: cents, paise. */
const MONEY_FIELD = /^amount$|minor$/i

/** The currency of the amounts of an entry, before or after it: a field of the same entry. */
export function currencyOf({ currency }: AuditEntry['changes'], side: 'from' | 'to'): string | undefined {
  const code = currency?.[side] ?? currency?.to
  return typeof code === 'string' ? code : undefined
}

const COMPONENT_FIELD = /^components?$/
/** As the service writes times. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

/** A field of which neither is kept: that it was set or changed is all that is known. */
export function isSecret({ from, to }: AuditEntry['changes'][string]): boolean {
  return from === undefined && to === undefined
}

/** What a field was, or is, by the names of what it refers to, where they are known; amounts in their currency. */
export function valueText(value: unknown, field = '', names: ReadonlyMap<string, string> = new Map(), currency?: string): string {
  if (typeof value === 'number' && MONEY_FIELD.test(field)) return amountText(value, currency)
  if (value === undefined || value === null || value === '') return t('none')
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (Array.isArray(value)) return value.length === 0 ? t('none') : value.map((each) => valueText(each, field, names)).join(', ')
  if (typeof value === 'object') return partsText(value as Readonly<Record<string, unknown>>, names)
  const text = String(value)
  if (TIME.test(text)) return absoluteTime(text)
  if (COMPONENT_FIELD.test(field)) return componentName(text)
  const word = valueWord(field, text)
  if (word !== undefined) return word
  return NAMED.test(text) || SUB_CLIENT_FIELD.test(field) ? (names.get(text) ?? text) : text
}

/** `Days: 365, Kilometres: 15000`; a cost is an amount. Parts that are not set are left out. */
function partsText(parts: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>): string {
  const currency = typeof parts['currency'] === 'string' ? parts['currency'] : undefined
  const given = Object.entries(parts).filter(([name, part]) => part !== null && !(name === 'currency' && hasAmount(parts)))
  if (given.length === 0) return t('none')
  return given
    .map(([name, part]) => {
      const text = valueText(part, name, names, currency)
      return MONEY_FIELD.test(name) && given.length === 1 ? text : `${fieldText(name)}: ${text}`
    })
    .join(', ')
}

function hasAmount(parts: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(parts).some((name) => MONEY_FIELD.test(name))
}

/** Where a change of the amount left the currency as it was, the entry does not have it. */
function amountText(amountMinor: number, currency: string | undefined): string {
  return currency === undefined
    ? t('{amount} in the smallest unit of the currency', { amount: String(amountMinor) })
    : money(amountMinor, currency)
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
