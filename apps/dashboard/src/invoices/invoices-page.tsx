import { Group, Select, Table, Text } from '@mantine/core'
import type { InvoiceSummary } from '@roadworthy/contracts/sim-billing/invoices'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { invoicesQuery } from '../api/invoice-queries.ts'
import { useIsOfReseller } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { calendarDay, monthName } from '../text/format.ts'
import { money } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { type InvoiceSearch, invoiceStatuses, readInvoiceSearch } from './invoice-search.ts'
import { InvoiceStatusBadge } from './invoice-status.tsx'
import { invoiceStatusLabels } from './invoice-words.ts'

export function InvoicesPage() {
  const given = useSearch({ from: '/invoices' })
  const { issuer: _, ...ofAny } = given
  // A person without a choice of issuers sees what there is, also by an address that somebody else sent.
  const search: InvoiceSearch = useIsOfReseller() ? given : ofAny
  const asked = useInfiniteQuery(invoicesQuery(search))
  return (
    <div className="page">
      <PageHeading title={t('Invoices')} count={asked.data?.pages[0]?.total} />
      <Filters search={search} />
      <PagedPanel asked={asked} what={t('invoices')}>
        {(pages) => <InvoiceTable invoices={pages.flatMap(({ invoices }) => invoices)} isFiltered={Object.keys(search).length > 0} />}
      </PagedPanel>
    </div>
  )
}

function Filters({ search }: { search: InvoiceSearch }) {
  const navigate = useNavigate({ from: '/invoices' })
  const isOfReseller = useIsOfReseller()
  const show = (changes: Record<string, unknown>) => void navigate({ search: readInvoiceSearch({ ...search, ...changes }), replace: true })
  return (
    <Group gap="sm">
      <Select
        label={t('Status')}
        placeholder={t('All')}
        clearable
        value={search.status ?? null}
        data={invoiceStatuses.map((value) => ({ value, label: invoiceStatusLabels[value] }))}
        onChange={(status) => show({ status })}
        w={180}
      />
      {isOfReseller && (
        <Select
          label={t('Issued by')}
          placeholder={t('All')}
          clearable
          value={search.issuer ?? null}
          data={[
            { value: 'reseller', label: t('Us, to sub-clients') },
            { value: 'operator', label: t('The operator, to us') },
          ]}
          onChange={(issuer) => show({ issuer })}
          w={180}
        />
      )}
    </Group>
  )
}

function InvoiceTable({ invoices, isFiltered }: { invoices: readonly InvoiceSummary[]; isFiltered: boolean }) {
  if (invoices.length === 0) {
    return isFiltered ? (
      <Message title={t('No invoice matches')}>{t('Choose another status or issuer.')}</Message>
    ) : (
      <Message title={t('There are no invoices yet')}>
        {t('When a month is over, a draft is made for every sub-client that has something to pay.')}
      </Message>
    )
  }
  return (
    <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Invoices and credit notes')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Number')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Month')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Billed to')}</Table.Th>
          <Table.Th>{t('Status')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Due date')}</Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            {t('Total')}
          </Table.Th>
          <Table.Th ta="right">{t('To pay')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invoices.map((invoice) => (
          <Table.Tr key={invoice.invoice_id}>
            <Table.Td>
              <Link to="/invoices/$invoiceId" params={{ invoiceId: invoice.invoice_id }} className="vehicle-link">
                {invoice.number ?? t('Draft')}
              </Link>
              {invoice.kind === 'credit_note' && ` · ${t('credit note')}`}
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                {monthName(invoice.period)} · <Recipient invoice={invoice} />
              </Text>
            </Table.Td>
            <Table.Td className="numbers nowrap" visibleFrom="sm">
              {monthName(invoice.period)}
            </Table.Td>
            <Table.Td className="breaking" visibleFrom="sm">
              <Recipient invoice={invoice} />
            </Table.Td>
            <Table.Td>
              <InvoiceStatusBadge invoice={invoice} />
            </Table.Td>
            <Table.Td className="numbers nowrap" visibleFrom="md">
              {invoice.due_date === null ? '–' : calendarDay(invoice.due_date)}
            </Table.Td>
            <Table.Td ta="right" className="numbers nowrap" visibleFrom="sm">
              {money(invoice.total_minor, invoice.currency)}
            </Table.Td>
            <Table.Td ta="right" className="numbers nowrap">
              {money(invoice.amount_due_minor, invoice.currency)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Recipient({ invoice: { issuer, sub_client_id: subClientId } }: { invoice: InvoiceSummary }) {
  return issuer === 'operator' || subClientId === null ? t('Us') : <SubClientName subClientId={subClientId} />
}
