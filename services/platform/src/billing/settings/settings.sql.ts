import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { BillingSettings } from './billing-settings.ts'

const COLUMNS = `reseller_id, enabled, currency, time_zone, issuer, number_prefix, payment_terms_days, draft_grace_hours,
  trim_scale(default_margin_percent)::text as default_margin_percent, taxes, footer, reminder_days, suspend_after_days, hold_sims_after_days, next_number, created_at`

export async function selectBillingSettings(db: Db, bookId: string): Promise<BillingSettings | undefined> {
  const { rows } = await db.query<SettingsRow>(`select ${COLUMNS} from billing_settings where reseller_id = $1`, [bookId])
  return rows.map(settingsFromRow)[0]
}

/** Until the end of the transaction nobody else changes how the book is billed: what is left out of a change stays as it was before it. */
export async function lockBookConfiguration(db: Db, bookId: string): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('billing of ' || $1, 0))", [bookId])
}

/** The number that comes next, and one more from now on: another transaction that opens an invoice of the book waits until this one ends. */
export async function takeNextNumber(db: Db, bookId: string): Promise<number> {
  const { rows } = await db.query<{ number: string }>(
    'update billing_settings set next_number = next_number + 1 where reseller_id = $1 returning next_number - 1 as number',
    [bookId],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`the book ${bookId} has no settings`)
  return Number(row.number)
}

/** Numbers go on where they were. */
export async function upsertBillingSettings(
  db: Db,
  settings: Omit<BillingSettings, 'nextNumber' | 'createdAt'>,
  at: Date,
): Promise<BillingSettings | undefined> {
  const { rows } = await db.query<SettingsRow>(
    `insert into billing_settings
       (reseller_id, enabled, currency, time_zone, issuer, number_prefix, payment_terms_days, draft_grace_hours, default_margin_percent, taxes,
        footer, reminder_days, suspend_after_days, hold_sims_after_days, next_number, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $15, 1, $14, $14)
         on conflict (reseller_id) do update
            set enabled = excluded.enabled, currency = excluded.currency, time_zone = excluded.time_zone, issuer = excluded.issuer,
                number_prefix = excluded.number_prefix, payment_terms_days = excluded.payment_terms_days,
                draft_grace_hours = excluded.draft_grace_hours, default_margin_percent = excluded.default_margin_percent,
                taxes = excluded.taxes, footer = excluded.footer, reminder_days = excluded.reminder_days,
                suspend_after_days = excluded.suspend_after_days, hold_sims_after_days = excluded.hold_sims_after_days,
                updated_at = excluded.updated_at
      returning ${COLUMNS}`,
    [
      ...[settings.bookId, settings.enabled, settings.currency, settings.timeZone ?? null, JSON.stringify(settings.issuer)],
      ...[settings.numberPrefix, settings.paymentTermsDays, settings.draftGraceHours, settings.defaultMarginPercent],
      ...[JSON.stringify(settings.taxes), settings.footer ?? null, settings.reminderDays, settings.suspendAfterDays ?? null, at],
      settings.holdSimsAfterDays ?? null,
    ],
  )
  return rows.map(settingsFromRow)[0]
}

type SettingsRow = {
  reseller_id: string
  enabled: boolean
  currency: string
  time_zone: string | null
  issuer: BillingSettings['issuer']
  number_prefix: string
  payment_terms_days: number
  draft_grace_hours: number
  default_margin_percent: string
  taxes: BillingSettings['taxes']
  footer: string | null
  reminder_days: number[]
  suspend_after_days: number | null
  hold_sims_after_days: number | null
  next_number: string
  created_at: Date
}

function settingsFromRow(row: SettingsRow): BillingSettings {
  return {
    bookId: row.reseller_id,
    enabled: row.enabled,
    currency: row.currency,
    timeZone: row.time_zone ?? undefined,
    issuer: row.issuer,
    numberPrefix: row.number_prefix,
    paymentTermsDays: row.payment_terms_days,
    draftGraceHours: row.draft_grace_hours,
    defaultMarginPercent: row.default_margin_percent,
    taxes: row.taxes,
    footer: row.footer ?? undefined,
    reminderDays: row.reminder_days,
    suspendAfterDays: row.suspend_after_days ?? undefined,
    holdSimsAfterDays: row.hold_sims_after_days ?? undefined,
    nextNumber: Number(row.next_number),
    createdAt: row.created_at,
  }
}
