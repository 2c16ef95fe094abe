import { Alert, Button, Group, Loader, Table, Text, Title } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ApiError, simBillingUrl } from '../api/client.ts'
import { invoiceQuery, isBeingPaid } from '../api/invoice-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { Message } from '../shell/message.tsx'
import { Panel } from '../shell/panel.tsx'
import { absoluteTime, sentenceCase } from '../text/format.ts'
import { money } from '../text/money.ts'
import { InvoiceActions } from './invoice-actions.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { InvoiceStatusBadge } from './invoice-status.tsx'

export function InvoicePage() {
  const { invoiceId } = useParams({ from: '/invoices/$invoiceId' })
  const asked = useQuery(invoiceQuery(invoiceId))
  usePageTitle(asked.data === undefined ? 'Invoice' : titleOf(asked.data.invoice))
  if (asked.isPending) return <Loader m="md" aria-label="Loading" />
  if (asked.data === undefined) {
    const isUnknown = asked.error instanceof ApiError && asked.error.status === 404
    return <Message title={isUnknown ? 'There is no such invoice' : 'The invoice could not be loaded'}>{asked.error?.message}</Message>
  }
  const { invoice } = asked.data
  return (
    <div className="page">
      <Head invoice={invoice} />
      {isBeingPaid(invoice) && (
        <Alert color="blue" role="status">
          A payment is under way. This page changes by itself when the gateway has told how it went.
        </Alert>
      )}
      <div className="side-by-side">
        <SummaryPanel invoice={invoice} />
        <div className="stack">
          <InvoiceLines invoice={invoice} />
          <PaymentsPanel invoice={invoice} />
          <CreditNotesPanel invoice={invoice} />
        </div>
      </div>
    </div>
  )
}

function titleOf({ kind, number }: Invoice): string {
  const what = kind === 'credit_note' ? 'Credit note' : 'Invoice'
  return number === null ? `${what}, draft` : `${what} ${number}`
}

function Head({ invoice }: { invoice: Invoice }) {
  const id = encodeURIComponent(invoice.invoice_id)
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <Title order={1} size="h2">
          {titleOf(invoice)}
        </Title>
        <InvoiceStatusBadge status={invoice.status} />
      </Group>
      <Group gap="xs">
        {(['pdf', 'xml', 'csv'] as const).map((form) => (
          <Button key={form} component="a" size="sm" variant="default" href={simBillingUrl(`/invoices/${id}/${form}`)} download>
            {form.toUpperCase()}
          </Button>
        ))}
        <InvoiceActions invoice={invoice} />
      </Group>
    </Group>
  )
}

function SummaryPanel({ invoice }: { invoice: Invoice }) {
  const { currency, corrects } = invoice
  const rows: [string, string | undefined][] = [
    ['From', invoice.issuer_party.name],
    ['To', invoice.recipient.name],
    ['Month', `${invoice.period}, in ${invoice.time_zone}`],
    ['Issued', invoice.opened_at === null ? undefined : absoluteTime(invoice.opened_at)],
    ['Opens by itself', invoice.opens_at === null ? undefined : absoluteTime(invoice.opens_at)],
    ['Due', invoice.due_date ?? undefined],
    ['Total', money(invoice.total_minor, currency)],
    ['Paid', money(invoice.paid_minor, currency)],
    ['Credited', invoice.credited_minor === 0 ? undefined : money(invoice.credited_minor, currency)],
    ['To pay', money(invoice.amount_due_minor, currency)],
  ]
  return (
    <Panel title="Summary">
      <dl className="facts">
        {rows.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="numbers">{value}</dd>
            </div>
          ),
        )}
        {corrects !== null && (
          <div>
            <dt>Corrects</dt>
            <dd>
              <Link to="/invoices/$invoiceId" params={{ invoiceId: corrects.invoice_id }}>
                {corrects.number}
              </Link>
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  )
}

function PaymentsPanel({ invoice: { payments } }: { invoice: Invoice }) {
  if (payments.length === 0) return null
  return (
    <Panel title="Payments">
      <Table verticalSpacing={6}>
        <Table.Caption className="visually-hidden">Attempts to pay, oldest first</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Begun</Table.Th>
            <Table.Th>Gateway</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {payments.map(({ id, created_at: createdAt, gateway, status, amount_minor: amountMinor, currency, failure }) => (
            <Table.Tr key={id}>
              <Table.Td className="nowrap">{absoluteTime(createdAt)}</Table.Td>
              <Table.Td>{sentenceCase(gateway)}</Table.Td>
              <Table.Td>
                {sentenceCase(status)}
                {failure !== null && (
                  <Text size="xs" c="dimmed">
                    {failure}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right" className="numbers nowrap">
                {money(amountMinor, currency)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

function CreditNotesPanel({ invoice: { credit_notes: creditNotes } }: { invoice: Invoice }) {
  if (creditNotes.length === 0) return null
  return (
    <Panel title="Credit notes">
      {creditNotes.map((note) => (
        <Text key={note.invoice_id} size="sm">
          <Link to="/invoices/$invoiceId" params={{ invoiceId: note.invoice_id }}>
            {note.number}
          </Link>{' '}
          over {money(note.total_minor, note.currency)}
        </Text>
      ))}
    </Panel>
  )
}
