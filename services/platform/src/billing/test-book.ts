// For tests only: a book with settings, and invoices in it.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { systemAuthor } from '../audit/audit.ts'
import { OPERATOR_BOOK, tenantsOf } from './book.ts'
import type { Party } from './invoice.ts'
import { linePartsOf } from './invoice-lines.sql.ts'
import { insertInvoice, lockInvoice, selectInvoice } from './invoices.sql.ts'
import { openInvoice } from './open-invoice.ts'
import type { BillingSettings } from './settings/billing-settings.ts'
import { upsertBillingSettings } from './settings/settings.sql.ts'
import type { StoredInvoice, WholeInvoice } from './stored-invoice.ts'

export const testParty: Party = {
  name: 'North Fleet Ltd',
  addressLines: ['1 Dock Road'],
  city: 'Pune',
  postalCode: '411001',
  region: 'MH',
  countryCode: 'IN',
  taxNumber: '27AAAAA0000A1Z5',
  email: 'accounts@north.example',
  phone: undefined,
}

export async function insertTestBook(
  database: Database,
  bookId: string,
  given: Partial<BillingSettings> = {},
  at = new Date(),
): Promise<void> {
  await database.tenant(bookId, (db) =>
    upsertBillingSettings(
      db,
      {
        bookId,
        enabled: true,
        currency: 'INR',
        timeZone: bookId === OPERATOR_BOOK ? 'Asia/Kolkata' : undefined,
        issuer: testParty,
        numberPrefix: 'INV-',
        paymentTermsDays: 14,
        draftGraceHours: 24,
        defaultMarginPercent: '0',
        taxes: [],
        footer: undefined,
        reminderDays: [3, 7],
        suspendAfterDays: undefined,
        holdSimsAfterDays: undefined,
        ...given,
      },
      at,
    ),
  )
}

/** A draft of 1000.00 and 18 % of tax, unless something else is given. */
export function testDraft(given: Partial<WholeInvoice> & Pick<WholeInvoice, 'issuerId' | 'resellerId'>): WholeInvoice {
  const at = new Date('2026-11-02T06:00:00.000Z')
  const [from, until] = [new Date('2026-09-30T18:30:00.000Z'), new Date('2026-10-31T18:30:00.000Z')]
  const subtotalMinor = given.subtotalMinor ?? 100_000
  const taxMinor = given.taxMinor ?? 18_000
  return {
    invoiceId: newId('inv'),
    kind: 'invoice',
    number: undefined,
    corrects: undefined,
    status: 'draft',
    subClientId: undefined,
    issuer: testParty,
    recipient: { ...testParty, name: 'Acme Logistics' },
    month: '2026-10',
    timeZone: 'Asia/Kolkata',
    from,
    until,
    currency: 'INR',
    lines: [
      {
        line: 1,
        kind: 'sim_rental',
        description: 'Rental',
        sim: undefined,
        planId: 'basic',
        from,
        until,
        quantity: '1',
        quantityFraction: undefined,
        unit: 'month',
        unitPrice: String(subtotalMinor / 100),
        priceQuantity: 1,
        amountMinor: subtotalMinor,
        sources: [],
      },
    ],
    taxes: [],
    subtotalMinor,
    taxMinor,
    totalMinor: subtotalMinor + taxMinor,
    paidMinor: 0,
    creditedMinor: 0,
    buyerReference: undefined,
    footer: undefined,
    draftedAt: at,
    openedAt: undefined,
    dueAt: undefined,
    paidAt: undefined,
    voidedAt: undefined,
    opensAt: at,
    remindedCount: 0,
    revision: 1,
    ...given,
  }
}

/** As it is after it was opened at that time. */
export async function insertOpenInvoice(database: Database, draft: WholeInvoice, at = draft.draftedAt): Promise<StoredInvoice> {
  return await database.tenant(tenantsOf(draft), async (db) => {
    await insertInvoice(db, draft, linePartsOf(draft.lines))
    return await openInvoice(db, (await lockInvoice(db, draft)) ?? draft, systemAuthor(draft.issuerId, at))
  })
}

export async function invoiceNow(database: Database, invoice: StoredInvoice): Promise<StoredInvoice> {
  const found = await selectInvoice(database.tenantPool(invoice.resellerId), invoice)
  if (found === undefined) throw new Error(`${invoice.invoiceId} is gone`)
  return found
}

/** A SIM with these rows of history: at which instant, status, sub-client, plan. */
export async function insertTestSim(
  database: Database,
  resellerId: string,
  simId: string,
  rows: readonly (readonly [at: string, status: string, subClientId: string | null, planId: string | null])[],
): Promise<void> {
  const iccid = `8991${[...simId]
    .reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1e12, 7)
    .toString()
    .padStart(15, '0')}`
  await database.systemPool.query(
    `insert into operator_connections (reseller_id, connection_id, operator, name, enabled, base_url, settings, secrets_sealed, revision,
       custody_min_days, custody_max_days, custody_on_expiry, termination_grace_days, sync_every_minutes, created_at, updated_at)
     values ($1, 'opc-1', 'cisco', 'Cisco', false, 'https://example.invalid', '{}', '', 'r', 30, 90, 'suspend', 5, 60, now(), now())
         on conflict do nothing`,
    [resellerId],
  )
  const [last] = rows.slice(-1)
  await database.systemPool.query(
    `insert into sims (reseller_id, sim_id, connection_id, iccid, iccid_key, status, status_since, is_parked, last_history_seq, last_usage_seq, created_at, updated_at)
     values ($1, $2, 'opc-1', $3, $3, $4, now(), false, $5, 0, now(), now())`,
    [resellerId, simId, iccid, last?.[1] ?? 'inventory', rows.length],
  )
  for (const [nth, [at, status, subClientId, planId]] of rows.entries()) {
    await database.systemPool.query(
      `insert into sim_history (reseller_id, sim_id, seq, at, change, status, sub_client_id, plan_id, source, actor_type, actor_id)
       values ($1, $2, $3, $4, 'status', $5, $6, $7, 'system', 'system', 'roadworthy')`,
      [resellerId, simId, nth + 1, at, status, subClientId, planId],
    )
  }
}

export async function insertTestUse(
  database: Database,
  resellerId: string,
  simId: string,
  { seq, at, bytes, subClientId, planId }: { seq: number; at: string; bytes: number; subClientId: string; planId: string },
): Promise<void> {
  await database.systemPool.query(
    `insert into sim_usage (reseller_id, sim_id, seq, received_at, cycle_start, bytes, sub_client_id, plan_id)
     values ($1, $2, $3, $4, $4, $5, $6, $7)`,
    [resellerId, simId, seq, at, bytes, subClientId, planId],
  )
}
