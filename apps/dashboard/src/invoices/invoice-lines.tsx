import { Table, Text } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import { Link } from '@tanstack/react-router'
import { Panel } from '../shell/panel.tsx'
import { wholeNumber } from '../text/format.ts'
import { money, price, quantity } from '../text/money.ts'
import { t } from '../text/translate.ts'

type Line = Invoice['lines'][number]

export function InvoiceLines({
  invoice: { lines, taxes, currency, subtotal_minor: subtotalMinor, total_minor: totalMinor },
}: {
  invoice: Invoice
}) {
  return (
    <Panel title={t('Lines')}>
      <Table verticalSpacing={6}>
        <Table.Caption className="visually-hidden">{t('What is invoiced, with taxes and the total')}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('What')}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t('Quantity')}
            </Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t('Price')}
            </Table.Th>
            <Table.Th ta="right">{t('Amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.line}>
              <Table.Td className="breaking">
                <Description line={line} />
                <Text size="xs" c="dimmed" hiddenFrom="sm" className="numbers">
                  {quantityOf(line)} × {priceOf(line, currency)}
                </Text>
              </Table.Td>
              <Table.Td ta="right" className="numbers nowrap" visibleFrom="sm" title={line.quantity}>
                {quantityOf(line)}
              </Table.Td>
              <Table.Td ta="right" className="numbers nowrap" visibleFrom="sm">
                {priceOf(line, currency)}
              </Table.Td>
              <Table.Td ta="right" className="numbers nowrap">
                {money(line.amount_minor, currency)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <SumRow name={t('Without taxes')} amount={money(subtotalMinor, currency)} />
          {taxes.map((tax) => (
            <SumRow
              key={tax.tax_id}
              name={t('{tax} {rate} % on {amount}', { tax: tax.name, rate: tax.rate_percent, amount: money(tax.taxable_minor, currency) })}
              amount={money(tax.amount_minor, currency)}
            />
          ))}
          <SumRow name={t('Total')} amount={money(totalMinor, currency)} />
        </Table.Tfoot>
      </Table>
    </Panel>
  )
}

/** Where the ICCID stands in it, that is the link to the SIM. */
function Description({ line: { description, sim } }: { line: Line }) {
  if (sim === null) return description
  const [before = '', after] = description.split(sim.iccid, 2)
  return (
    <>
      {after === undefined ? `${description} · ` : before}
      <Link to="/sims/$simId" params={{ simId: sim.sim_id }}>
        {sim.iccid}
      </Link>
      {after}
    </>
  )
}

/** With its unit, in the plural where it is more than one. The number chooses the form, its text is shown. */
function quantityOf({ unit, quantity: decimal }: Line): string {
  const shown = quantity(decimal)
  const count = Math.max(1, Math.ceil(Number(decimal)))
  if (unit === 'month') return t('{count, plural, one {{shown} month} other {{shown} months}}', { count, shown })
  if (unit === 'day') return t('{count, plural, one {{shown} day} other {{shown} days}}', { count, shown })
  return unit === 'megabyte' ? `${shown} MB` : shown
}

function priceOf({ unit_price: unitPrice, price_quantity: priceQuantity }: Line, currency: string): string {
  return priceQuantity > 1
    ? t('{price} for {quantity}', { price: price(unitPrice, currency), quantity: wholeNumber(priceQuantity) })
    : price(unitPrice, currency)
}

function SumRow({ name, amount }: { name: string; amount: string }) {
  return (
    <Table.Tr>
      <Table.Th colSpan={3} scope="row" ta="right" visibleFrom="sm">
        {name}
      </Table.Th>
      <Table.Th scope="row" ta="right" hiddenFrom="sm">
        {name}
      </Table.Th>
      <Table.Td ta="right" className="numbers nowrap" fw={600}>
        {amount}
      </Table.Td>
    </Table.Tr>
  )
}
