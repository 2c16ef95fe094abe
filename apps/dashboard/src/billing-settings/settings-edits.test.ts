import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BillingSettings } from '@roadworthy/contracts/sim-billing/billing-configuration'
import { planIdOf } from './plan-id.ts'
import { bodyOf, daysOf, editsOf } from './settings-edits.ts'

const settings: BillingSettings = {
  enabled: true,
  currency: 'INR',
  issuer: {
    name: 'North Fleet Pvt Ltd',
    address_lines: ['1 Dock Road', 'Gate 4'],
    city: 'Pune',
    postal_code: null,
    region: null,
    country_code: 'IN',
    tax_number: '27AAAAA0000A1Z5',
    email: null,
    phone: null,
  },
  number_prefix: 'INV-',
  payment_terms_days: 14,
  draft_grace_hours: 24,
  default_margin_percent: '12.5',
  taxes: [{ tax_id: 'igst-18', name: 'IGST', rate_percent: '18', category: 'S', exemption_reason: null }],
  footer: null,
  reminder_days: [-3, 10],
  hold_sims_after_days: 0,
  time_zone: 'Asia/Kolkata',
  next_number: 7,
  created_at: '2026-03-01T00:00:00.000Z',
}

test('what is stored goes into the form and comes out of it the same', () => {
  const { time_zone: _zone, next_number: _next, created_at: _created, ...body } = settings
  assert.deepEqual(bodyOf(editsOf(settings)), body)
})

test('what is emptied is unset, and an empty day is no day', () => {
  const edits = editsOf(settings)
  const body = bodyOf({ ...edits, holdDays: '', footer: ' ', issuer: { ...edits.issuer, city: '', address: ' 1 Dock Road \n\n' } })
  assert.equal(body.hold_sims_after_days, null)
  assert.equal(body.footer, null)
  assert.deepEqual([body.issuer?.city, body.issuer?.address_lines], [null, ['1 Dock Road']])
})

test('days are read however they are parted', () => {
  assert.deepEqual(daysOf('3, 10;-2  7'), [3, 10, -2, 7])
  assert.deepEqual(daysOf(''), [])
  assert.ok(Number.isNaN(daysOf('soon')[0]))
})

test('an id is made of a name', () => {
  assert.equal(planIdOf('M2M 50 MB (Pürée)'), 'm2m-50-mb-puree')
  assert.equal(planIdOf(' – '), '')
})
