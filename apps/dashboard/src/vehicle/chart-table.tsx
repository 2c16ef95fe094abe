import { Table } from '@mantine/core'
import { type SignalName, signals } from '@roadworthy/signals/registry'
import { useState } from 'react'
import { shortTime } from '../text/format.ts'
import { signalValue } from '../text/signal-value.ts'
import { t, tListed } from '../text/translate.ts'
import type { ChartSeries } from './chart-series.ts'

const MAX_ROWS = 30

/** The chart for those who cannot see it; made only when it is opened. */
export function ChartTable({ signal, series }: { signal: SignalName; series: ChartSeries }) {
  const [isOpen, setOpen] = useState(false)
  const rows = isOpen ? series.timesS.map((timeS, i) => ({ timeS, mean: series.means[i], low: series.lows[i], high: series.highs[i] })) : []
  const write = (value: number | null | undefined) => (value == null ? '–' : signalValue(signal, value))
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('As a table')}</summary>
      {isOpen && (
        <Table fz="xs" verticalSpacing={2}>
          <Table.Caption>
            {t('{signal}, newest first, {count} at most', { signal: tListed(signals[signal].label), count: MAX_ROWS })}
          </Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {[t('From'), t('Lowest'), t('Mean'), t('Highest')].map((head) => (
                <Table.Th key={head}>{head}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows
              .filter(({ mean }) => mean !== null)
              .reverse()
              .slice(0, MAX_ROWS)
              .map(({ timeS, mean, low, high }) => (
                <Table.Tr key={timeS}>
                  <Table.Td>{shortTime(timeS * 1000)}</Table.Td>
                  <Table.Td>{write(low)}</Table.Td>
                  <Table.Td>{write(mean)}</Table.Td>
                  <Table.Td>{write(high)}</Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      )}
    </details>
  )
}
