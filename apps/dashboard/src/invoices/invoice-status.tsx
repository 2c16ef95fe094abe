import { Badge } from '@mantine/core'
import type { InvoiceStatus } from '../api/invoice-queries.ts'
import { sentenceCase } from '../text/format.ts'

const colors: Readonly<Record<InvoiceStatus, string>> = { draft: 'gray', open: 'blue', overdue: 'red', paid: 'green', void: 'gray' }

export function InvoiceStatusBadge({ status }: { status: InvoiceStatus }) {
  return (
    <Badge variant={status === 'void' ? 'outline' : 'light'} color={colors[status]}>
      {sentenceCase(status)}
    </Badge>
  )
}
