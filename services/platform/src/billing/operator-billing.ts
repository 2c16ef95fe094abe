// The book of the operator of the installation: what resellers are billed for. There is no API key for it, so the command line calls this on the server.

import { BillingCustomerUpdate, BillingSettingsUpdate, PriceListUpdate } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { isMonth, monthAt } from '@roadworthy/service-kit/time/zoned-time'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Author } from '../audit/audit.ts'
import { OPERATOR_BOOK } from './book.ts'
import { customersOf } from './book-customers.ts'
import { noSuchInvoice, withInvoice } from './change-invoice.ts'
import { type CreditDeps, correctInvoice, voidInvoice } from './credit-invoice.ts'
import type { CreditRequest } from './credit-note.ts'
import { draftMonthNow } from './draft-month.ts'
import { selectBookAcrossResellers, selectInvoiceAcrossResellers } from './invoices.sql.ts'
import { openInvoice } from './open-invoice.ts'
import { selectPriceListVersions } from './rating/plans.sql.ts'
import type { BillingSettings } from './settings/billing-settings.ts'
import { changeBillingCustomer, changeBillingSettings, requireSettings, storePriceList } from './settings/configure-billing.ts'
import { selectBillingSettings } from './settings/settings.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'
import { changedCustomer, fromWirePriceList, fromWireSettings, toWireCustomer, toWirePriceList, toWireSettings } from './wire-billing.ts'

const MAX_LISTED = 1_000

const { hold_sims_after_days: _sims, ...shared } = BillingSettingsUpdate.properties

/** As the API takes a reseller's, but for SIMs, with the zone of the months and when standing follows. */
const OperatorSettings = Type.Object(
  {
    ...shared,
    time_zone: Type.Optional(Type.String({ maxLength: 64 })),
    suspend_after_days: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 365 }), Type.Null()])),
  },
  { additionalProperties: false },
)

/** Null: not set up. */
export async function readOperatorSettings(database: Database) {
  const settings = await selectBillingSettings(database.tenantPool(OPERATOR_BOOK), OPERATOR_BOOK)
  return settings === undefined ? null : toOperatorSettings(settings)
}

function toOperatorSettings(settings: BillingSettings) {
  return { ...toWireSettings(settings, settings.timeZone ?? ''), suspend_after_days: settings.suspendAfterDays ?? null }
}

export async function changeOperatorSettings(database: Database, given: unknown, author: Author) {
  const body = checked(OperatorSettings, given)
  const changes = {
    ...fromWireSettings(body),
    ...(body.time_zone === undefined ? {} : { timeZone: body.time_zone }),
    ...(body.suspend_after_days === undefined ? {} : { suspendAfterDays: body.suspend_after_days ?? undefined }),
  }
  return toOperatorSettings(await changeBillingSettings(database, OPERATOR_BOOK, changes, author))
}

/** Versions, oldest first. */
export async function readOperatorPrices(database: Database) {
  return (await selectPriceListVersions(database.tenantPool(OPERATOR_BOOK), OPERATOR_BOOK)).map(toWirePriceList)
}

export async function changeOperatorPrices(database: Database, given: unknown, author: Author) {
  const body = checked(PriceListUpdate, given)
  const { timeZone = 'UTC' } = await requireOperatorSettings(database)
  await storePriceList(database, OPERATOR_BOOK, fromWirePriceList(body, monthAt(timeZone, author.at.getTime()).label), author)
  return await readOperatorPrices(database)
}

/** How a reseller is billed; with `given`, from now on. */
export async function changeBilledReseller(database: Database, resellerId: string, given: unknown, author: Author) {
  const settings = await requireOperatorSettings(database)
  const [before] = await customersOf(database, settings, { customerId: resellerId })
  if (before === undefined) throw new Problem('not_found', `There is no reseller ${JSON.stringify(resellerId)}.`)
  const body = given === undefined ? undefined : checked(BillingCustomerUpdate, given)
  const after =
    body === undefined
      ? before
      : await changeBillingCustomer(database, OPERATOR_BOOK, before, (found) => changedCustomer(found, body), author)
  const { sub_client_id: reseller_slug, ...customer } = toWireCustomer(after)
  return { reseller_slug, ...customer }
}

/** Newest first. */
export async function listOperatorInvoices(database: Database): Promise<StoredInvoice[]> {
  return await selectBookAcrossResellers(database.systemPool, OPERATOR_BOOK, MAX_LISTED)
}

export async function requireOperatorInvoice(database: Database, invoiceId: string): Promise<StoredInvoice> {
  const invoice = await selectInvoiceAcrossResellers(database.systemPool, OPERATOR_BOOK, invoiceId)
  if (invoice === undefined) throw noSuchInvoice()
  return invoice
}

export async function draftOperatorMonth(
  database: Database,
  { month, resellerId, isReplacing }: { readonly month: string; readonly resellerId: string | undefined; readonly isReplacing: boolean },
  author: Author,
) {
  if (!isMonth(month)) throw new Problem('invalid_request', `${JSON.stringify(month)} is no month, such as 2026-10.`)
  return await draftMonthNow(database, await requireOperatorSettings(database), { month, customerId: resellerId, isReplacing }, author)
}

export async function openOperatorInvoice(database: Database, invoiceId: string, author: Author): Promise<StoredInvoice> {
  return await withInvoice(database, await requireOperatorInvoice(database, invoiceId), (db, invoice) => openInvoice(db, invoice, author))
}

export async function voidOperatorInvoice(
  deps: Pick<CreditDeps, 'endCheckout'> & { readonly database: Database },
  invoiceId: string,
  reason: string | undefined,
  author: Author,
) {
  const found = await requireOperatorInvoice(deps.database, invoiceId)
  return await withInvoice(deps.database, found, (db, invoice) => voidInvoice(deps, db, invoice, reason, author))
}

export async function creditOperatorInvoice(
  deps: CreditDeps & { readonly database: Database },
  invoiceId: string,
  asked: CreditRequest,
  author: Author,
) {
  const found = await requireOperatorInvoice(deps.database, invoiceId)
  return await withInvoice(deps.database, found, (db, invoice) => correctInvoice(deps, db, invoice, asked, author))
}

async function requireOperatorSettings(database: Database): Promise<BillingSettings> {
  return requireSettings(await selectBillingSettings(database.tenantPool(OPERATOR_BOOK), OPERATOR_BOOK))
}

function checked<Schema extends TSchema>(schema: Schema, given: unknown): Static<Schema> {
  const closed = { ...schema, additionalProperties: false }
  if (Value.Check(closed, given)) return given as Static<Schema>
  const [first] = Value.Errors(closed, given)
  const where = first === undefined || first.instancePath === '' ? 'It' : first.instancePath.slice(1).replaceAll('/', '.')
  // What a closed object does not know is held against `false`.
  const complaint =
    first?.message === 'schema is false' ? 'is no field of this' : (first?.message ?? 'is not of the form that is documented')
  throw new Problem('invalid_request', `${where} ${complaint}.`)
}
