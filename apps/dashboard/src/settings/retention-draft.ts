// What a person sets of how long readings are kept, before it is sent.

import type { ReadingsRetention, ReadingsRetentionChange } from '@roadworthy/contracts/platform-v1/settings'

/** `preset`: as long as the service keeps those of everybody. */
export type TermKind = 'preset' | 'days' | 'ever'
export type Term = {
  readonly kind: TermKind
  /** NaN: nothing is entered. Of no meaning unless the kind is `days`. */
  readonly days: number
}
/** The key distinguishes rows while their ids are typed. */
export type SubClientTerm = Term & { readonly key: number; readonly subClientId: string }
export type RetentionDraft = { readonly whole: Term; readonly subClients: readonly SubClientTerm[] }

export function draftOf({ days, isPreset, presetDays, subClients }: ReadingsRetention): RetentionDraft {
  const termOf = (kept: number | null): Term => (kept === null ? { kind: 'ever', days: presetDays } : { kind: 'days', days: kept })
  return {
    whole: isPreset ? { kind: 'preset', days: presetDays } : termOf(days),
    subClients: subClients.map(({ subClientId, days: kept }, key) => ({ ...termOf(kept), subClientId, key })),
  }
}

export function changeOf({ whole, subClients }: RetentionDraft): ReadingsRetentionChange {
  const daysOf = ({ kind, days }: Term) => (kind === 'ever' ? null : days)
  return {
    ...(whole.kind === 'preset' ? {} : { days: daysOf(whole) }),
    subClients: subClients.map((term) => ({ subClientId: term.subClientId.trim(), days: daysOf(term) })),
  }
}

/** Whether it can be sent: every time is long enough, and each sub-client is named once. */
export function isWholeDraft({ whole, subClients }: RetentionDraft, minDays: number): boolean {
  const isTerm = ({ kind, days }: Term) => kind !== 'days' || (Number.isInteger(days) && days >= minDays)
  const ids = subClients.map(({ subClientId }) => subClientId.trim())
  return [whole, ...subClients].every(isTerm) && !ids.includes('') && new Set(ids).size === ids.length
}
