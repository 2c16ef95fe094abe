import type { PaymentMethod } from '@roadworthy/contracts/sim-billing/recorded-payments'
import { t } from '../text/translate.ts'

/** How money came in outside of a gateway. */
export const methodNames: Readonly<Record<PaymentMethod, string>> = {
  bank_transfer: t('Bank transfer'),
  direct_debit: t('Direct debit'),
  cash: t('Cash'),
  cheque: t('Cheque'),
  card_elsewhere: t('Card, elsewhere'),
  other: t('In another way'),
}
