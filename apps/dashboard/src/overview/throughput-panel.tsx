import { Table, Text } from '@mantine/core'
import type { Overview } from '@roadworthy/contracts/platform-v1/overview'
import { useState } from 'react'
import { Panel } from '../shell/panel.tsx'
import { decimalNumber, shortTime, wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'

type Throughput = Overview['throughput']

/** How much comes in, and whether that is as it was. */
export function ThroughputPanel({ throughput: { perMinute, quarters } }: { throughput: Throughput }) {
  const most = Math.max(0, ...quarters.map(({ readings }) => readings))
  return (
    <Panel title={t('Readings')}>
      <Text>
        <Text component="span" fz={24} fw={700} className="numbers">
          {decimalNumber(perMinute, perMinute < 10 ? 1 : 0)}
        </Text>{' '}
        {t('a minute')}
      </Text>
      {most === 0 ? (
        <Text size="sm" c="dimmed">
          {t('Nothing came in for six hours.')}
        </Text>
      ) : (
        <div className="day-bars overview-bars" aria-hidden="true">
          {quarters.map(({ from, readings }) => (
            <div key={from} title={`${shortTime(from)}: ${wholeNumber(readings)}`}>
              <span style={{ height: `${(readings / most) * 100}%` }} />
            </div>
          ))}
        </div>
      )}
      <Text size="xs" c="dimmed" my={4}>
        {t('By quarter-hours of the last six hours; the last one is not over. The number is the mean of the last 15 to 30 minutes.')}
      </Text>
      <QuarterTable quarters={quarters} />
    </Panel>
  )
}

/** The bars for those who cannot see them; made only when it is opened. */
function QuarterTable({ quarters }: Pick<Throughput, 'quarters'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="small-link" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('As a table')}</summary>
      {isOpen && (
        <Table fz="xs" verticalSpacing={2}>
          <Table.Caption>{t('Readings by quarter-hour, newest first')}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('From')}</Table.Th>
              <Table.Th ta="right">{t('Readings')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {quarters.toReversed().map(({ from, readings }) => (
              <Table.Tr key={from}>
                <Table.Td>{shortTime(from)}</Table.Td>
                <Table.Td ta="right" className="numbers">
                  {wholeNumber(readings)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </details>
  )
}
