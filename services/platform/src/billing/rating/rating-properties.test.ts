// Goal: what holds of every month, whatever happened in it. Method: books by chance (`test-billing-book.ts`), fast-check's seeds, and a check of each
// property against the rating itself; what amounts have to be is checked by the independent reckoner.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../../test/support/fast-check.ts'
import { bookOf, CUSTOMERS, ratingInputOf } from '../test-billing-book.ts'
import { billedMonth, chargeOfDay, rowBefore, sharesOf } from './billed-days.ts'
import { decimalsOf } from './money.ts'
import { rateInvoice } from './rate-invoice.ts'
import type { RatedSim, RatingInput } from './rating-input.ts'
import { fraction, parseDecimal, product, type Rational, sum } from './rational.ts'
import { recomputeInvoice } from './recompute-invoice.ts'
import { billedInvoice, inputOf, planOf, rowOf, simOf, termsOf } from './test-rating-input.ts'

const seeds = fc.integer({ min: 1, max: 2 ** 31 })
const inputs = fc.tuple(seeds, fc.constantFrom(...CUSTOMERS)).map(([seed, customer]) => ratingInputOf(bookOf(seed), customer))
const RUNS = { numRuns: 150 }

/** Amounts in the order of the lines, without the rows they name. */
function outcome(input: RatingInput) {
  const { lines, ...totals } = rateInvoice(input)
  return { ...totals, lines: lines.map(({ sources: _, ...line }) => line) }
}

test('a row that changes nothing changes nothing', () => {
  fc.assert(
    fc.property(inputs, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (input, nth, part) => {
      const sims = input.sims.map((sim) => splitRow(sim, nth, part, Date.parse(input.month.until)))
      assert.deepEqual(outcome({ ...input, sims }), outcome(input))
    }),
    RUNS,
  )
})

/** The state of a row is repeated at some time before the next one. */
function splitRow(sim: RatedSim, nth: number, part: number, untilMs: number): RatedSim {
  const place = nth % Math.max(1, sim.history.length)
  const row = sim.history[place]
  if (row === undefined) return sim
  const next = sim.history[place + 1]
  const [fromMs, toMs] = [Date.parse(row.at), next === undefined ? untilMs - 1 : Date.parse(next.at)]
  if (toMs < fromMs) return sim
  const again = { ...row, at: new Date(fromMs + Math.floor(part * (toMs - fromMs))).toISOString() }
  // Room for one more number.
  const spread = sim.history.map((each) => ({ ...each, seq: each.seq * 2 }))
  return { ...sim, history: [...spread.slice(0, place + 1), { ...again, seq: row.seq * 2 + 1 }, ...spread.slice(place + 1)] }
}

test('the order of SIMs, plans and prices changes nothing', () => {
  fc.assert(
    fc.property(inputs, fc.infiniteStream(fc.nat()), (input, keys) => {
      const shuffled = <T>(items: readonly T[]): T[] =>
        items
          .map((item) => ({ item, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item)
      const other = { ...input, sims: shuffled(input.sims), plans: shuffled(input.plans), meterTotals: shuffled(input.meterTotals) }
      const sourcesAside = (of: RatingInput) => outcome(of)
      assert.deepEqual(sourcesAside(other), sourcesAside(input))
    }),
    RUNS,
  )
})

test('each day of a SIM that can be charged has exactly one payer', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const month = billedMonth(input.month)
      for (const sim of input.sims) {
        const shares = sharesOf(sim, month, () => true)
        const paid = shares.reduce((days, { dayCount }) => days + dayCount, 0)
        const free = month.days.filter(({ untilMs }) => {
          const row = rowBefore(sim.history, untilMs)
          return row === undefined || row.customerId === null || row.planId === null || chargeOfDay(row.status) === undefined
        })
        assert.equal(paid + free.length, month.days.length)
      }
    }),
    RUNS,
  )
})

test('a SIM that is active all month is paid for all its days, however often it moves', () => {
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { maxLength: 12 })
  fc.assert(
    fc.property(days, (moves) => {
      const history = [rowOf(1, '2026-09-10', 'active')]
      for (const day of moves.sort((a, b) => a - b)) {
        const customer = CUSTOMERS[day % CUSTOMERS.length] ?? 'acme'
        history.push(rowOf(history.length + 1, `2026-10-${String(day).padStart(2, '0')}`, 'active', customer))
      }
      const paid = CUSTOMERS.map((customerId) => rateInvoice(inputOf({ customerId, sims: [simOf(history)] })).subtotalMinor)
      assert.equal(
        paid.reduce((total, amount) => total + amount, 0),
        310,
      )
    }),
  )
})

test('an amount is within half a minor unit of the exact product of what stands on its line', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const invoice = rateInvoice(input)
      const minorUnits = fraction(10n ** BigInt(decimalsOf(input.currency)))
      for (const { quantity, quantityFraction, unitPrice, priceQuantity, amountMinor } of invoice.lines) {
        const part =
          quantityFraction === undefined
            ? parseDecimal(quantity)
            : fraction(BigInt(quantityFraction.numerator), BigInt(quantityFraction.denominator))
        assertWithinHalf(amountMinor, product(part, parseDecimal(unitPrice), fraction(1, priceQuantity), minorUnits))
      }
      for (const { taxableMinor, ratePercent, amountMinor } of invoice.taxes) {
        assertWithinHalf(amountMinor, product(fraction(taxableMinor), parseDecimal(ratePercent), fraction(1, 100)))
      }
      assert.equal(
        invoice.totalMinor,
        [...invoice.lines, ...invoice.taxes].reduce((total, { amountMinor }) => total + amountMinor, 0),
      )
    }),
    RUNS,
  )
})

function assertWithinHalf(amountMinor: number, exact: Rational): void {
  const { numerator, denominator } = sum(fraction(amountMinor), product(exact, fraction(-1)))
  const doubled = numerator * 2n
  // Exactly a half above is what half up gives; a half below is not.
  assert.ok(doubled > -denominator && doubled <= denominator, `${amountMinor} for ${exact.numerator}/${exact.denominator}`)
}

test('an invoice that was stored as JSON is recomputed to the same, and any change of it is found', () => {
  fc.assert(
    fc.property(inputs, fc.nat(), (input, nth) => {
      const [stored, stated] = JSON.parse(JSON.stringify([input, billedInvoice(input)]))
      assert.deepEqual(recomputeInvoice(stored, stated), { isValid: true, findings: [], firstDifferingLine: undefined })
      const place = nth % Math.max(1, stated.lines.length)
      if (stated.lines.length === 0) return
      stated.lines[place].amountMinor += 1
      const { isValid, firstDifferingLine } = recomputeInvoice(stored, stated)
      assert.deepEqual([isValid, firstDifferingLine], [false, place + 1])
    }),
    RUNS,
  )
})

test('prices of any size are multiplied exactly', () => {
  const decimals = (most: number) =>
    fc.tuple(fc.nat(most), fc.nat(999_999)).map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`)
  const margins = fc.integer({ min: -1_000_000, max: 9_999_999 }).map((parts) => (parts / 10_000).toFixed(4))
  fc.assert(
    fc.property(decimals(999_999), margins, fc.constantFrom('JPY', 'EUR', 'KWD'), (rental, marginPercent, currency) => {
      const sims = [simOf([rowOf(1, '2026-10-11', 'active')])]
      const input = inputOf({ sims, plans: [planOf({ rental })], terms: termsOf({ marginPercent }), currency })
      const [line] = rateInvoice(input).lines
      const scale = 10n ** BigInt(decimalsOf(currency))
      const [price, margin] = [BigInt(rental.replace('.', '')), BigInt(marginPercent.replace('.', '')) + 1_000_000n]
      // 21 of 31 days; 6 decimals of the price, 4 of the margin and 2 of its percent.
      const [over, under] = [21n * price * margin * scale, 31n * 10n ** 12n]
      const expected = (over * 2n + under) / (under * 2n)
      assert.equal(BigInt(line?.amountMinor ?? 0), expected)
    }),
    { numRuns: 500 },
  )
})
