import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Account, Entry, EntryKind, Posting } from './ledger-entry.ts'

/** False: there is one of this kind and source. */
export async function insertEntry(db: Db, entry: Omit<Entry, 'postings'> & { readonly entryId: string }): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into ledger_entries (reseller_id, entry_id, at, kind, source, invoice_id)
     values ($1, $2, $3, $4, $5, $6)
         on conflict (reseller_id, kind, source) do nothing`,
    [entry.bookId, entry.entryId, entry.at, entry.kind, entry.source, entry.invoiceId ?? null],
  )
  return rowCount === 1
}

export async function insertPostings(db: Db, bookId: string, entryId: string, postings: readonly Posting[]): Promise<void> {
  await db.query(
    `insert into ledger_postings (reseller_id, entry_id, line, account, customer_id, currency, amount_minor)
     select $1, $2, line, account, customer_id, currency, amount_minor
       from unnest($3::text[], $4::text[], $5::text[], $6::bigint[]) with ordinality
         as p (account, customer_id, currency, amount_minor, line)`,
    [
      bookId,
      entryId,
      postings.map(({ account }) => account),
      postings.map(({ customerId }) => customerId),
      postings.map(({ currency }) => currency),
      postings.map(({ amountMinor }) => amountMinor),
    ],
  )
}

/** Postings of the entry of this kind and source; undefined where there is none. */
export async function selectPostings(db: Db, bookId: string, kind: EntryKind, source: string): Promise<Posting[] | undefined> {
  const { rows } = await db.query<PostingRow>(
    `select p.account, p.customer_id, p.currency, p.amount_minor
       from ledger_entries e
       join ledger_postings p using (reseller_id, entry_id)
      where e.reseller_id = $1 and e.kind = $2 and e.source = $3
      order by p.line`,
    [bookId, kind, source],
  )
  return rows.length === 0 ? undefined : rows.map(postingFromRow)
}

/** What entries of an invoice come to on each account, by currency; with `sourcePrefix` those whose source begins with it. */
export async function selectInvoiceBalances(
  db: Db,
  bookId: string,
  invoiceId: string,
  of: { readonly kind: EntryKind; readonly sourcePrefix: string } | undefined,
): Promise<(Balance & { readonly entryCount: number })[]> {
  const { rows } = await db.query<BalanceRow & { entry_count: number }>(
    `select p.account, '' as customer_id, p.currency, sum(p.amount_minor)::text as amount_minor, count(distinct e.entry_id)::int as entry_count
       from ledger_entries e
       join ledger_postings p using (reseller_id, entry_id)
      where e.reseller_id = $1 and e.invoice_id = $2 and ($3::text is null or (e.kind = $3 and starts_with(e.source, $4)))
      group by p.account, p.currency
      order by p.account, p.currency`,
    [bookId, invoiceId, of?.kind ?? null, of?.sourcePrefix ?? null],
  )
  return rows.map((row) => ({ ...postingFromRow(row), entryCount: row.entry_count }))
}

export type Balance = Posting

/** What every account of the book has, by customer and currency. Those of nothing are left out. */
export async function selectBalances(db: Db, bookId: string): Promise<Balance[]> {
  const { rows } = await db.query<BalanceRow>(
    `select account, customer_id, currency, sum(amount_minor)::text as amount_minor
       from ledger_postings
      where reseller_id = $1
      group by account, customer_id, currency
     having sum(amount_minor) <> 0
      order by account, customer_id, currency`,
    [bookId],
  )
  return rows.map(postingFromRow)
}

/** Entries and books that do not sum to zero, and invoices whose receivable is not what the ledger has, in words. */
export async function selectLedgerFaultsAcrossResellers(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ fault: string }>(
    `select format('entry %s of %s sums to %s %s', entry_id, reseller_id, sum(amount_minor), currency) as fault
       from ledger_postings
      group by reseller_id, entry_id, currency
     having sum(amount_minor) <> 0
      union all
     select format('book %s sums to %s %s', reseller_id, sum(amount_minor), currency)
       from ledger_postings
      group by reseller_id, currency
     having sum(amount_minor) <> 0
      union all
     select format('entry %s of %s has no postings', e.entry_id, e.reseller_id)
       from ledger_entries e
      where not exists (select from ledger_postings p where p.reseller_id = e.reseller_id and p.entry_id = e.entry_id)
      union all
     select format('invoice %s of %s: %s is receivable, the ledger has %s', i.invoice_id, i.issuer_id, i.due, coalesce(l.amount, 0))
       from (select *, case when opened_at is null then 0 else total_minor - paid_minor - credited_minor end as due
               from invoices where kind = 'invoice') i
       left join lateral (
            select sum(p.amount_minor) as amount
              from ledger_entries e
              join ledger_postings p using (reseller_id, entry_id)
             where e.reseller_id = i.issuer_id and e.invoice_id = i.invoice_id and p.account = 'receivable') l on true
      where i.due <> coalesce(l.amount, 0) or i.due < 0
      order by 1`,
  )
  return rows.map(({ fault }) => fault)
}

type PostingRow = { account: Account; customer_id: string; currency: string; amount_minor: string }
type BalanceRow = PostingRow

function postingFromRow({ account, customer_id, currency, amount_minor }: PostingRow): Posting {
  return { account, customerId: customer_id, currency, amountMinor: Number(amount_minor) }
}
