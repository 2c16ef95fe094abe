// Goal: from an invoice and its input it is found whether they belong together, and what differs. And of an input itself: what would bill twice
// or wrongly is refused, and what is handed out names no other customer.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideOthers } from '../hide-others.ts'
import { rateInvoice } from './rate-invoice.ts'
import type { RatingInput } from './rating-input.ts'
import { recomputeInvoice } from './recompute-invoice.ts'
import { billedInvoice, inputOf, MEGABYTE, planOf, rowOf, simOf, useOf } from './test-rating-input.ts'

const history = [rowOf(1, '2026-09-10', 'active'), rowOf(2, '2026-10-11', 'active', 'bolt', 'secret')]
const usage = [useOf(1, '2026-10-05', 40 * MEGABYTE), useOf(2, '2026-10-12', 7 * MEGABYTE, 'bolt', 'secret')]
const tax = { taxId: 'vat', name: 'VAT', ratePercent: '19', category: 'S' as const, exemptionReason: null }
const input = inputOf({ sims: [simOf(history, { usage })], plans: [planOf(), planOf({ isProrated: false }, 'secret')], taxes: [tax] })
const invoice = () => JSON.parse(JSON.stringify(billedInvoice(input)))

test('what was billed is what comes out again', () => {
  assert.deepEqual(recomputeInvoice(input, billedInvoice(input)), { isValid: true, findings: [], firstDifferingLine: undefined })
  assert.deepEqual(recomputeInvoice(JSON.parse(JSON.stringify(input)), invoice()).findings, [])
})

test('a difference is named with its line, what stands there and what should', () => {
  const stated = invoice()
  stated.lines[1].amountMinor = 999
  const { isValid, findings, firstDifferingLine } = recomputeInvoice(input, stated)
  assert.deepEqual([isValid, firstDifferingLine], [false, 2])
  assert.deepEqual(findings, ['Line 2: amountMinor is 999, recomputed it is 150.'])
})

test('a line too many, one too few, another tax, total, month or customer are found', () => {
  const firstFinding = (change: (stated: ReturnType<typeof invoice>) => void) => {
    const stated = invoice()
    change(stated)
    return recomputeInvoice(input, stated).findings[0]
  }
  assert.match(firstFinding((of) => of.lines.pop()) ?? '', /^Line 2 is missing on the invoice: /)
  assert.match(firstFinding((of) => of.lines.push(of.lines[0])) ?? '', /^Line 3 is on the invoice; nothing in the input makes it/)
  assert.match(firstFinding((of) => (of.lines[0].sources[0].toSeq = 9)) ?? '', /^Line 1: sources is /)
  assert.match(firstFinding((of) => (of.lines[0].discount = 1)) ?? '', /^Line 1: discount is 1, recomputed it is absent/)
  assert.match(firstFinding((of) => (of.taxes[0].ratePercent = '7')) ?? '', /^Tax 1: ratePercent is "7"/)
  assert.match(firstFinding((of) => (of.totalMinor += 1)) ?? '', /^The invoice: totalMinor is /)
  assert.match(firstFinding((of) => (of.month = '2026-11')) ?? '', /^The invoice: month is "2026-11", recomputed it is "2026-10"/)
  assert.match(firstFinding((of) => (of.subClientId = 'bolt')) ?? '', /^The invoice: customerId is "bolt"/)
  assert.match(firstFinding((of) => (of.lines[0] = null)) ?? '', /^Line 1 is no object/)
})

test('only so many differences are named', () => {
  const stated = invoice()
  stated.lines = Array.from({ length: 1000 }, () => ({}))
  const { findings } = recomputeInvoice(input, stated)
  assert.equal(findings.length, 21)
  assert.match(findings.at(-1) ?? '', /^\d+ more differ\.$/)
})

test('an input of another form is refused with the place', () => {
  const refusal = (document: unknown) => recomputeInvoice(document, invoice()).findings[0] ?? ''
  assert.match(refusal(null), /^The input is not of this form/)
  assert.match(refusal({ ...input, currency: 'euro' }), /\/currency/)
  assert.match(refusal({ ...input, more: 1 }), /not of this form/)
  assert.match(refusal({ ...input, sims: [{ ...input.sims[0], usage: [{ ...usage[0], bytes: '-1' }] }] }), /\/sims\/0\/usage\/0\/bytes/)
  assert.match(refusal({ ...input, currency: 'XXQ' }), /no currency/)
})

test('what would be billed twice or wrongly is refused', () => {
  const [sim] = input.sims
  if (sim === undefined) return assert.fail('there is a SIM')
  const refused = (given: Partial<RatingInput>, message: RegExp) => assert.throws(() => rateInvoice({ ...input, ...given }), message)
  refused({ sims: [sim, sim] }, /SIM "sim-1" is there twice/)
  refused({ sims: [{ ...sim, usage: [useOf(1, '2026-10-05', 1), useOf(1, '2026-10-05', 1)] }] }, /usage 1 to 1 of SIM "sim-1" overlaps/)
  refused(
    { sims: [{ ...sim, usage: [{ ...useOf(1, '2026-10-05', 1), lastReceivedAt: input.month.until }] }] },
    /was not received in the month/,
  )
  refused({ sims: [{ ...sim, history: [...history].reverse() }] }, /history of SIM "sim-1" is not in the order of seq/)
  refused({ sims: [simOf([...history.slice(0, 1), ...history])] }, /history of SIM "sim-1" is not in the order of seq at 1/)
  refused({ sims: [simOf([rowOf(1, '2026-09-10', 'safe_custody')])] }, /since when is missing/)
  refused({ plans: [planOf(), planOf()] }, /plan "basic" is there twice/)
  refused({ plans: [] }, /The plan "basic" has no prices in 2026-10/)
  refused({ taxes: [tax, tax] }, /tax "vat" is there twice/)
  refused({ month: { ...input.month, until: input.month.from } }, /month "2026-10" .* is none/)
  refused({ month: { ...input.month, timeZone: '+01:00' } }, /is none/)
  refused({ sims: [simOf([{ ...rowOf(1, '2026-10-10', 'active'), at: '2026-13-45T99:00:00.000Z' }])] }, /is no instant/)
})

test('an input that is handed out names no other customer, plan or use, and comes to the same', () => {
  const hidden = hideOthers(input)
  assert.deepEqual(rateInvoice(hidden), rateInvoice(input))
  const text = JSON.stringify(hidden)
  for (const word of ['bolt', 'secret', String(7 * MEGABYTE)]) assert.ok(!text.includes(word), word)
  assert.deepEqual(recomputeInvoice(hidden, invoice()).findings, [])
  // A plan that has no prices is no obstacle where nobody is charged for it.
  const idle = inputOf({ sims: [simOf([...history.slice(0, 1), rowOf(2, '2026-10-11', 'test', 'bolt', 'unpriced')])] })
  assert.deepEqual(rateInvoice(hideOthers(idle)), rateInvoice(idle))
  // And of the whole month: that another has it at last on a plan by the month decides that acme pays nothing.
  const whole = { ...input, plans: [planOf({ isProrated: false }), planOf({ isProrated: false }, 'secret')] }
  assert.equal(rateInvoice(hideOthers(whole)).lines.filter(({ kind }) => kind === 'sim_rental').length, 0)
})
