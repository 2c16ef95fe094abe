// Spec gap §1, §2.10: payments, which are attempts to pay an invoice at a gateway, with their refunds and disputes, and money that came in otherwise.

import { type Static, Type } from 'typebox'
import { success } from '../external/references.ts'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { gatewayNames } from './gateway-connections.ts'
import { recorded } from './recorded-payments.ts'

const paymentIdExample = 'pay-2q8w5e1r7t4y9u3i6o0p'
const gateway = (description: string) => Type.Enum([...gatewayNames], { type: 'string', description })
const minor = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })
const currency = Type.String({ description: 'ISO 4217.' })

const status = Type.Enum(['pending', 'paid', 'failed', 'expired', 'canceled', 'reversed'], {
  type: 'string',
  description:
    '`pending`: it may still be paid, and another payment of the invoice has to wait. A payment that ended may still become `paid`: some come through late. ' +
    '`reversed`: it was recorded by hand, and taken back.',
})

const Refund = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(['pending', 'succeeded', 'failed', 'canceled'], {
      type: 'string',
      description: '`failed`: the customer has to get the money in another way.',
    }),
    origin: Type.Enum(['request', 'unapplied'], {
      type: 'string',
      description: '`unapplied`: made by the service, because the invoice does not take the money.',
    }),
    amount: minor('In minor units.'),
    currency,
    reason: Type.String(),
    failure: nullable(Type.String({ description: 'In the gateway’s words.' })),
    created_at: timestamp('When it was asked for.'),
    updated_at: timestamp('When it last changed.'),
  },
  { title: 'Refund' },
)
export type Refund = Static<typeof Refund>

export const Dispute = Type.Object(
  {
    id: Type.String({ description: 'As the gateway calls it.' }),
    status: Type.Enum(['open', 'under_review', 'won', 'lost', 'closed'], {
      type: 'string',
      description: '`open`: the gateway waits for evidence. `closed`: it ended without a winner.',
    }),
    amount: minor('What is disputed.'),
    withdrawn: minor('What the gateway has taken back because of it, at present.'),
    currency,
    reason: Type.String({ description: 'In the gateway’s words.' }),
    respond_by: nullable(timestamp('Until when the gateway takes evidence.')),
    opened_at: timestamp('When it became known here.'),
    updated_at: timestamp('When it last changed.'),
  },
  { title: 'Dispute' },
)
export type Dispute = Static<typeof Dispute>

const payment = {
  id: Type.String(),
  invoice_id: Type.String(),
  sub_client_id: nullable(Type.String({ description: 'Who pays; null where it is the reseller.' })),
  gateway: nullable(gateway('Through which it is paid. Null where it came in outside of a gateway.')),
  recorded,
  status,
  amount: minor('What is asked, in minor units.'),
  currency,
  checkout_url: nullable(Type.String({ description: 'Send the customer there. Null when it is over.' })),
  expires_at: nullable(timestamp('When the checkout ends at the gateway. Null where there is none.')),
  failure: nullable(Type.String({ description: 'Why the last try failed, in the gateway’s words.' })),
  unanswered_since: nullable(
    timestamp(
      'Since when the gateway refuses us or gives no answer about it. After 24 hours its issuer may abandon it. Null: it answered last.',
    ),
  ),
  abandoned_at: nullable(timestamp('When its issuer gave it up, where that was done.')),
  received: minor('What came in of it.'),
  refunded: minor('Of that, what was given back or is on its way.'),
  refunds: Type.Array(Refund, { description: 'Oldest first. Those made at the gateway’s own dashboard are in `refunded` only.' }),
  disputes: Type.Array(Dispute, { description: 'Oldest first.' }),
  created_at: timestamp('When it was begun.'),
  updated_at: timestamp('When it last changed.'),
}

const paymentExample = {
  id: paymentIdExample,
  invoice_id: 'inv-3k8f2m9x4c7v1b6n5q0z',
  sub_client_id: 'acme-logistics',
  gateway: 'stripe' as const,
  recorded: null,
  status: 'pending' as const,
  amount: 265_500,
  currency: 'INR',
  checkout_url: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3',
  expires_at: timestampExample,
  failure: null,
  unanswered_since: null,
  abandoned_at: null,
  received: 0,
  refunded: 0,
  refunds: [],
  disputes: [],
  created_at: timestampExample,
  updated_at: timestampExample,
}

export const Payment = Type.Object(payment, {
  title: 'Payment',
  description: 'An attempt to pay an invoice at a gateway, and what became of it; or money that came in otherwise.',
  examples: [paymentExample],
})
export type Payment = Static<typeof Payment>

export const PayRequest = Type.Object(
  {
    gateway: Type.Optional(gateway('Left out: the one that was connected first and takes the amount.')),
    return_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description:
          'Where the gateway sends the browser afterwards, paid or not: https, or a page of this service. That it comes there proves nothing. Left ' +
          'out: the page of the invoice here.',
        examples: ['https://portal.example.com/invoices/42'],
      }),
    ),
  },
  { title: 'PayRequest', examples: [{ gateway: 'stripe', return_url: 'https://portal.example.com/invoices/42' }] },
)

export const PaymentAnswer = Type.Object(
  { success, payment: Payment },
  { title: 'PaymentAnswer', description: 'The payment as it is now.' },
)
export const PaymentList = Type.Object(
  { total, payments: Type.Array(Payment), pagination: Pagination },
  { title: 'PaymentList', description: 'A page of payments.' },
)
export const PaymentListQuery = Type.Object({
  invoice_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only of this invoice.' })),
  status: Type.Optional(status),
  ...pageQuery,
})
export const PaymentParams = Type.Object({ payment_id: Type.String({ minLength: 1, maxLength: 200, examples: [paymentIdExample] }) })

export const RefundRequest = Type.Object(
  {
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'In minor units. Left out: all that can be given back.',
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'For people; it is kept at the gateway too.' }),
  },
  { title: 'RefundRequest', examples: [{ amount: 9_000, reason: 'Billed twice' }] },
)

export const AbandonRequest = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      description: 'For people; it is in `failure`, the event and the audit log.',
    }),
  },
  { title: 'AbandonRequest', examples: [{ reason: 'The account at the gateway was closed' }] },
)

export const CallbackParams = Type.Object({
  gateway: Type.String({ minLength: 1, maxLength: 200, examples: ['stripe'] }),
  connection_id: Type.String({ minLength: 1, maxLength: 200, examples: ['gwc-3f8k1m6q9t2w5z8c1v4b'] }),
})
export const ShortCallbackParams = Type.Object({ gateway: CallbackParams.properties.gateway })
export const CallbackTaken = Type.Object(
  { received: Type.Literal(true) },
  { title: 'CallbackTaken', description: 'It is kept, and what follows from it is done.', examples: [{ received: true }] },
)
