import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BillingCustomer } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { customerBodyOf, customerEditsOf, withTax } from './customer-edits.ts'

const customer: BillingCustomer = {
  sub_client_id: 'north',
  enabled: true,
  party: {
    ...{ name: 'North Fleet', address_lines: ['1 Dock Road', 'Gate 2'], city: 'Pune', postal_code: null, region: null, country_code: 'IN' },
    ...{ tax_number: null, email: null, phone: null },
  },
  margin_percent: '15',
  tax_ids: ['igst'],
  payment_terms_days: 0,
  buyer_reference: 'PO-7731',
  plan_overrides: [{ plan_id: 'm2m-50', prices: { rental: '40.00' } }],
  subscription_fee: null,
  meter_overrides: [{ meter: 'readings', price: '0.30' }],
}

test('what is not changed is sent as it was, none of it lost', () => {
  const { sub_client_id: _id, ...body } = customer
  assert.deepEqual(customerBodyOf(customerEditsOf(customer)), body)
})

test('an empty field is what the settings have, and a plan without a price of its own is left out', () => {
  const edits = customerEditsOf(customer)
  const [plan] = edits.plans
  assert.ok(plan !== undefined)
  const emptied = {
    ...{ ...edits, termsDays: '', marginPercent: ' ', buyerReference: '', meters: { readings: '' } },
    plans: [{ ...plan, prices: { ...plan.prices, rental: '' } }],
  }
  assert.partialDeepStrictEqual(customerBodyOf(emptied), {
    ...{ payment_terms_days: null, margin_percent: null, buyer_reference: null, meter_overrides: [], plan_overrides: [] },
  })
})

test('who bears every tax bears those that come later', () => {
  assert.deepEqual(withTax(null, ['igst', 'cess'], 'cess', false), ['igst'])
  assert.deepEqual(withTax(['igst'], ['igst', 'cess'], 'igst', false), [])
  assert.equal(withTax(['igst'], ['igst', 'cess'], 'cess', true), null)
})
