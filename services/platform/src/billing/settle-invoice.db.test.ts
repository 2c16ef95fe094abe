// Goal: what money does to an invoice is booked once, in double entry, and none of it is lost. Method: a real database; known cases, and
// thousands of random sequences of payments, refunds, disputes and repeats, after each of which the ledger has to agree with the invoice.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { systemAuthor } from '../audit/audit.ts'
import { createReseller, requireReseller } from '../resellers/resellers.ts'
import { openTestDatabase, untilNoOutage } from '../test-support.ts'
import { OPERATOR_BOOK, tenantsOf } from './book.ts'
import { lockInvoice } from './invoices.sql.ts'
import { selectBalances } from './ledger/ledger.sql.ts'
import { assertLedgerBalances, bookEntry } from './ledger/ledger.ts'
import { applyDispute, applyPayment, applyRefund, applyReturnedRefund, type Settlement } from './settle-invoice.ts'
import type { StoredInvoice } from './stored-invoice.ts'
import { insertOpenInvoice, insertTestBook, invoiceNow, testDraft } from './test-book.ts'

const { database } = await openTestDatabase({ after })
const at = new Date('2026-11-05T06:00:00.000Z')
await createReseller(database, { slug: 'north', name: 'North' }, at)
await insertTestBook(database, 'north')
await insertTestBook(database, OPERATOR_BOOK, { suspendAfterDays: 10 })
let nth = 0
const openOne = (given: Partial<StoredInvoice> = {}) =>
  insertOpenInvoice(database, testDraft({ issuerId: 'north', resellerId: 'north', subClientId: `acme-${nth++}`, ...given }))

type Apply = typeof applyPayment
const money = (amountMinor: number, source: string, more: object = {}) => ({
  amountMinor,
  currency: 'INR',
  source,
  gateway: 'stripe',
  at,
  ...more,
})

async function settle(apply: Apply, invoice: StoredInvoice, given: Parameters<Apply>[2]): Promise<Settlement> {
  return await database.tenant(tenantsOf(invoice), async (db) => {
    const locked = await lockInvoice(db, invoice)
    assert.ok(locked)
    return await apply(db, locked, given, systemAuthor(invoice.issuerId, given.at))
  })
}
const dispute =
  (isLost: boolean): Apply =>
  (db, invoice, given, author) =>
    applyDispute(db, invoice, { ...given, isLost }, author)
const balanceOf = async (invoice: StoredInvoice, account: string) =>
  (await selectBalances(database.tenantPool(invoice.issuerId), invoice.issuerId))
    .filter((each) => each.account === account && ['', invoice.subClientId ?? invoice.resellerId].includes(each.customerId))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0)

afterEach(() => assertLedgerBalances(database.systemPool))

test('what is opened is receivable, and two payments pay it, each once', async () => {
  const invoice = await openOne()
  assert.equal(invoice.status, 'open')
  assert.equal(await balanceOf(invoice, 'receivable'), 118_000)
  const first = await settle(applyPayment, invoice, money(100_000, 'pay-1'))
  assert.deepEqual([first.invoice.status, first.appliedMinor, first.unappliedMinor, first.isRepeat], ['open', 100_000, 0, false])
  const repeat = await settle(applyPayment, invoice, money(100_000, 'pay-1'))
  assert.deepEqual([repeat.invoice.paidMinor, repeat.appliedMinor, repeat.isRepeat], [100_000, 100_000, true])
  const second = await settle(applyPayment, invoice, money(18_000, 'pay-2'))
  assert.deepEqual([second.invoice.status, second.invoice.paidAt], ['paid', at])
  assert.equal(await balanceOf(invoice, 'receivable'), 0)
  const { rows } = await database.systemPool.query(
    `select changes -> 'money' ->> 'to' as money, changes -> 'currency' ->> 'to' as currency from audit_log
     where object_id = $1 and action = 'invoice.payment' order by at, audit_id`,
    [invoice.invoiceId],
  )
  assert.deepEqual(
    new Set(rows.map(({ money: text, currency }) => `${text}, ${currency}`)),
    new Set(['1000.00 INR by stripe (pay-1), INR', '180.00 INR by stripe (pay-2), INR']),
  )
})

test('50 at once of one payment book it once', async () => {
  const invoice = await openOne()
  const settlements = await Promise.all(
    Array.from({ length: 50 }, () => untilNoOutage(() => settle(applyPayment, invoice, money(118_000, 'pay-50')))),
  )
  assert.equal(settlements.filter(({ isRepeat }) => !isRepeat).length, 1)
  assert.equal((await invoiceNow(database, invoice)).paidMinor, 118_000)
})

test('of 20 payments at once no more is applied than was due, and the rest is unapplied', async () => {
  const invoice = await openOne()
  const settlements = await Promise.all(
    Array.from({ length: 20 }, (_, place) => untilNoOutage(() => settle(applyPayment, invoice, money(10_000, `many-${place}`)))),
  )
  const sumOf = (key: 'appliedMinor' | 'unappliedMinor') => settlements.reduce((sum, each) => sum + each[key], 0)
  assert.deepEqual([sumOf('appliedMinor'), sumOf('unappliedMinor')], [118_000, 82_000])
  const { status, paidMinor } = await invoiceNow(database, invoice)
  assert.deepEqual([status, paidMinor], ['paid', 118_000])
})

test('surplus, another currency, and money for what is paid are unapplied, and given back from there', async () => {
  const invoice = await openOne()
  const surplus = await settle(applyPayment, invoice, money(120_000, 'pay-3'))
  assert.deepEqual([surplus.appliedMinor, surplus.unappliedMinor, surplus.invoice.status], [118_000, 2_000, 'paid'])
  const again = await settle(applyPayment, invoice, money(5_000, 'pay-4'))
  assert.deepEqual([again.appliedMinor, again.unappliedMinor], [0, 5_000])
  const foreign = await settle(applyPayment, invoice, money(700, 'pay-5', { currency: 'USD' }))
  assert.deepEqual([foreign.appliedMinor, foreign.unappliedMinor], [0, 700])
  const back = await settle(applyRefund, invoice, money(7_000, 'ref-1'))
  assert.deepEqual([back.appliedMinor, back.unappliedMinor, back.invoice.status], [0, 7_000, 'paid'])
})

test('a refund beyond what was unapplied makes the invoice due again, and one that the bank returns pays it', async () => {
  const invoice = await openOne()
  await settle(applyPayment, invoice, money(118_000, 'pay-6'))
  const back = await settle(applyRefund, invoice, money(18_000, 'ref-2'))
  assert.deepEqual([back.invoice.status, back.invoice.paidMinor, back.invoice.paidAt], ['open', 100_000, undefined])
  const late = await settle(applyRefund, invoice, money(1_000, 'ref-3', { at: new Date('2027-01-01T00:00:00Z') }))
  assert.equal(late.invoice.paidMinor, 99_000)
  const returned = await settle(applyReturnedRefund, invoice, money(18_000, 'ref-2'))
  assert.equal(returned.invoice.paidMinor, 117_000)
})

test('money that goes back after the due date is published as an invoice that is overdue, once; before it, it is not', async () => {
  const [early, late] = [await openOne(), await openOne()]
  const afterDue = new Date('2027-01-01T00:00:00Z')
  for (const [invoice, backAt] of [[early, at] as const, [late, afterDue] as const]) {
    await settle(applyPayment, invoice, money(118_000, `pay-${invoice.invoiceId}`))
    for (const nth of [1, 2]) await settle(applyRefund, invoice, money(1_000, `ref-${invoice.invoiceId}-${nth}`, { at: backAt }))
  }
  const { rows } = await database.systemPool.query<{ id: string }>(
    `select data ->> 'invoiceId' as id from event_outbox where type = 'invoice.overdue' and data ->> 'invoiceId' = any ($1)`,
    [[early.invoiceId, late.invoiceId]],
  )
  assert.deepEqual(rows, [{ id: late.invoiceId }])
})

test('a dispute holds money back, and only when it is lost is the invoice due again', async () => {
  const invoice = await openOne()
  await settle(applyPayment, invoice, money(118_000, 'pay-7'))
  const opened = await settle(dispute(false), invoice, money(118_000, 'dp-1'))
  assert.equal(opened.invoice.status, 'paid')
  assert.equal(await balanceOf(invoice, 'disputed'), 118_000)
  assert.equal((await settle(dispute(false), invoice, money(118_000, 'dp-1'))).isRepeat, true)
  const lost = await settle(dispute(true), invoice, money(118_000, 'dp-1'))
  assert.deepEqual([lost.invoice.status, lost.invoice.paidMinor], ['open', 0])
  assert.equal(await balanceOf(invoice, 'disputed'), 0)
  assert.equal((await settle(dispute(true), invoice, money(118_000, 'dp-1'))).isRepeat, true)
  const won = await settle(dispute(false), invoice, money(0, 'dp-1'))
  assert.deepEqual([won.invoice.status, won.invoice.paidMinor], ['paid', 118_000])
})

test('the database refuses an entry that does not sum to zero, and the function before it', async () => {
  const postings = [
    { account: 'cash', customerId: '', currency: 'INR', amountMinor: 5 },
    { account: 'unapplied', customerId: 'x', currency: 'INR', amountMinor: -4 },
  ] as const
  const entry = { bookId: 'north', kind: 'payment', source: 'bad', at, invoiceId: undefined, postings } as const
  await assert.rejects(
    database.tenant('north', (db) => bookEntry(db, entry)),
    /sum to 1/,
  )
  await assert.rejects(
    database.tenant('north', async (db) => {
      await db.query(
        `insert into ledger_entries (reseller_id, entry_id, at, kind, source) values ('north', 'led-x', $1, 'payment', 'bad')`,
        [at],
      )
      await db.query(`insert into ledger_postings values ('north', 'led-x', 1, 'cash', '', 'INR', 5)`)
    }),
    /do not sum to zero/,
  )
  await assert.rejects(
    database.tenant('north', (db) => db.query('update ledger_postings set amount_minor = 1')),
    /permission denied/,
  )
})

test('of whatever comes in any order nothing is lost or booked twice', async () => {
  let seed = 20_261_105
  const random = (limit: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * limit)
  }
  for (let run = 0; run < 12; run++) {
    const invoice = await openOne({ subtotalMinor: 1_000 + random(5_000), taxMinor: random(900) })
    let cashMinor = 0
    const disputes = new Map<string, number>()
    const seen = new Set<string>()
    for (let step = 0; step < 14; step++) {
      const source = `run-${run}-${random(8)}`
      const amountMinor = 1 + random(4_000)
      const kind = random(4)
      if (kind === 3) {
        const withdrawnMinor = random(3) === 0 ? 0 : amountMinor
        await settle(dispute(random(2) === 0), invoice, money(withdrawnMinor, source))
        disputes.set(source, withdrawnMinor)
        continue
      }
      const apply = [applyPayment, applyRefund, applyReturnedRefund][kind] as Apply
      const { isRepeat } = await settle(apply, invoice, money(amountMinor, source))
      assert.equal(isRepeat, seen.has(`${kind} ${source}`))
      seen.add(`${kind} ${source}`)
      if (!isRepeat) cashMinor += kind === 1 ? -amountMinor : amountMinor
      await assertLedgerBalances(database.systemPool)
    }
    for (const withdrawnMinor of disputes.values()) cashMinor -= withdrawnMinor
    const { rows } = await database.systemPool.query<{ cash: string | null }>(
      `select sum(p.amount_minor) as cash from ledger_entries e join ledger_postings p using (reseller_id, entry_id)
        where e.invoice_id = $1 and p.account = 'cash'`,
      [invoice.invoiceId],
    )
    assert.equal(Number(rows[0]?.cash ?? 0), cashMinor)
    const now = await invoiceNow(database, invoice)
    assert.equal(now.status === 'paid', now.paidMinor === now.totalMinor)
  }
})

test('paying the operator restores the standing of a reseller that was past due, and nothing else does', async () => {
  await createReseller(database, { slug: 'late', name: 'Late', subscription: 'past_due' }, at)
  const ours = await insertOpenInvoice(database, testDraft({ issuerId: OPERATOR_BOOK, resellerId: 'late' }))
  await insertTestBook(database, 'late')
  const theirs = await insertOpenInvoice(database, testDraft({ issuerId: 'late', resellerId: 'late', subClientId: 'acme' }))
  await settle(applyPayment, theirs, money(118_000, 'pay-8'))
  assert.equal((await requireReseller(database, 'late')).subscription, 'past_due')
  await settle(applyPayment, ours, money(118_000, 'pay-9'))
  assert.equal((await requireReseller(database, 'late')).subscription, 'active')
})
