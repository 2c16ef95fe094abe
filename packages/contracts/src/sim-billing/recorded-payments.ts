// Money that came in outside of a gateway, such as by bank transfer, as the issuer of the invoice enters it.

import { type Static, Type } from 'typebox'
import { text } from '../external/references.ts'
import { nullable, oneLine, timestamp } from '../wire-fields.ts'
import { currency, invoiceId } from './billing-fields.ts'

export const paymentMethods = ['bank_transfer', 'direct_debit', 'cash', 'cheque', 'card_elsewhere', 'other'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** As long as the remittance information of a SEPA credit transfer (EPC125-05, AT-05). */
export const MAX_PAYMENT_REFERENCE_LENGTH = 140

const method = Type.Enum([...paymentMethods], {
  type: 'string',
  description: 'How it came. `card_elsewhere`: by a card, through a terminal or a page that is not connected here.',
})
const receivedOn = (description: string) => Type.String({ description, minLength: 1, maxLength: 40, examples: ['2026-11-12'] })

/** Of a payment that no gateway took. */
export const RecordedMoney = Type.Object(
  {
    method,
    received_on: receivedOn('The day on which it came in, in the time zone of the invoice.'),
    reference: nullable(Type.String({ description: 'As on the bank statement.' })),
    reversed_at: nullable(timestamp('When it was taken back, because it was wrong or went back.')),
    reversal_reason: nullable(Type.String({ description: 'Why it was taken back.' })),
  },
  { title: 'RecordedMoney' },
)
export type RecordedMoney = Static<typeof RecordedMoney>

/** A field of payments. */
export const recorded = Type.Union([RecordedMoney, Type.Null()], {
  description: 'Of a payment that came in outside of a gateway, as the issuer of the invoice recorded it. Null of one at a gateway.',
})

export const RecordPaymentRequest = Type.Object(
  {
    amount_minor: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'What came in, in minor units: no more than is open.',
    }),
    currency: { ...currency, description: 'ISO 4217: that of the invoice.' },
    method,
    received_on: receivedOn(
      'The day on which it came in, in the time zone of the invoice: today at the latest, and at most 366 days before the invoice was issued.',
    ),
    reference: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: MAX_PAYMENT_REFERENCE_LENGTH,
          ...oneLine,
          description: 'As on the bank statement, in one line.',
          examples: ['INV-000042 Acme Logistics'],
        }),
      ),
    ),
  },
  {
    title: 'RecordPaymentRequest',
    examples: [
      { amount_minor: 265_500, currency: 'INR', method: 'bank_transfer' as const, received_on: '2026-11-12', reference: 'INV-000042' },
    ],
  },
)
export type RecordPaymentRequest = Static<typeof RecordPaymentRequest>

export const ReversePaymentRequest = Type.Object(
  { reason: text('For people; it is shown beside the payment.', 'Entered twice') },
  { title: 'ReversePaymentRequest', examples: [{ reason: 'Entered twice' }] },
)
export type ReversePaymentRequest = Static<typeof ReversePaymentRequest>

export const RecordedPaymentParams = Type.Object({
  invoice_id: invoiceId(),
  payment_id: Type.String({ minLength: 1, maxLength: 200, examples: ['pay-2q8w5e1r7t4y9u3i6o0p'] }),
})
