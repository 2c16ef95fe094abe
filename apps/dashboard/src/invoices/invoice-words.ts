import type { InvoiceSummary } from '@roadworthy/contracts/sim-billing/invoices'
import type { InvoiceStatus } from '../api/invoice-queries.ts'
import { t } from '../text/translate.ts'

export const invoiceStatusLabels: Readonly<Record<InvoiceStatus, string>> = {
  draft: t('Draft'),
  open: t('Open'),
  overdue: t('Overdue'),
  paid: t('Paid'),
  void: t('Void'),
}

/** `paid` is whatever nothing is left to pay of: nobody pays a credit note, nor what was credited in full. */
export function statusLabelOf({ status, kind, total_minor: total, credited_minor: credited }: LabelledInvoice): string {
  if (status === 'paid' && kind === 'credit_note') return t('Issued')
  return status === 'paid' && credited > 0 && credited === total ? t('Credited') : invoiceStatusLabels[status]
}

export type LabelledInvoice = Pick<InvoiceSummary, 'status' | 'kind' | 'total_minor' | 'credited_minor'>
