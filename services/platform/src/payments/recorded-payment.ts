import type { PaymentMethod } from '@roadworthy/contracts/sim-billing/recorded-payments'

/** Money that came in outside of a gateway, as the issuer of the invoice entered it. */
export type RecordedPayment = {
  /** Of the invoice. */
  readonly resellerId: string
  readonly paymentId: string
  readonly invoiceId: string
  /** '' where the reseller itself pays. */
  readonly subClientId: string
  readonly issuerId: string
  readonly amountMinor: number
  readonly currency: string
  readonly method: PaymentMethod
  /** `2026-11-12`, a day of the zone of the invoice. */
  readonly receivedOn: string
  readonly reference: string | undefined
  /** Of one that was taken back; it stays. */
  readonly reversal: { readonly at: Date; readonly reason: string } | undefined
  readonly createdAt: Date
}

/** In the audit log and the ledger. */
export const methodWords: Readonly<Record<PaymentMethod, string>> = {
  bank_transfer: 'bank transfer',
  direct_debit: 'direct debit',
  cash: 'cash',
  cheque: 'cheque',
  card_elsewhere: 'card elsewhere',
  other: 'other means',
}
