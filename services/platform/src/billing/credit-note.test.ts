// Goal: credit notes take back what was invoiced, never more of any line or tax, and together all of it to the minor unit.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/support/fast-check.ts'
import { type CreditRequest, creditInvoice } from './credit-note.ts'
import type { Invoice } from './invoice.ts'
import type { RatedInvoice } from './rating/rate-invoice.ts'
import { billedInvoice, inputOf, planOf, rowOf, simOf } from './rating/test-rating-input.ts'
import { bookOf, CUSTOMERS, ratingInputOf } from './test-billing-book.ts'

const history = [rowOf(1, '2026-09-10', 'active'), rowOf(2, '2026-10-11', 'active', 'acme', 'other')]
const taxes = ['9', '9'].map((ratePercent, nth) => ({
  taxId: `t${nth}`,
  name: 'GST',
  ratePercent,
  category: 'S' as const,
  exemptionReason: null,
}))
const invoice = billedInvoice(inputOf({ sims: [simOf(history)], plans: [planOf(), planOf({}, 'other')], taxes }))

const part = (line: number, amountMinor: number): CreditRequest => ({ parts: [{ line, amountMinor }], reason: 'Parked' })
const everything: CreditRequest = { parts: undefined, reason: 'Wrong customer' }
const amounts = ({ lines, taxes: of, totalMinor }: RatedInvoice) => [...[...lines, ...of].map(({ amountMinor }) => amountMinor), totalMinor]

test('all of an invoice is credited with its lines, quantities and taxes', () => {
  assert.deepEqual(amounts(invoice), [100, 210, 28, 28, 366])
  const note = creditInvoice(invoice, [], everything)
  assert.deepEqual(amounts(note), [100, 210, 28, 28, 366])
  const [first, original] = [note.lines[0], invoice.lines[0]]
  assert.deepEqual(first, {
    ...original,
    kind: 'correction',
    description: `Wrong customer: ${original?.description}`,
    sources: [{ ledger: 'invoice', invoiceId: 'inv-1', line: 1 }],
  })
})

test('a part of a line is a piece at that price, with its tax', () => {
  const note = creditInvoice(invoice, [], part(2, 50))
  const [line] = note.lines
  assert.deepEqual(amounts(note), [50, 5, 5, 60])
  assert.deepEqual([line?.line, line?.quantity, line?.unit, line?.unitPrice, line?.sim?.simId], [1, '1', 'piece', '0.50', 'sim-1'])
})

test('no more of a line than is left can be credited, over all notes', () => {
  const first = creditInvoice(invoice, [], part(1, 99))
  const second = creditInvoice(invoice, [first], part(1, 1))
  assert.throws(() => creditInvoice(invoice, [], part(1, 101)), {
    code: 'conflict',
    message: 'Of line 1 no more than 1.00 EUR is left to credit.',
    details: { line: 1, left: 100 },
  })
  assert.throws(() => creditInvoice(invoice, [first], part(1, 2)), { code: 'conflict', details: { line: 1, left: 1 } })
  assert.throws(() => creditInvoice(invoice, [first, second], part(1, 1)), { code: 'conflict', details: { line: 1, left: 0 } })
  assert.deepEqual(amounts(creditInvoice(invoice, [first, second], everything)), [210, 19, 19, 248])
  const rest = creditInvoice(invoice, [first, second], everything)
  assert.throws(() => creditInvoice(invoice, [first, second, rest], everything), /Nothing of the invoice is left/)
})

test('what cannot be credited is refused', () => {
  const refused = (of: Partial<Invoice>) => assert.throws(() => creditInvoice({ ...invoice, ...of }, [], everything), { code: 'conflict' })
  refused({ status: 'draft' })
  refused({ status: 'void' })
  refused({ kind: 'credit_note' })
  for (const status of ['open', 'overdue', 'paid'] as const) creditInvoice({ ...invoice, status }, [], everything)
  for (const amountMinor of [0, -1, 0.5, Number.NaN]) {
    assert.throws(() => creditInvoice(invoice, [], part(1, amountMinor)), { code: 'invalid_request' })
  }
  assert.throws(() => creditInvoice(invoice, [], part(9, 1)), /Line 9 is not on the invoice/)
  const twice = { line: 1, amountMinor: 1 }
  assert.throws(() => creditInvoice(invoice, [], { parts: [twice, twice], reason: 'R' }), /Line 1 is named twice/)
})

test('whatever is credited in parts, all notes come to the invoice exactly: each line, each tax, the total', () => {
  const requests = fc.array(fc.tuple(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 12 })
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...CUSTOMERS), requests, (seed, customer, wishes) => {
      const billed = billedInvoice(ratingInputOf(bookOf(seed), customer))
      const left = new Map(billed.lines.map(({ line, amountMinor }) => [line, amountMinor]))
      const notes: RatedInvoice[] = []
      for (const [nth, share] of wishes) {
        const line = billed.lines[nth % Math.max(1, billed.lines.length)]?.line ?? 0
        const amountMinor = Math.floor((left.get(line) ?? 0) * share)
        if (amountMinor === 0) continue
        left.set(line, (left.get(line) ?? 0) - amountMinor)
        notes.push(creditInvoice(billed, notes, { parts: [{ line, amountMinor }], reason: 'R' }))
      }
      if ([...left.values()].some((amount) => amount > 0)) notes.push(creditInvoice(billed, notes, everything))
      for (const { taxes: credited, subtotalMinor } of notes) {
        for (const { amountMinor, ratePercent, taxableMinor } of credited) {
          assert.equal(taxableMinor, subtotalMinor)
          assert.ok(amountMinor >= 0 && Math.abs(amountMinor - (taxableMinor * Number(ratePercent)) / 100) <= 1)
        }
      }
      const total = (of: (note: RatedInvoice) => number) => notes.reduce((sum, note) => sum + of(note), 0)
      assert.equal(
        total(({ totalMinor }) => totalMinor),
        billed.totalMinor,
      )
      for (const [nth, tax] of billed.taxes.entries()) {
        assert.equal(
          total((note) => note.taxes[nth]?.amountMinor ?? 0),
          tax.amountMinor,
        )
      }
    }),
    { numRuns: 200 },
  )
})
