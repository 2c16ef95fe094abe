// Goal: prices and taxes are within bounds, and no new version changes the prices of a month of which invoices are issued. Method: the routes over a real
// database, with a clock that is set.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withdrawnCurrencies } from '@roadworthy/contracts/sim-billing/currency-decimals'
import { systemAuthor } from '../../audit/audit.ts'
import { OPERATOR_BOOK } from '../book.ts'
import { withInvoice } from '../change-invoice.ts'
import { openInvoice } from '../open-invoice.ts'
import { changeOperatorPrices, changeOperatorSettings, draftOperatorMonth } from '../operator-billing.ts'
import { DRAFTED, openMonthlyBooks, PLAN } from '../rating/test-monthly-books.ts'

const { database, clock, call, runJobs, seal, makeBook, invoicesOf } = await openMonthlyBooks({ after })

test('a tax is 100 % at most, and the refusal names which one is more', async () => {
  const apiKey = await makeBook('taxed', [])
  const taxed = (...rates: string[]) =>
    call(apiKey, 'PUT', '/billing-settings', {
      taxes: rates.map((rate_percent, nth) => ({ tax_id: `t-${nth}`, name: 'GST', rate_percent, category: 'S' })),
    })
  assert.equal((await taxed('18', '100')).status, 200)
  const { status, body } = await taxed('18', '100.0001')
  assert.deepEqual([status, body.error.details.field], [400, 'taxes.1.rate_percent'])
  assert.equal(body.error.message, 'The rate of tax t-1 is 100.0001 %; 100 is the most.')
})

test('issuer and recipients are in a country that is one, as electronic invoices want it', async () => {
  const apiKey = await makeBook('placed', ['acme'])
  const party = (country_code: string) => ({ name: 'Placed', address_lines: [], country_code })
  for (const code of ['UK', 'EL', 'ZZ', 'EU']) {
    for (const [path, field] of [
      ['/billing-settings', 'issuer'],
      ['/customers/acme', 'party'],
    ] as const) {
      const { status, body } = await call(apiKey, 'PUT', path, { [field]: party(code) })
      assert.deepEqual([status, body.error?.details?.field], [400, `${field}.country_code`], code)
    }
  }
  for (const code of ['GB', 'GR', 'XK']) assert.equal((await call(apiKey, 'PUT', '/customers/acme', { party: party(code) })).status, 200)
})

test('a currency that is in use no more begins no book, and a book that has one keeps it', async () => {
  const apiKey = await makeBook('lev', [])
  for (const code of withdrawnCurrencies) {
    const { status, body } = await call(apiKey, 'PUT', '/billing-settings', { currency: code })
    assert.deepEqual([status, body.error.details.field], [400, 'currency'], code)
  }
  await database.systemPool.query(`update billing_settings set currency = 'BGN' where reseller_id = 'lev'`)
  assert.equal((await call(apiKey, 'PUT', '/billing-settings', { currency: 'BGN', payment_terms_days: 30 })).status, 200)
  assert.equal((await call(apiKey, 'PUT', '/billing-settings', { currency: 'EUR' })).status, 200)
})

test('a tax that a sub-client names is not taken away from under it', async () => {
  const apiKey = await makeBook('named', ['acme', 'beta'])
  const tax = (tax_id: string) => ({ tax_id, name: tax_id, rate_percent: '18', category: 'S' })
  const taxed = (...ids: string[]) => call(apiKey, 'PUT', '/billing-settings', { taxes: ids.map(tax) })
  assert.equal((await taxed('a', 'b')).status, 200)
  assert.equal((await call(apiKey, 'PUT', '/customers/acme', { tax_ids: ['b'] })).status, 200)
  const refused = await taxed('a', 'c')
  assert.deepEqual([refused.status, refused.body.error.code, refused.body.error.details.tax_id], [409, 'conflict', 'b'])
  assert.equal(
    refused.body.error.message,
    'The tax "b" is among the "tax_ids" of acme, which would be billed without it. Change those first.',
  )
  assert.equal((await taxed('b')).status, 200, 'nobody names the other one')
  assert.equal((await call(apiKey, 'PUT', '/customers/acme', { tax_ids: null })).status, 200)
  assert.equal((await taxed('c')).status, 200)
})

test('a version of a plan or of prices holds after the newest month of which invoices are issued', async () => {
  const apiKey = await makeBook('priced', ['acme'])
  clock.now = DRAFTED
  await runJobs()
  let fee = 5
  const nextFee = () => String(++fee)
  const plan = (effective_from: string) =>
    call(apiKey, 'PUT', '/rate-plans/m2m', { effective_from, prices: { ...PLAN.prices, rental: nextFee() } })
  const prices = (effective_from: string) => call(apiKey, 'PUT', '/price-list', { effective_from, subscription_fee: nextFee(), meters: [] })
  for (const change of [plan, prices]) assert.equal((await change('2026-10')).status, 200, 'drafts can be rated anew')
  const [{ invoice_id: id }] = await invoicesOf(apiKey)
  await call(apiKey, 'POST', `/invoices/${id}/open`)
  for (const change of [plan, prices]) {
    for (const month of ['2026-10', '2020-01']) {
      const { status, body } = await change(month)
      assert.deepEqual([status, body.error.details], [409, { in: 'body', field: 'effective_from', earliest: '2026-11' }])
      assert.match(body.error.message, /Invoices of 2026-10 are issued: "effective_from" is 2026-11 at the earliest/)
    }
    assert.equal((await change('2026-11')).status, 200)
  }
  assert.equal((await call(apiKey, 'POST', '/rate-plans', { ...PLAN, plan_id: 'new', effective_from: '2026-10' })).status, 200)
  assert.equal((await call(apiKey, 'DELETE', '/rate-plans/m2m')).status, 200)
  await call(apiKey, 'POST', `/invoices/${id}/void`)
  for (const change of [plan, prices]) assert.equal((await change('2026-10')).status, 200, 'the month can be drafted again')
})

test('the last month that a label could name, which ends after all dates that are, is none', async () => {
  const apiKey = await makeBook('last', [])
  const { status, body } = await call(apiKey, 'POST', '/invoices/draft', { month: '9999-12' })
  assert.deepEqual([status, body.error.details], [400, { field: 'month' }])
})

test('so it is in the operator’s book, whose invoices are to resellers', async () => {
  clock.now = new Date('2026-10-05T06:00:00.000Z')
  const author = () => systemAuthor(OPERATOR_BOOK, clock.now)
  const issuer = { name: 'Platform GmbH', address_lines: [], country_code: 'DE' }
  await changeOperatorSettings(database, { currency: 'EUR', issuer, time_zone: 'Europe/Berlin' }, author())
  const prices = (effective_from: string, subscription_fee = '5') =>
    changeOperatorPrices(database, { effective_from, subscription_fee, meters: [] }, author())
  await prices('2026-10')
  clock.now = DRAFTED
  await seal()
  const asked = { month: '2026-10', resellerId: 'priced', isReplacing: false }
  const [draft] = (await draftOperatorMonth(database, asked, author())).drafted
  assert.ok(draft)
  await prices('2026-10')
  const { counts } = await draftOperatorMonth(database, { ...asked, isReplacing: true }, author())
  assert.deepEqual([counts.replaced, counts.made], [1, 0])
  await withInvoice(database, draft, (db, invoice) => openInvoice(db, invoice, author()))
  await assert.rejects(prices('2026-10', '6'), { code: 'conflict', details: { in: 'body', field: 'effective_from', earliest: '2026-11' } })
})

test('a plan that is renamed, or in use again, keeps the prices of the month: those of a later month wait for it', async () => {
  const apiKey = await makeBook('renamed', [])
  clock.now = new Date('2026-10-05T06:00:00.000Z')
  const change = (body: object) => call(apiKey, 'PUT', '/rate-plans/m2m', body)
  const dearer = { ...PLAN.prices, rental: '90.00' }
  await change({ effective_from: '2027-01', prices: dearer })
  const versionsOf = ({ body }: { body: { versions: { effective_from: string; name: string; prices: { rental: string } }[] } }) =>
    body.versions.map(({ effective_from, name, prices }) => [effective_from, name, prices.rental])
  const later = ['2027-01', 'M2M', '90.00']
  const renamed = ['2026-10', 'M2M new', '45.00']
  assert.deepEqual(versionsOf(await change({ name: 'M2M new' })), [['2026-09', 'M2M', '45.00'], later, renamed])
  await change({ effective_from: '2026-11', prices: { ...PLAN.prices, rental: '50.00' } })
  await call(apiKey, 'DELETE', '/rate-plans/m2m')
  assert.deepEqual(versionsOf(await change({})).at(-1), renamed)
  assert.deepEqual(versionsOf(await change({ effective_from: '2027-02' })).at(-1), ['2027-02', 'M2M new', '90.00'])
})

test('what is set again as it is adds no version', async () => {
  const apiKey = await makeBook('nightly', [])
  clock.now = new Date('2026-10-05T06:00:00.000Z')
  const countAfter = async (path: string, body: object) => {
    const { status, body: answer } = await call(apiKey, 'PUT', path, body)
    assert.equal(status, 200)
    return answer.versions.length
  }
  const plan = { name: 'M2M', prices: PLAN.prices }
  for (const body of [{}, plan, { ...plan, effective_from: '2026-12' }]) assert.equal(await countAfter('/rate-plans/m2m', body), 1)
  assert.equal(await countAfter('/rate-plans/m2m', { ...plan, operator_plan: 'O' }), 2)
  assert.equal(await countAfter('/rate-plans/m2m', { ...plan, effective_from: '2026-12', prices: { ...PLAN.prices, rental: '90' } }), 3)
  assert.equal(await countAfter('/rate-plans/m2m', plan), 3, 'of this month nothing changes')
  assert.equal(await countAfter('/rate-plans/m2m', { ...plan, effective_from: '2026-12' }), 4, 'back to what it was')
  await call(apiKey, 'DELETE', '/rate-plans/m2m')
  assert.equal(await countAfter('/rate-plans/m2m', plan), 6, 'it is in use again')
  const list = { subscription_fee: '5', meters: [{ meter: 'readings', price: '1', per: 10, included: 0 }] }
  for (const effective_from of ['2026-10', '2026-10', '2026-11'])
    assert.equal(await countAfter('/price-list', { ...list, effective_from }), 1)
  assert.equal(await countAfter('/price-list', { ...list, subscription_fee: null }), 2)
})

test('of changes that are made at once none is lost, and none fails', async () => {
  const apiKey = await makeBook('at-once', ['acme'])
  clock.now = new Date('2026-10-05T06:00:00.000Z')
  const together = async (path: string, ...bodies: object[]) => {
    const answers = await Promise.all(bodies.map((body) => call(apiKey, 'PUT', path, body)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      bodies.map(() => 200),
      path,
    )
    return (await call(apiKey, 'GET', path)).body
  }
  const terms = [{ margin_percent: '7' }, { payment_terms_days: 40 }, { buyer_reference: 'PO-1' }, { tax_ids: ['gst'] }]
  const { customer } = await together('/customers/acme', ...terms)
  assert.deepEqual(
    [customer.margin_percent, customer.payment_terms_days, customer.buyer_reference, customer.tax_ids],
    ['7', 40, 'PO-1', ['gst']],
  )
  const { settings } = await together('/billing-settings', { footer: 'F' }, { payment_terms_days: 9 }, { draft_grace_hours: 5 })
  assert.deepEqual([settings.footer, settings.payment_terms_days, settings.draft_grace_hours], ['F', 9, 5])
  const { rate_plan: plan } = await together(
    '/rate-plans/m2m',
    { name: 'N' },
    { operator_plan: 'O' },
    { prices: { ...PLAN.prices, rental: '1' } },
  )
  assert.deepEqual([plan.version, plan.name, plan.operator_plan, plan.prices.rental], [4, 'N', 'O', '1'])
  const list = (fee: string) => ({ subscription_fee: fee, meters: [] })
  assert.equal((await together('/price-list', list('1'), list('2'), list('3'))).versions.length, 3)
})
