// Goal: each rule of `rate-invoice.ts` on both sides of its border. Rental is 3.10 a month of 31 days, so a day is 0.10; custody 0.62, a day 0.02.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InvoiceLine } from '../invoice.ts'
import { rateInvoice } from './rate-invoice.ts'
import type { RatedSim, RatePlan, RatingInput, SimRow, SimStatus } from './rating-input.ts'
import { inputOf, MEGABYTE, monthOf, planOf, rowOf, simOf, termsOf, useOf } from './test-rating-input.ts'

type Brief = readonly [kind: string, amountMinor: number, quantity: string]

function brief(lines: readonly InvoiceLine[]): Brief[] {
  return lines.map(({ kind, amountMinor, quantity }) => [kind, amountMinor, quantity])
}

/** What acme pays for one SIM. */
function rate(
  history: SimRow[],
  { sim = {}, plan = {}, ...rest }: { sim?: Partial<RatedSim>; plan?: Partial<RatePlan['prices']> } & Partial<RatingInput> = {},
) {
  return rateInvoice(inputOf({ plans: [planOf(plan), planOf(plan, 'other')], sims: [simOf(history, sim)], ...rest }))
}

const amounts = (history: SimRow[], given: Parameters<typeof rate>[1] = {}) =>
  rate(history, given).lines.map(({ kind, amountMinor }) => [kind, amountMinor])
/** Active as acme's since before the month. */
const before = rowOf(1, '2026-09-10', 'active')

test('a day belongs to the state at its last instant, by the clocks of the zone', () => {
  // 25 October has 25 hours in Berlin: it ends at 23:00 UTC and not at 22:00.
  const end = Date.parse('2026-10-25T23:00:00.000Z')
  const changedAt = (ms: number) => amounts([before, rowOf(2, new Date(ms).toISOString(), 'terminating')])
  assert.deepEqual(changedAt(end - 1), [['sim_rental', 240]], 'to nobody on the 25th')
  assert.deepEqual(changedAt(end), [['sim_rental', 250]])
  assert.deepEqual(changedAt(end - 3_600_000), [['sim_rental', 240]])
})

test('of several changes in a day the last one decides, and of those with times out of order the one with the highest seq', () => {
  const day = (hour: string) => `2026-10-05T${hour}:00:00.000Z`
  assert.deepEqual(amounts([before, rowOf(2, day('08'), 'safe_custody'), rowOf(3, day('09'), 'active')]), [['sim_rental', 310]])
  assert.deepEqual(amounts([before, rowOf(2, day('09'), 'terminating'), rowOf(3, day('08'), 'active')]), [['sim_rental', 310]])
})

test('months are half-open: what changes at the end of a month changes nothing in it, what changes at its start counts from the first day', () => {
  const { from, until } = monthOf('2026-10', 'Europe/Berlin')
  assert.deepEqual([from, until], ['2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'])
  assert.deepEqual(amounts([before, rowOf(2, until, 'terminating')]), [['sim_rental', 310]])
  assert.deepEqual(amounts([rowOf(1, '2026-09-10', 'inventory'), rowOf(2, from, 'active')]), [['sim_rental', 310]])
  const use = (at: string) => amounts([rowOf(1, '2026-09-10', 'inventory')], { sim: { usage: [useOf(1, at, MEGABYTE)] } })
  assert.deepEqual(use(from), [['data_overage', 5]])
  assert.deepEqual(use(new Date(Date.parse(until) - 1).toISOString()), [['data_overage', 5]])
  for (const at of [until, new Date(Date.parse(from) - 1).toISOString()]) assert.throws(() => use(at), /was not received in the month/)
})

test('a month that began under another zone has its days all the same', () => {
  const month = { ...monthOf('2026-10', 'Europe/Berlin'), from: '2026-09-30T18:30:00.000Z' }
  const [line] = rate([before], { month }).lines
  assert.deepEqual([line?.amountMinor, line?.from.toISOString()], [310, month.from])
  assert.deepEqual(amounts([before, rowOf(2, '2026-09-30T19:00:00.000Z', 'suspended', 'bolt')], { month }), [])
})

test('active and suspended days bear the rental, custody days the custody fee, all others nothing', () => {
  const of = (status: SimStatus) =>
    amounts([rowOf(1, '2026-09-10', status)], { sim: { custodySince: { seq: 1, at: '2026-09-10T10:00:00.000Z' } } })
  assert.deepEqual(of('active'), [['sim_rental', 310]])
  assert.deepEqual(of('suspended'), [['sim_rental', 310]])
  assert.deepEqual(of('safe_custody'), [['sim_custody', 62]])
  for (const status of ['inventory', 'test', 'terminating', 'terminated'] as const) assert.deepEqual(of(status), [], status)
})

test('a day without a customer, or without a plan, is charged to nobody', () => {
  assert.deepEqual(amounts([before, rowOf(2, '2026-10-11', 'active', null)]), [['sim_rental', 100]])
  assert.deepEqual(amounts([before, rowOf(2, '2026-10-11', 'active', 'acme', null)]), [['sim_rental', 100]])
})

test('a SIM that moves is paid by each customer for their own days, and each plan is a line', () => {
  const history = [before, rowOf(2, '2026-10-11', 'active', 'bolt'), rowOf(3, '2026-10-21', 'active', 'acme', 'other')]
  assert.deepEqual(amounts(history), [
    ['sim_rental', 100],
    ['sim_rental', 110],
  ])
  assert.deepEqual(amounts(history, { customerId: 'bolt' }), [['sim_rental', 100]])
})

test('a plan that is not prorated is paid whole for a day, and once: by the customer and plan of the last such day', () => {
  const plan = { isProrated: false }
  const moved = [before, rowOf(2, '2026-10-31', 'active', 'bolt')]
  assert.deepEqual(amounts([rowOf(1, '2026-10-31', 'active')], { plan }), [['sim_rental', 310]])
  assert.deepEqual(amounts(moved, { plan }), [])
  assert.deepEqual(amounts(moved, { plan, customerId: 'bolt' }), [['sim_rental', 310]])
  // Taken back into stock, or ended, on the last day: the last day that somebody pays for is acme's.
  assert.deepEqual(amounts([before, rowOf(2, '2026-10-31', 'active', null)], { plan }), [['sim_rental', 310]])
  assert.deepEqual(amounts([before, rowOf(2, '2026-10-31', 'terminating', 'bolt')], { plan }), [['sim_rental', 310]])
  const changed = rate([before, rowOf(2, '2026-10-31', 'active', 'acme', 'other')], { plan })
  assert.deepEqual(
    changed.lines.map(({ planId, amountMinor }) => [planId, amountMinor]),
    [['other', 310]],
  )
})

test('whole months: rental and custody fee are each paid once, and prorated days beside them', () => {
  const plan = { isProrated: false }
  assert.deepEqual(amounts([before, rowOf(2, '2026-10-31', 'safe_custody')], { plan }), [
    ['sim_rental', 310],
    ['sim_custody', 62],
  ])
  const plans = [planOf(), planOf(plan, 'other')]
  assert.deepEqual(amounts([before, rowOf(2, '2026-10-11', 'active', 'acme', 'other')], { plans }), [
    ['sim_rental', 100],
    ['sim_rental', 310],
  ])
})

test('a custody that ends early bears the fee of the missing days in the month in which it ends', () => {
  const plan = { custodyMinDays: 30 }
  const history = [rowOf(5, '2026-09-20', 'safe_custody'), rowOf(6, '2026-10-11', 'active')]
  const since = (at: string) => ({ sim: { custodySince: { seq: 4, at: `${at}T10:00:00.000Z` } }, plan })
  // 11 days of September and 10 of October are 21: 9 are missing.
  const { lines } = rate(history, since('2026-09-20'))
  assert.deepEqual(brief(lines), [
    ['sim_rental', 210, '0.677419'],
    ['sim_custody', 18, '0.290323'],
    ['sim_custody', 20, '0.322581'],
  ])
  assert.deepEqual(lines[1]?.sources, [{ ledger: 'sim_history', simId: 'sim-1', fromSeq: 4, toSeq: 6 }])
  const missing = (at: string) => rate(history, since(at)).lines.find(({ description }) => description.includes('minimum'))?.amountMinor
  assert.equal(missing('2026-09-12'), 2, '29 days')
  assert.equal(missing('2026-09-11'), undefined, '30 days')
  assert.equal(missing('2026-01-01'), undefined)
  // Kept until the end of the month, or left at its very end, it ends in another month.
  const kept = [rowOf(5, '2026-10-25', 'safe_custody'), rowOf(6, '2026-10-31T23:00:00.000Z', 'active')]
  assert.deepEqual(amounts(kept, { plan }), [['sim_custody', 14]])
})

test('the missing days are charged to the customer and plan of the end; days of a customer before count', () => {
  const plan = { custodyMinDays: 30 }
  const history = [
    before,
    rowOf(2, '2026-10-01', 'safe_custody'),
    rowOf(3, '2026-10-05', 'safe_custody', 'bolt'),
    rowOf(4, '2026-10-09', 'terminating', 'bolt'),
  ]
  assert.deepEqual(amounts(history, { plan }), [['sim_custody', 8]])
  assert.deepEqual(amounts(history, { plan, customerId: 'bolt' }), [
    ['sim_custody', 44],
    ['sim_custody', 8],
  ])
})

test('each custody has a minimum of its own, also one that begins and ends on a day', () => {
  const plan = { custodyMinDays: 7 }
  const day = (hour: string) => `2026-10-05T${hour}:00:00.000Z`
  const history = [before, rowOf(2, day('08'), 'safe_custody'), rowOf(3, day('09'), 'active'), rowOf(4, day('10'), 'safe_custody')]
  assert.deepEqual(amounts(history, { plan }), [
    ['sim_rental', 40],
    ['sim_custody', 54],
    ['sim_custody', 14],
  ])
})

test('on a plan by the month the rest of the month counts towards the minimum, as long as the custody has a day in it', () => {
  const plan = { custodyMinDays: 30, isProrated: false }
  // From the 2nd the month has 30 days left; from the 3rd it has 29.
  const left = (day: string) => amounts([before, rowOf(2, day, 'safe_custody'), rowOf(3, '2026-10-06', 'terminating')], { plan })
  assert.deepEqual(left('2026-10-02'), [
    ['sim_rental', 310],
    ['sim_custody', 62],
  ])
  assert.deepEqual(left('2026-10-03'), [
    ['sim_rental', 310],
    ['sim_custody', 62],
    ['sim_custody', 2],
  ])
  // Left on the first day: nothing of October was paid, and 30 - 10 days are missing.
  const early = [rowOf(2, '2026-09-21', 'safe_custody'), rowOf(3, '2026-10-01', 'terminating')]
  assert.deepEqual(amounts(early, { plan, sim: { custodySince: { seq: 2, at: '2026-09-21T10:00:00.000Z' } } }), [['sim_custody', 40]])
})

test('the activation fee is due in the month of the first activation, to the customer and plan of that moment', () => {
  const history = [
    rowOf(1, '2026-09-10', 'inventory'),
    rowOf(2, '2026-10-31', 'active'),
    rowOf(3, '2026-10-31T11:00:00.000Z', 'active', 'bolt'),
  ]
  const paid = (customerId: string, firstActivation: SimRow | null) =>
    amounts(history, { customerId, sim: { firstActivation } }).filter(([kind]) => kind === 'sim_activation')
  assert.deepEqual(paid('acme', rowOf(2, '2026-10-31', 'active')), [['sim_activation', 250]])
  assert.deepEqual(paid('bolt', rowOf(2, '2026-10-31', 'active')), [])
  assert.deepEqual(paid('acme', null), [])
  assert.deepEqual(paid('acme', rowOf(2, '2026-10-31T23:00:00.000Z', 'active')), [], 'of November')
  assert.deepEqual(paid('acme', rowOf(2, '2026-09-30T21:59:59.999Z', 'active')), [], 'of September')
  assert.deepEqual(paid('acme', rowOf(2, '2026-10-31', 'active', 'acme', null)), [], 'on no plan')
})

test('use up to what is included costs nothing and is shown; a byte more is charged exactly', () => {
  const used = (bytes: number, overagePerMegabyte: string) =>
    brief(rate([before], { plan: { rental: '0', overagePerMegabyte }, sim: { usage: [useOf(1, '2026-10-05', bytes)] } }).lines)
  assert.deepEqual(used(31 * MEGABYTE, '0.05'), [['data_overage', 0, '0']])
  assert.deepEqual(used(31 * MEGABYTE + 1, '0.05'), [['data_overage', 0, '0.000001']])
  assert.deepEqual(used(32 * MEGABYTE, '0.05'), [['data_overage', 5, '1']])
  // Half a cent is a cent: 104,857.6 bytes at 0.05. One byte less than that many is none.
  assert.deepEqual(used(31 * MEGABYTE + 104_858, '0.05'), [['data_overage', 1, '0.1']])
  assert.deepEqual(used(31 * MEGABYTE + 104_857, '0.05'), [['data_overage', 0, '0.099999']])
  assert.deepEqual(rate([before], { plan: { rental: '0' } }).lines, [], 'no use, no line')
})

test('included data is prorated as the rental is, and rounded down to a byte', () => {
  // 18/31 of 10 MB are 6,088,505.8 bytes; a byte at 999,999 a megabyte is 0.95.
  const at = (bytes: number) =>
    rate([before, rowOf(2, '2026-10-19', 'terminating')], {
      plan: { rental: '0', includedMegabytes: '10', overagePerMegabyte: '999999' },
      sim: { usage: [useOf(1, '2026-10-05', bytes)] },
    }).subtotalMinor
  assert.equal(at(6_088_505), 0)
  assert.equal(at(6_088_506), 95)
  const plan = { isProrated: false, rental: '0' }
  const used = { sim: { usage: [useOf(1, '2026-10-05', 31 * MEGABYTE)] }, plan }
  assert.deepEqual(amounts([before, rowOf(2, '2026-10-19', 'terminating')], used), [['data_overage', 0]], 'whole on a plan by the month')
  assert.deepEqual(
    amounts([before, rowOf(2, '2026-10-19', 'active', 'bolt')], used),
    [['data_overage', 155]],
    'who pays no rental has none',
  )
  const custody = rowOf(1, '2026-09-10', 'safe_custody')
  const parked = { ...used.sim, custodySince: { seq: 1, at: '2026-09-10T10:00:00.000Z' } }
  assert.deepEqual(amounts([custody], { sim: parked }).at(-1), ['data_overage', 155], 'none in custody')
})

test('who pays a whole month on one plan has its included data for what was used on another plan by the month too', () => {
  const plans = [planOf({ isProrated: false }), planOf({ isProrated: false, overagePerMegabyte: '0.10' }, 'other'), planOf({}, 'byTheDay')]
  const usage = [useOf(1, '2026-10-05', 20 * MEGABYTE), useOf(2, '2026-10-25', 12 * MEGABYTE, 'acme', 'other')]
  const changed = [before, rowOf(2, '2026-10-21', 'active', 'acme', 'other')]
  const linesOf = (history: SimRow[], customerId = 'acme') =>
    rate(history, { plans, sim: { usage }, customerId }).lines.map(({ kind, planId, amountMinor }) => [kind, planId, amountMinor])
  assert.deepEqual(linesOf(changed), [
    ['sim_rental', 'other', 310],
    ['data_overage', 'other', 10],
  ])
  // Of a plan by the day the days are paid for, and so is their data.
  assert.deepEqual(linesOf([rowOf(1, '2026-09-01', 'active', 'acme', 'byTheDay'), rowOf(2, '2026-10-30', 'active', 'acme', 'other')]), [
    ['sim_rental', 'byTheDay', 290],
    ['sim_rental', 'other', 310],
    ['data_overage', 'other', 10],
  ])
  // Somebody else pays the month: what acme used on a plan that it pays nothing for costs by the byte.
  assert.deepEqual(linesOf([before, rowOf(2, '2026-10-21', 'active', 'bolt', 'other')]), [
    ['data_overage', 'basic', 100],
    ['data_overage', 'other', 120],
  ])
})

test('use belongs to the month, customer and plan of its receipt, wherever the SIM is by then', () => {
  const usage = [
    useOf(1, '2026-10-05', 2 * MEGABYTE),
    useOf(2, '2026-10-05', MEGABYTE, 'bolt'),
    useOf(3, '2026-10-06', MEGABYTE, 'acme', 'other'),
    useOf(4, '2026-10-06', MEGABYTE, 'acme', null),
  ]
  const { lines } = rate([rowOf(9, '2026-09-10', 'terminated', null, null)], { sim: { usage } })
  assert.deepEqual(
    lines.map(({ planId, amountMinor, sources }) => [planId, amountMinor, sources]),
    [
      ['basic', 10, [{ ledger: 'sim_usage', simId: 'sim-1', fromSeq: 1, toSeq: 1 }]],
      ['other', 5, [{ ledger: 'sim_usage', simId: 'sim-1', fromSeq: 3, toSeq: 3 }]],
    ],
  )
})

test('a pooled plan is one line: what one SIM leaves over another may use', () => {
  const sims = [1, 2].map((nth) =>
    simOf([before], {
      simId: `sim-${nth}`,
      iccid: `899110120000320451${nth}`,
      usage: nth === 1 ? [useOf(1, '2026-10-05', 63 * MEGABYTE)] : [],
    }),
  )
  const of = (isPooled: boolean) => rateInvoice(inputOf({ sims, plans: [planOf({ isPooled, rental: '0' })] })).lines
  assert.deepEqual(brief(of(true)), [['pooled_data_overage', 5, '1']])
  assert.deepEqual(brief(of(false)), [['data_overage', 160, '32']])
  assert.deepEqual(of(true)[0]?.sim, undefined)
  assert.deepEqual(
    of(true)[0]?.sources.map((source) => source.ledger),
    ['sim_history', 'sim_usage', 'sim_history'],
  )
})

test('the margin multiplies the price exactly and is rounded with the line; own prices take none', () => {
  const terms = termsOf({ marginPercent: '33.3333' })
  // 3.10 * 1.333333 = 4.1333323
  const { lines } = rate([before], { terms })
  assert.deepEqual([lines[0]?.unitPrice, lines[0]?.amountMinor], ['4.1333323', 413])
  const own = { ...terms, planOverrides: [{ planId: 'basic', prices: { rental: '1.005' } }] }
  assert.equal(rate([before], { terms: own }).lines[0]?.amountMinor, 101, 'half a cent up')
  assert.deepEqual(rate([before], { terms: termsOf({ marginPercent: '-100' }) }).lines, [], 'given away')
  assert.throws(() => rate([before], { terms: termsOf({ marginPercent: '-100.0001' }) }), /-100 is the least/)
})

test('what is not on the platform price list is free; beyond what is included it costs, for so many', () => {
  const platform = { version: 1, subscriptionFee: '49', meters: [{ meter: 'readings' as const, price: '0.5', per: 1000, included: 500 }] }
  const total = (meter: 'readings' | 'predictions', count: number) => ({ meter, count, sources: [] })
  const of = (readings: number, terms = termsOf()) =>
    brief(rateInvoice(inputOf({ platform, terms, meterTotals: [total('readings', readings), total('predictions', 9)] })).lines)
  const fee = ['subscription', 4900, '1']
  assert.deepEqual(of(0), [fee])
  assert.deepEqual(of(500), [['readings', 0, '0'], fee])
  assert.deepEqual(of(509), [['readings', 0, '9'], fee])
  assert.deepEqual(of(510), [['readings', 1, '10'], fee])
  assert.deepEqual(of(1500, termsOf({ subscriptionFeeOverride: '0', meterOverrides: [{ meter: 'readings', price: '1' }] })), [
    ['readings', 100, '1000'],
  ])
  assert.deepEqual(rateInvoice(inputOf({ platform: null, meterTotals: [total('readings', 9999)] })).lines, [])
})

test('amounts are whole minor units of the currency, each rounded once; a tax is rounded once, on the sum', () => {
  const tax = (taxId: string, ratePercent: string) => ({ taxId, name: 'GST', ratePercent, category: 'S' as const, exemptionReason: null })
  const two = [before, rowOf(2, '2026-10-02', 'active', 'acme', 'other')]
  const of = (currency: string) => rate(two, { currency, taxes: [tax('cgst', '9'), tax('sgst', '9')], plan: { rental: '0.155' } })
  // 0.155 / 31 = 0.005 and thirty times that.
  const shown = ({ lines, taxes, subtotalMinor, taxMinor, totalMinor }: ReturnType<typeof rateInvoice>) => [
    lines.map(({ amountMinor }) => amountMinor),
    subtotalMinor,
    taxes.map(({ amountMinor }) => amountMinor),
    taxMinor,
    totalMinor,
  ]
  assert.deepEqual(shown(of('JPY')), [[0, 0], 0, [0, 0], 0, 0])
  assert.deepEqual(shown(of('EUR')), [[1, 15], 16, [1, 1], 2, 18])
  assert.deepEqual(shown(of('KWD')), [[5, 150], 155, [14, 14], 28, 183])
})

test('a tax of a category without a rate has none, and its reason is on the invoice', () => {
  const tax = { taxId: 'rc', name: 'VAT', ratePercent: '0', category: 'AE' as const, exemptionReason: 'Reverse charge' }
  const { taxes, totalMinor } = rate([before], { taxes: [tax] })
  assert.deepEqual([taxes[0]?.taxableMinor, taxes[0]?.amountMinor, taxes[0]?.exemptionReason, totalMinor], [310, 0, 'Reverse charge', 310])
  assert.throws(() => rate([before], { taxes: [{ ...tax, ratePercent: '19' }] }), /only standard rates/)
})

test('what cannot be counted exactly is refused, line, tax and total', () => {
  const huge = { overagePerMegabyte: '999999999', rental: '0' }
  const use = (bytes: bigint) => ({ sim: { usage: [{ ...useOf(1, '2026-10-05', 0), bytes: String(bytes) }] }, plan: huge })
  assert.throws(() => rate([before], use(9_223_372_036_854_775_807n)), /more than can be billed/)
  const nearly = use(90_071n * 1_048_576n)
  const tax = { taxId: 't', name: 'T', ratePercent: '0.01', category: 'S' as const, exemptionReason: null }
  assert.equal(rate([], nearly).totalMinor, 9_007_099_990_992_900)
  assert.throws(() => rate([], { ...nearly, taxes: [tax] }), /more than can be billed/)
})

test('lines are numbered in the order of kinds, then ICCID, plan and time, whatever the order of the SIMs', () => {
  const sims = ['8991101200003204528', '8991101200003204510'].map((iccid, nth) =>
    simOf([rowOf(1, '2026-10-01', 'active', 'acme', 'other'), rowOf(2, '2026-10-09', 'active')], {
      simId: `sim-${nth}`,
      iccid,
      usage: [useOf(1, '2026-10-03', 1)],
      firstActivation: rowOf(1, '2026-10-01', 'active', 'acme', 'other'),
    }),
  )
  const { lines } = rateInvoice(inputOf({ sims, plans: [planOf(), planOf({}, 'other')] }))
  assert.deepEqual(
    lines.map(({ line, kind, sim, planId }) => [line, kind, sim?.simId, planId]),
    [
      [1, 'sim_rental', 'sim-1', 'basic'],
      [2, 'sim_rental', 'sim-1', 'other'],
      [3, 'sim_rental', 'sim-0', 'basic'],
      [4, 'sim_rental', 'sim-0', 'other'],
      [5, 'sim_activation', 'sim-1', 'other'],
      [6, 'sim_activation', 'sim-0', 'other'],
      [7, 'data_overage', 'sim-1', 'basic'],
      [8, 'data_overage', 'sim-0', 'basic'],
    ],
  )
})

test('a line states what it is of: the days, the exact part, the price of a unit and the rows behind it', () => {
  const history = [rowOf(3, '2026-09-10', 'active'), rowOf(4, '2026-10-05', 'suspended'), rowOf(7, '2026-10-19', 'terminating')]
  const [line] = rate(history).lines
  assert.deepEqual(line, {
    line: 1,
    kind: 'sim_rental',
    description: 'SIM 8991101200003204510, Basic: rental, 18 of 31 days',
    sim: { simId: 'sim-1', iccid: '8991101200003204510' },
    planId: 'basic',
    from: new Date('2026-09-30T22:00:00.000Z'),
    until: new Date('2026-10-18T22:00:00.000Z'),
    quantity: '0.580645',
    quantityFraction: { numerator: '18', denominator: '31' },
    unit: 'month',
    unitPrice: '3.1',
    priceQuantity: 1,
    amountMinor: 180,
    sources: [{ ledger: 'sim_history', simId: 'sim-1', fromSeq: 3, toSeq: 4 }],
  })
})
