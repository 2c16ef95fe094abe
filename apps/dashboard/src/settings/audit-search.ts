// What the audit log is narrowed down to, as it stands in the address: who by id, what by name, the object by id, and a day.

import { timeZone } from '../text/preferences.ts'
import { fromInput } from '../text/time-input.ts'

const fields = ['actor', 'action', 'objectId'] as const
/** As the API takes them. */
const PRINTABLE = /^[\x20-\x7e]{1,200}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

export type AuditSearch = { readonly [Field in (typeof fields)[number]]?: string } & { readonly since?: string }

export function readAuditSearch(given: Record<string, unknown>): AuditSearch {
  const kept = fields.flatMap((field) => {
    const value = String(given[field] ?? '').trim()
    return PRINTABLE.test(value) ? [[field, value] as const] : []
  })
  const { since } = given
  return { ...Object.fromEntries(kept), ...(typeof since === 'string' && isDay(since) ? { since } : {}) }
}

/** As the API is asked: a day begins in the zone in which the person reads times. */
export function auditFilter({ since, ...filter }: AuditSearch, zone: string | undefined = timeZone): Record<string, string> {
  return { ...filter, ...(since === undefined ? {} : { from: fromInput(`${since}T00:00`, zone) }) }
}

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`))
}
