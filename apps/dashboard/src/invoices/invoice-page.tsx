import { Alert, Button, Group, Text, Title } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { simBillingUrl } from '../api/client.ts'
import { invoiceQuery, isBeingPaid } from '../api/invoice-queries.ts'
import { usePageTitle } from '../brand/use-brand.ts'
import { type Fact, Facts } from '../shell/facts.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { absoluteTime, calendarDay, monthName } from '../text/format.ts'
import { money } from '../text/money.ts'
import { t, tRich } from '../text/translate.ts'
import { InvoiceActions } from './invoice-actions.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { InvoiceStatusBadge } from './invoice-status.tsx'
import { issueDay } from './issue-day.ts'
import { PaymentsPanel } from './payments-panel.tsx'

export function InvoicePage() {
  const { invoiceId } = useParams({ from: '/invoices/$invoiceId' })
  const asked = useQuery(invoiceQuery(invoiceId))
  usePageTitle(asked.data === undefined ? t('Invoice') : titleOf(asked.data.invoice))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('invoice')} isPage />
  const { invoice } = asked.data
  return (
    <div className="page">
      <Head invoice={invoice} />
      {isBeingPaid(invoice) && (
        <Alert color="blue" role="status">
          {t('A payment is under way. This page shows its result as soon as the gateway has reported it.')}
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
  if (kind === 'credit_note') return number === null ? t('Credit note, draft') : t('Credit note {number}', { number })
  return number === null ? t('Invoice, draft') : t('Invoice {number}', { number })
}

function Head({ invoice }: { invoice: Invoice }) {
  const id = encodeURIComponent(invoice.invoice_id)
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <Title order={1} size="h2">
          {titleOf(invoice)}
        </Title>
        <InvoiceStatusBadge invoice={invoice} />
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
  const issuedOn = issueDay(invoice)
  const facts: readonly Fact[] = [
    [t('Issued by'), invoice.issuer_party.name],
    [t('Billed to'), invoice.recipient.name],
    [t('Month'), t('{period}, in {timeZone}', { period: monthName(invoice.period), timeZone: invoice.time_zone })],
    [t('Issued'), issuedOn === undefined ? undefined : calendarDay(issuedOn)],
    [t('Opens by itself'), invoice.opens_at === null ? undefined : absoluteTime(invoice.opens_at)],
    [t('Due date'), invoice.due_date === null ? undefined : t('at the end of {date}', { date: calendarDay(invoice.due_date) })],
    [t('Total'), money(invoice.total_minor, currency)],
    [t('Paid'), money(invoice.paid_minor, currency)],
    [t('Credited'), invoice.credited_minor === 0 ? undefined : money(invoice.credited_minor, currency)],
    [t('To pay'), money(invoice.amount_due_minor, currency)],
    [t('To give back'), invoice.unapplied_minor === 0 ? undefined : money(invoice.unapplied_minor, currency)],
    [
      t('Corrects'),
      corrects === null ? undefined : <InvoiceLink key="corrects" invoiceId={corrects.invoice_id} number={corrects.number} />,
    ],
  ]
  return (
    <Panel title={t('Summary')}>
      <Facts facts={facts} />
    </Panel>
  )
}

function InvoiceLink({ invoiceId, number }: { invoiceId: string; number: string | null }) {
  return (
    <Link to="/invoices/$invoiceId" params={{ invoiceId }}>
      {number}
    </Link>
  )
}

function CreditNotesPanel({ invoice: { credit_notes: creditNotes } }: { invoice: Invoice }) {
  if (creditNotes.length === 0) return null
  return (
    <Panel title={t('Credit notes')}>
      {creditNotes.map((note) => (
        <Text key={note.invoice_id} size="sm">
          {tRich('{number} over {amount}', {
            number: <InvoiceLink invoiceId={note.invoice_id} number={note.number} />,
            amount: money(note.total_minor, note.currency),
          })}
        </Text>
      ))}
    </Panel>
  )
}
