// Invoice data as it is typed, and the body that follows from it.

import type { BillingSettings, BillingSettingsUpdate } from '@roadworthy/contracts/sim-billing/billing-configuration'

export type Tax = BillingSettings['taxes'][number]

/** Every field as text, so that nothing that is typed is lost on its way. */
export type SettingsEdits = {
  readonly enabled: boolean
  readonly currency: string
  readonly issuer: PartyEdits
  readonly numberPrefix: string
  readonly termsDays: string | number
  readonly graceHours: string | number
  readonly marginPercent: string
  readonly taxes: readonly Tax[]
  readonly footer: string
  readonly reminderDays: string
  readonly holdDays: string | number
}

export const partyFieldNames = ['name', 'address', 'postal_code', 'city', 'region', 'country_code', 'tax_number', 'email', 'phone'] as const
export type PartyEdits = Readonly<Record<(typeof partyFieldNames)[number], string>>

const noIssuer = Object.fromEntries(partyFieldNames.map((field) => [field, ''])) as PartyEdits

/** As the service has it for a book that is not set up. */
const fresh: SettingsEdits = {
  enabled: true,
  currency: '',
  issuer: noIssuer,
  numberPrefix: 'INV-',
  termsDays: 14,
  graceHours: 24,
  marginPercent: '0',
  taxes: [],
  footer: '',
  reminderDays: '3, 10',
  holdDays: '',
}

export function editsOf(settings: BillingSettings | null): SettingsEdits {
  if (settings === null) return fresh
  return {
    enabled: settings.enabled,
    currency: settings.currency,
    issuer: partyEditsOf(settings.issuer),
    numberPrefix: settings.number_prefix,
    termsDays: settings.payment_terms_days,
    graceHours: settings.draft_grace_hours,
    marginPercent: settings.default_margin_percent,
    taxes: settings.taxes,
    footer: settings.footer ?? '',
    reminderDays: settings.reminder_days.join(', '),
    holdDays: settings.hold_sims_after_days ?? '',
  }
}

export function bodyOf(edits: SettingsEdits): BillingSettingsUpdate {
  return {
    enabled: edits.enabled,
    currency: edits.currency.trim().toUpperCase(),
    issuer: partyOf(edits.issuer),
    number_prefix: edits.numberPrefix.trim(),
    payment_terms_days: Number(edits.termsDays),
    draft_grace_hours: Number(edits.graceHours),
    default_margin_percent: edits.marginPercent.trim(),
    taxes: edits.taxes.map((tax) => ({ ...tax, exemption_reason: emptyToNull(tax.exemption_reason ?? '') })),
    footer: emptyToNull(edits.footer),
    reminder_days: daysOf(edits.reminderDays),
    hold_sims_after_days: edits.holdDays === '' ? null : Number(edits.holdDays),
  }
}

/** Of whoever issues or is billed. */
export function partyEditsOf({ address_lines: lines, ...party }: BillingSettings['issuer']): PartyEdits {
  const texts = partyFieldNames.map((field) => [field, field === 'address' ? lines.join('\n') : (party[field] ?? '')])
  return Object.fromEntries(texts) as PartyEdits
}

export function partyOf({ name, address, country_code: country, ...others }: PartyEdits) {
  const optional = Object.fromEntries(Object.entries(others).map(([field, text]) => [field, emptyToNull(text)]))
  return {
    name: name.trim(),
    address_lines: address
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    country_code: country.trim().toUpperCase(),
    ...optional,
  }
}

/** `3, 10` and `-3 10` as numbers; what is none is left for the service to refuse. */
export function daysOf(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter((each) => each !== '')
    .map(Number)
}

export function emptyToNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
