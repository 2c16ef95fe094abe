import { Table, Text } from '@mantine/core'
import type { Invoice } from '@roadworthy/contracts/sim-billing/invoices'
import { Link } from '@tanstack/react-router'
import { Panel } from '../shell/panel.tsx'
import { money } from '../text/money.ts'

const units: Readonly<Record<Invoice['lines'][number]['unit'], string>> = { month: 'month', day: 'day', piece: '', megabyte: 'MB' }

export function InvoiceLines({
  invoice: { lines, taxes, currency, subtotal_minor: subtotalMinor, total_minor: totalMinor },
}: {
  invoice: Invoice
}) {
  return (
    <Panel title="Lines">
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing={6}>
          <Table.Caption className="visually-hidden">What is invoiced, with taxes and the total</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th ta="right">Quantity</Table.Th>
              <Table.Th ta="right">Price</Table.Th>
              <Table.Th ta="right">Amount</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map((line) => (
              <Table.Tr key={line.line}>
                <Table.Td>
                  {line.description}
                  {line.sim !== null && (
                    <Text size="xs" c="dimmed">
                      SIM{' '}
                      <Link to="/sims/$simId" params={{ simId: line.sim.sim_id }}>
                        {line.sim.iccid}
                      </Link>
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="right" className="numbers nowrap">
                  {line.quantity} {unitOf(line)}
                </Table.Td>
                <Table.Td ta="right" className="numbers nowrap">
                  {line.unit_price}
                  {line.price_quantity > 1 && ` for ${line.price_quantity}`}
                </Table.Td>
                <Table.Td ta="right" className="numbers nowrap">
                  {money(line.amount_minor, currency)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <SumRow name="Without taxes" amount={money(subtotalMinor, currency)} />
            {taxes.map((tax) => (
              <SumRow
                key={tax.tax_id}
                name={`${tax.name} ${tax.rate_percent} % on ${money(tax.taxable_minor, currency)}`}
                amount={money(tax.amount_minor, currency)}
              />
            ))}
            <SumRow name="Total" amount={money(totalMinor, currency)} />
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}

/** In the plural, where it is more than one. */
function unitOf({ unit, quantity }: Invoice['lines'][number]): string {
  const isOne = Number(quantity) <= 1 || unit === 'megabyte' || unit === 'piece'
  return isOne ? units[unit] : `${units[unit]}s`
}

function SumRow({ name, amount }: { name: string; amount: string }) {
  return (
    <Table.Tr>
      <Table.Th colSpan={3} scope="row" ta="right">
        {name}
      </Table.Th>
      <Table.Td ta="right" className="numbers nowrap" fw={600}>
        {amount}
      </Table.Td>
    </Table.Tr>
  )
}
