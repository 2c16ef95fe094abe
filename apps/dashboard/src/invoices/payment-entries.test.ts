import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '@roadworthy/contracts/sim-billing/payments'
import { mayBeAbandoned, paymentEntries } from './payment-entries.ts'

const at = '2026-11-20T12:00:00.000Z'
const refund = (id: string, status: Payment['refunds'][number]['status'], amount: number): Payment['refunds'][number] => ({
  ...{ id, status, amount, origin: 'request', currency: 'EUR', reason: 'Billed twice', failure: null, created_at: at, updated_at: at },
})
const payment: Payment = {
  ...{
    id: 'pay-1',
    invoice_id: 'inv-1',
    sub_client_id: null,
    gateway: 'stripe',
    recorded: null,
    status: 'paid',
    amount: 1_000,
    currency: 'EUR',
  },
  ...{
    checkout_url: null,
    expires_at: at,
    failure: null,
    unanswered_since: null,
    abandoned_at: null,
    received: 1_000,
    created_at: at,
    updated_at: at,
  },
  refunded: 700,
  refunds: [refund('ref-1', 'succeeded', 200), refund('ref-2', 'failed', 100), refund('ref-3', 'pending', 100)],
  disputes: [
    {
      id: 'dp-1',
      status: 'open',
      amount: 300,
      withdrawn: 300,
      currency: 'EUR',
      reason: 'fraudulent',
      respond_by: at,
      opened_at: at,
      updated_at: at,
    },
  ],
}

test('each payment is followed by its refunds, by what was given back elsewhere, and by its disputes', () => {
  const entries = paymentEntries([payment, { ...payment, id: 'pay-0', refunded: 0, refunds: [], disputes: [] }])
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['payment', 'refund', 'refund', 'refund', 'refund elsewhere', 'dispute', 'payment'],
  )
  const elsewhere = entries.find(({ kind }) => kind === 'refund elsewhere')
  assert.equal(elsewhere?.kind === 'refund elsewhere' && elsewhere.amountMinor, 400, 'one that failed gave nothing back')
})

test('what was recorded by hand is one row, also when it was taken back', () => {
  const recorded = {
    method: 'cash',
    received_on: '2026-11-12',
    reference: null,
    reversed_at: at,
    reversal_reason: 'Entered twice',
  } as const
  const given: Payment = { ...payment, gateway: null, recorded, status: 'reversed', refunded: 1_000, refunds: [], disputes: [] }
  assert.deepEqual(
    paymentEntries([given]).map(({ kind }) => kind),
    ['recorded'],
  )
})

test('a payment may be given up when it is open and the gateway has given no answer for a day', () => {
  const since = '2026-11-01T00:00:00.000Z'
  const at = (status: 'pending' | 'failed', unansweredSince: string | null, now: string) =>
    mayBeAbandoned({ status, unanswered_since: unansweredSince }, Date.parse(now))
  assert.equal(at('pending', since, '2026-11-01T23:59:59.999Z'), false)
  assert.equal(at('pending', since, '2026-11-02T00:00:00.000Z'), true)
  assert.equal(at('failed', since, '2026-11-03T00:00:00.000Z'), false)
  assert.equal(at('pending', null, '2026-11-03T00:00:00.000Z'), false)
})
