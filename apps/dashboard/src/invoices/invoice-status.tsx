import type { InvoiceStatus } from '../api/invoice-queries.ts'
import { CheckIcon, ClockIcon, CrossIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'

const looks: Readonly<Record<InvoiceStatus, StatusLook>> = {
  draft: { color: 'gray', Icon: UnknownIcon },
  open: { color: 'blue', Icon: ClockIcon },
  overdue: { color: 'red', Icon: WarningIcon },
  paid: { color: 'green', Icon: CheckIcon },
  void: { color: 'gray', Icon: CrossIcon, variant: 'outline' },
}

export const invoiceStatusLabels: Readonly<Record<InvoiceStatus, string>> = {
  draft: t('Draft'),
  open: t('Open'),
  overdue: t('Overdue'),
  paid: t('Paid'),
  void: t('Void'),
}

export function InvoiceStatusBadge({ status }: { status: InvoiceStatus }) {
  return <StatusBadge look={looks[status]}>{invoiceStatusLabels[status]}</StatusBadge>
}
