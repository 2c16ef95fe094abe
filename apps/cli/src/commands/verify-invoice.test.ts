// Goal: a person checks an invoice or a credit note without any service, and the answer names the first line that differs. What is compared is tested in
// services/platform/src/billing.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { creditInvoice } from '@roadworthy/platform/billing/credit-note'
import { buildInvoiceStatement, creditStatementContent } from '@roadworthy/platform/billing/ledger/invoice-statement'
import { billedInvoice, inputOf, planOf, rowOf, simOf } from '@roadworthy/platform/billing/rating/test-rating-input'
import { createStatementKey } from '@roadworthy/platform/metering/statement-key'
import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import { roadworthy } from '../../../../test/support/command-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'roadworthy-invoice-'))
after(() => rmSync(folder, { recursive: true }))

const key = createStatementKey('a secret key of at least 32 characters')
const input = inputOf({ sims: [simOf([rowOf(1, '2026-09-10', 'active')])], plans: [planOf()] })
const statement = JSON.parse(JSON.stringify(buildInvoiceStatement(billedInvoice(input), input, key)))
writeFileSync(join(folder, 'good.json'), JSON.stringify(statement))
statement.invoice.lines[0].amountMinor += 1
writeFileSync(join(folder, 'forged.json'), JSON.stringify(statement))

const asked = { reason: 'Parked', parts: [{ line: 1, amountMinor: 100 }] }
const invoice = billedInvoice(input)
const note = {
  ...invoice,
  ...creditInvoice(invoice, [], asked),
  ...{ invoiceId: 'inv-2', number: 'N-2', kind: 'credit_note' as const, corrects: { invoiceId: 'inv-1', number: 'N-1' } },
}
const documents = [invoice, note].map(({ lines, ...head }) => ({ invoice: head, lines }))
const content = creditStatementContent(documents, { input: 'roadworthy-credit-1', ...asked, earlier: [] }, key.publicKey)
const noteStatement = JSON.parse(JSON.stringify({ ...content, signature: key.sign(canonicalJson(content)) }))
writeFileSync(join(folder, 'note.json'), JSON.stringify(noteStatement))
noteStatement.invoice.lines[0].amountMinor = 101
writeFileSync(join(folder, 'forged-note.json'), JSON.stringify(noteStatement))
writeFileSync(join(folder, 'key.pub'), `${key.publicKey}\n`)

const verify = (...args: string[]) => roadworthy(['verify-invoice', ...args], { cwd: folder })

test('an invoice is valid by its own key with a word of caution, and by the key that is given', async () => {
  const alone = await verify('good.json')
  assert.deepEqual([alone.code, alone.stdout.split('\n')[0]], [0, 'valid'])
  assert.match(alone.stderr, /Give --public-key to know whose that is/)
  const { code, stdout, stderr } = await verify('good.json', '--public-key', 'key.pub', '--json')
  const { valid, findings, key_given } = JSON.parse(stdout)
  assert.deepEqual([code, stderr, valid, findings, key_given], [0, '', true, [], true])
})

test('the first line that differs is named, and a signature that is not over this content', async () => {
  const { code, stdout } = await verify('forged.json', '--json')
  const { valid, first_differing_line, findings } = JSON.parse(stdout)
  assert.deepEqual([code, valid, first_differing_line], [1, false, 1])
  assert.match(findings.join(' '), /Line 1: amountMinor is .* The signature is not/)
  const other = createStatementKey('another secret key of 32 characters..')
  assert.equal((await verify('good.json', '--public-key', other.publicKey)).code, 1)
})

test('a credit note is valid by its statement, and the first line of it that differs is named', async () => {
  const good = await verify('note.json', '--public-key', 'key.pub', '--json')
  assert.deepEqual([good.code, JSON.parse(good.stdout).valid, JSON.parse(good.stdout).number], [0, true, 'N-2'])
  const { code, stdout } = await verify('forged-note.json', '--public-key', 'key.pub', '--json')
  assert.deepEqual([code, JSON.parse(stdout).first_differing_line], [1, 1])
})
