import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Invoice, InvoiceStatus, Party, TaxLine } from './invoice.ts'
import { insertInvoiceLines } from './invoice-lines.sql.ts'
import type { StoredInvoice } from './stored-invoice.ts'

const COLUMNS = `reseller_id, invoice_id, issuer_id, sub_client_id, kind, corrects_id, month, status, number, currency, subtotal_minor, tax_minor,
  total_minor, paid_minor, credited_minor, content, drafted_at, opens_at, opened_at, due_at, paid_at, voided_at, reminded_count, revision`

/** With its lines, from `linePartsOf`. False: there is an invoice of this month and customer that is not void. */
export async function insertInvoice(db: Db, invoice: StoredInvoice, lineParts: readonly string[]): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into invoices (${COLUMNS}, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $17)
         on conflict (reseller_id, issuer_id, sub_client_id, month) where kind = 'invoice' and status <> 'void' do nothing`,
    [
      ...[invoice.resellerId, invoice.invoiceId, invoice.issuerId, invoice.subClientId ?? '', invoice.kind],
      ...[invoice.corrects?.invoiceId ?? null, invoice.month, invoice.status, invoice.number ?? null, invoice.currency],
      ...[invoice.subtotalMinor, invoice.taxMinor, invoice.totalMinor, invoice.paidMinor, invoice.creditedMinor],
      ...[JSON.stringify(contentOf(invoice)), invoice.draftedAt, invoice.opensAt ?? null, invoice.openedAt ?? null],
      ...[invoice.dueAt ?? null, invoice.paidAt ?? null, invoice.voidedAt ?? null, invoice.remindedCount, invoice.revision],
    ],
  )
  if (rowCount !== 1) return false
  await insertInvoiceLines(db, invoice, lineParts)
  return true
}

/** A draft that is locked has other content from now on: the next revision, with its lines. */
export async function updateDraft(db: Db, draft: StoredInvoice, lineParts: readonly string[]): Promise<void> {
  await db.query(
    `update invoices
        set revision = $3, currency = $4, subtotal_minor = $5, tax_minor = $6, total_minor = $7, content = $8, drafted_at = $9, opens_at = $10,
            updated_at = $9
      where reseller_id = $1 and invoice_id = $2`,
    [
      ...[draft.resellerId, draft.invoiceId, draft.revision, draft.currency, draft.subtotalMinor, draft.taxMinor, draft.totalMinor],
      ...[JSON.stringify(contentOf(draft)), draft.draftedAt, draft.opensAt ?? null],
    ],
  )
  await insertInvoiceLines(db, draft, lineParts)
}

/** JSON, compressed. */
export async function insertInvoiceInput(db: Db, { resellerId, invoiceId, revision }: Rating, content: Uint8Array): Promise<void> {
  await db.query('insert into invoice_inputs (reseller_id, invoice_id, revision, content) values ($1, $2, $3, $4)', [
    ...[resellerId, invoiceId, revision, content],
  ])
}

export async function selectInvoiceInput(db: Db, { resellerId, invoiceId, revision }: Rating): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ content: Buffer }>(
    'select content from invoice_inputs where reseller_id = $1 and invoice_id = $2 and revision = $3',
    [resellerId, invoiceId, revision],
  )
  return rows[0]?.content
}

type InvoiceId = Pick<Invoice, 'resellerId' | 'invoiceId'>
type Rating = Pick<StoredInvoice, 'resellerId' | 'invoiceId' | 'revision'>

/** The one invoice of a month and customer that is not void. */
export async function selectInvoiceOfMonth(
  db: Db,
  { resellerId, issuerId, subClientId, month }: Pick<Invoice, 'resellerId' | 'issuerId' | 'subClientId' | 'month'>,
): Promise<StoredInvoice | undefined> {
  const [found] = await selectRows(
    db,
    `where reseller_id = $1 and issuer_id = $2 and sub_client_id = $3 and month = $4 and kind = 'invoice' and status <> 'void'`,
    [resellerId, issuerId, subClientId ?? '', month],
  )
  return found
}

export async function selectInvoice(db: Db, { resellerId, invoiceId }: InvoiceId): Promise<StoredInvoice | undefined> {
  const [found] = await selectRows(db, `where reseller_id = $1 and invoice_id = $2`, [resellerId, invoiceId])
  return found
}

/** As it is, and nobody else changes it until the transaction ends. Everything that changes an invoice takes this first. */
export async function lockInvoice(db: Db, { resellerId, invoiceId }: InvoiceId): Promise<StoredInvoice | undefined> {
  const [found] = await selectRows(db, `where reseller_id = $1 and invoice_id = $2 for no key update`, [resellerId, invoiceId])
  return found
}

/** What moves in the life of an invoice; its content never changes. */
export async function updateInvoiceState(db: Db, invoice: StoredInvoice, at: Date): Promise<void> {
  await db.query(
    `update invoices
        set status = $3, number = $4, paid_minor = $5, credited_minor = $6, opened_at = $7, due_at = $8, paid_at = $9, voided_at = $10,
            reminded_count = $11, updated_at = $12
      where reseller_id = $1 and invoice_id = $2`,
    [
      ...[invoice.resellerId, invoice.invoiceId, invoice.status, invoice.number ?? null, invoice.paidMinor, invoice.creditedMinor],
      ...[invoice.openedAt ?? null, invoice.dueAt ?? null, invoice.paidAt ?? null, invoice.voidedAt ?? null, invoice.remindedCount, at],
    ],
  )
}

export type InvoiceFilter = {
  /** Of one issuer only. */
  readonly issuerId?: string | undefined
  readonly status?: InvoiceStatus | undefined
  readonly month?: string | undefined
  /** To each of these, if any are named: with two different ones there is none. */
  readonly subClientIds: readonly string[]
  readonly kind?: Invoice['kind'] | undefined
  /** Whose drafts are shown: a draft is its issuer's alone. */
  readonly draftsOf: string | undefined
}

const FILTER = `($2::text is null or issuer_id = $2) and ($3::text is null or status = $3) and ($4::text is null or month = $4)
  and sub_client_id = all ($5::text[]) and ($6::text is null or kind = $6) and (opened_at is not null or issuer_id = $7)`

/** Of a reseller: those that it issued and those that it was sent, newest first. */
export async function selectInvoices(db: Db, resellerId: string, filter: InvoiceFilter, page: PageRequest): Promise<StoredInvoice[]> {
  return await selectRows(
    db,
    `where reseller_id = $1 and ${FILTER} and (drafted_at, invoice_id) < ($8::timestamptz, $9)
      order by drafted_at desc, invoice_id desc
      limit $10`,
    [resellerId, ...filterValues(filter), page.after.at, page.after.id, page.limit + 1],
  )
}

export async function countInvoices(db: Db, resellerId: string, filter: InvoiceFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from invoices where reseller_id = $1 and ${FILTER}`, [
    resellerId,
    ...filterValues(filter),
  ])
  return rows[0]?.count ?? 0
}

/** Of a book, to all its customers, newest first. */
export async function selectBookAcrossResellers(db: Db, issuerId: string, limit: number): Promise<StoredInvoice[]> {
  return await selectRows(db, `where issuer_id = $1 order by drafted_at desc, invoice_id desc limit $2`, [issuerId, limit])
}

/** By its id alone; of any book. */
export async function selectInvoiceAcrossResellers(db: Db, issuerId: string, invoiceId: string): Promise<StoredInvoice | undefined> {
  const [found] = await selectRows(db, `where issuer_id = $1 and invoice_id = $2`, [issuerId, invoiceId])
  return found
}

/** Whether the book has any that the transaction may see. */
export async function hasInvoices(db: Db, issuerId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from invoices where issuer_id = $1 limit 1', [issuerId])
  return rowCount === 1
}

/** The newest month of which the book has an invoice that was issued and is not void. */
export async function selectLastIssuedMonthAcrossResellers(db: Db, issuerId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ month: string | null }>(
    `select max(month) as month from invoices where issuer_id = $1 and kind = 'invoice' and status in ('open', 'paid', 'overdue')`,
    [issuerId],
  )
  return rows[0]?.month ?? undefined
}

/** Customers of the book that were ever drafted an invoice of the month, also one that is void. */
export async function selectDraftedCustomersAcrossResellers(db: Db, issuerId: string, month: string): Promise<Set<string>> {
  const { rows } = await db.query<{ customer_id: string }>(
    `select distinct case sub_client_id when '' then reseller_id else sub_client_id end as customer_id
       from invoices
      where issuer_id = $1 and month = $2 and kind = 'invoice'`,
    [issuerId, month],
  )
  return new Set(rows.map(({ customer_id }) => customer_id))
}

/** The operator's invoices to a reseller that are overdue and were due before the instant. */
export async function countOverdue(db: Db, resellerId: string, issuerId: string, dueBefore: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from invoices
      where reseller_id = $1 and issuer_id = $2 and kind = 'invoice' and status = 'overdue' and due_at < $3`,
    [resellerId, issuerId, dueBefore],
  )
  return rows[0]?.count ?? 0
}

/** Credit notes of an invoice, oldest first. A later number may be longer. */
export async function selectCreditNotes(db: Db, { resellerId, invoiceId }: InvoiceId): Promise<StoredInvoice[]> {
  return await selectRows(db, `where reseller_id = $1 and corrects_id = $2 order by drafted_at, length(number), number`, [
    resellerId,
    invoiceId,
  ])
}

/** `where`: what comes after the table, to the end of the statement. */
async function selectRows(db: Db, where: string, values: readonly unknown[]): Promise<StoredInvoice[]> {
  const { rows } = await db.query<InvoiceRow>(`select ${COLUMNS} from invoices ${where}`, [...values])
  return rows.map(invoiceFromRow)
}

function filterValues({ issuerId, status, month, subClientIds, kind, draftsOf }: InvoiceFilter): unknown[] {
  return [issuerId ?? null, status ?? null, month ?? null, subClientIds, kind ?? null, draftsOf ?? null]
}

type InvoiceRow = {
  reseller_id: string
  invoice_id: string
  issuer_id: string
  sub_client_id: string
  kind: Invoice['kind']
  corrects_id: string | null
  month: string
  status: InvoiceStatus
  number: string | null
  currency: string
  subtotal_minor: string
  tax_minor: string
  total_minor: string
  paid_minor: string
  credited_minor: string
  content: Content
  drafted_at: Date
  opens_at: Date | null
  opened_at: Date | null
  due_at: Date | null
  paid_at: Date | null
  voided_at: Date | null
  reminded_count: number
  revision: number
}

/** Instants as text; what is absent is left out. */
type Content = {
  readonly issuer: Party
  readonly recipient: Party
  readonly timeZone: string
  readonly from: string
  readonly until: string
  readonly taxes: readonly TaxLine[]
  readonly correctsNumber?: string
  readonly buyerReference?: string
  readonly footer?: string
}

function contentOf(invoice: StoredInvoice): object {
  const { issuer, recipient, timeZone, from, until, taxes, buyerReference, footer } = invoice
  return { issuer, recipient, timeZone, from, until, taxes, correctsNumber: invoice.corrects?.number, buyerReference, footer }
}

function invoiceFromRow(row: InvoiceRow): StoredInvoice {
  const { content } = row
  const correctsNumber = content.correctsNumber ?? ''
  return {
    invoiceId: row.invoice_id,
    kind: row.kind,
    number: row.number ?? undefined,
    corrects: row.corrects_id === null ? undefined : { invoiceId: row.corrects_id, number: correctsNumber },
    status: row.status,
    issuerId: row.issuer_id,
    resellerId: row.reseller_id,
    subClientId: row.sub_client_id === '' ? undefined : row.sub_client_id,
    issuer: content.issuer,
    recipient: content.recipient,
    month: row.month,
    timeZone: content.timeZone,
    from: new Date(content.from),
    until: new Date(content.until),
    currency: row.currency,
    taxes: content.taxes,
    subtotalMinor: Number(row.subtotal_minor),
    taxMinor: Number(row.tax_minor),
    totalMinor: Number(row.total_minor),
    paidMinor: Number(row.paid_minor),
    creditedMinor: Number(row.credited_minor),
    buyerReference: content.buyerReference,
    footer: content.footer,
    draftedAt: row.drafted_at,
    opensAt: row.opens_at ?? undefined,
    openedAt: row.opened_at ?? undefined,
    dueAt: row.due_at ?? undefined,
    paidAt: row.paid_at ?? undefined,
    voidedAt: row.voided_at ?? undefined,
    remindedCount: row.reminded_count,
    revision: row.revision,
  }
}
