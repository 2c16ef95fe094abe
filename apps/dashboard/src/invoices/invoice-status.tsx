import type { InvoiceStatus } from '../api/invoice-queries.ts'
import { CheckIcon, ClockIcon, CrossIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { type LabelledInvoice, statusLabelOf } from './invoice-words.ts'

const looks: Readonly<Record<InvoiceStatus, StatusLook>> = {
  draft: { color: 'gray', Icon: UnknownIcon },
  open: { color: 'blue', Icon: ClockIcon },
  overdue: { color: 'red', Icon: WarningIcon },
  paid: { color: 'green', Icon: CheckIcon },
  void: { color: 'gray', Icon: CrossIcon, variant: 'outline' },
}

export function InvoiceStatusBadge({ invoice }: { invoice: LabelledInvoice }) {
  return <StatusBadge look={looks[invoice.status]}>{statusLabelOf(invoice)}</StatusBadge>
}
