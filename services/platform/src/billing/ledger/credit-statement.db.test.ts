// Goal: a credit note can be made again from its statement alone, whatever notes came before it, and what was changed in the file is found. Method: notes over
// the routes, in a real database, verified without it.

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { MAX_PARTIAL_NOTES } from '../credit-input.ts'
import { DRAFTED, openMonthlyBooks } from '../rating/test-monthly-books.ts'
import { verifyInvoiceStatement } from './invoice-statement.ts'
import { assertLedgerBalances } from './ledger.ts'

const { database, clock, call, runJobs, statementKey, makeBook, invoicesOf } = await openMonthlyBooks({ after })
afterEach(() => assertLedgerBalances(database.systemPool))

async function openInvoice(slug: string): Promise<{ apiKey: string; id: string }> {
  const apiKey = await makeBook(slug, ['acme'])
  clock.now = DRAFTED
  await runJobs()
  const [{ invoice_id: id }] = await invoicesOf(apiKey)
  await call(apiKey, 'POST', `/invoices/${id}/open`)
  return { apiKey, id }
}
const credit = async (apiKey: string, id: string, reason: string, ...lines: object[]) =>
  await call(apiKey, 'POST', `/invoices/${id}/credit-notes`, { reason, ...(lines.length === 0 ? {} : { lines }) })
const statementOf = async (apiKey: string, id: string) => {
  const { status, body } = await call(apiKey, 'GET', `/invoices/${id}/statement`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const verify = (statement: unknown) => verifyInvoiceStatement(statement, statementKey.publicKey)

test('every credit note of an invoice, and the one that voids it, is made again from its statement', async () => {
  const { apiKey, id } = await openInvoice('noted')
  const first = (await credit(apiKey, id, 'Wrong rental', { line: 1, amount_minor: 501 })).body.credit_note.invoice_id
  // Of an earlier time, though it comes later: requests may wait for one another.
  clock.now = new Date(DRAFTED.getTime() - 1)
  const second = (await credit(apiKey, id, 'Twice', { line: 2, amount_minor: 200 }, { line: 1, amount_minor: 3 })).body.credit_note
    .invoice_id
  const notes = (await call(apiKey, 'POST', `/invoices/${id}/void`)).body.invoice.credit_notes
  const third = notes.map((note: { invoice_id: string }) => note.invoice_id).find((each: string) => ![first, second].includes(each))
  for (const [nth, note] of [first, second, third].entries()) {
    const statement = await statementOf(apiKey, note)
    assert.deepEqual(verify(statement).findings, [])
    assert.deepEqual(
      [statement.invoice.kind, statement.invoice.corrects.invoiceId, statement.input.corrected.invoiceId],
      ['credit_note', id, id],
    )
    assert.deepEqual(
      statement.input.earlier.map(({ invoiceId }: { invoiceId: string }) => invoiceId).sort(),
      [first, second].slice(0, nth).sort(),
    )
  }
  assert.deepEqual((await statementOf(apiKey, third)).input.parts, null)
  assert.deepEqual(verify(await statementOf(apiKey, id)).findings, [], 'its invoice has a statement as before')
})

test('whatever is changed in the statement of a credit note is found, and the first line that differs is named', async () => {
  const { apiKey, id } = await openInvoice('forged')
  await credit(apiKey, id, 'Before', { line: 1, amount_minor: 1_000 })
  const { invoice_id: note } = (await credit(apiKey, id, 'Wrong', { line: 1, amount_minor: 500 }, { line: 2, amount_minor: 100 })).body
    .credit_note
  const good = await statementOf(apiKey, note)
  // biome-ignore lint/suspicious/noExplicitAny: the file is JSON, and each test changes something else in it.
  const changed = (change: (statement: any) => void) => {
    const copy = structuredClone(good)
    change(copy)
    return verify(copy)
  }
  const found = (change: Parameters<typeof changed>[0], message: RegExp, line: number | undefined = undefined) => {
    const { isValid, findings, firstDifferingLine } = changed(change)
    assert.deepEqual([isValid, firstDifferingLine], [false, line], findings.join(' '))
    assert.match(findings[0] ?? '', message)
    assert.match(findings.at(-1) ?? '', /signature/)
  }
  found(({ invoice }) => (invoice.lines[1].amountMinor = 101), /^Line 2: amountMinor is 101, recomputed it is 100/, 2)
  found(({ invoice }) => invoice.lines.pop(), /^Line 2 is missing/, 2)
  found(({ invoice }) => (invoice.lines[0].description = 'Gift'), /^Line 1: description/, 1)
  found(({ invoice }) => (invoice.taxes[0].amountMinor += 1), /^Tax 1: amountMinor/)
  found(({ invoice }) => (invoice.totalMinor += 1), /^The credit note: totalMinor/)
  found(({ invoice }) => (invoice.recipient.name = 'Beta'), /^The credit note: recipient/)
  found(({ invoice }) => (invoice.corrects.number = 'INV-000009'), /^The credit note: corrects/)
  found(({ input }) => (input.parts[0].amountMinor = 499), /^Line 1: .*recomputed/, 1)
  found(({ input }) => (input.corrected.lines[0].description = 'Other'), /^Line 1: description/, 1)
  found(({ input }) => (input.corrected.lines[0].amountMinor = 1_400), /Of line 1 no more than 4\.00 INR is left to credit/)
  found(({ input }) => (input.earlier[0].corrects.invoiceId = 'inv-other'), /INV-000002 corrects another invoice than INV-000001/)
  found(
    ({ input }) => input.earlier.push(structuredClone(input.earlier[0]), input.earlier[0], input.earlier[0], input.earlier[0]),
    /no more than 0/,
  )
  found(({ input }) => delete input.corrected.lines, /not of this form: .*corrected/)
  found(({ invoice }) => (invoice.openedAt = '2026-12-01T00:00:00.000Z'), /^The signature/)
  assert.equal(changed((statement) => (statement.statement = 'roadworthy-invoice-1')).isValid, false)
})

test('an invoice has so many notes on parts of it, and then one on everything that is left', async () => {
  const { apiKey, id } = await openInvoice('crumbled')
  for (let nth = 0; nth < MAX_PARTIAL_NOTES; nth++) {
    assert.equal((await credit(apiKey, id, 'Crumb', { line: 1, amount_minor: 1 })).status, 200)
  }
  const refused = await credit(apiKey, id, 'Crumb', { line: 1, amount_minor: 1 })
  assert.equal(refused.body.error.code, 'quota_exceeded')
  assert.match(refused.body.error.message, /credit everything that is left/)
  const rest = await credit(apiKey, id, 'The rest')
  assert.deepEqual([rest.status, rest.body.invoice.amount_due_minor], [200, 0])
  assert.deepEqual(verify(await statementOf(apiKey, rest.body.credit_note.invoice_id)).findings, [])
})
