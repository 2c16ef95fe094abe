import { Table, Text } from '@mantine/core'
import { signals } from '@roadworthy/signals/registry'
import { percent } from '../text/format.ts'
import { t, tListed } from '../text/translate.ts'
import type { Band } from './metric-words.ts'

function signalLabel(signal: string): string {
  return signal in signals ? tListed(signals[signal as keyof typeof signals].label) : signal
}

/** Promised beside measured: a bar with a mark, and the same as numbers. */
export function Calibration({ bands }: { bands: readonly Band[] }) {
  return (
    <section aria-label={t('Calibration')}>
      <Text size="sm" fw={650} mt="sm">
        {t('Calibration')}
      </Text>
      <Text size="xs" c="dimmed">
        {t(
          'Of sound readings so many should lie inside the usual band; the mark is what is promised. A bar short of it means that it warns a little too often.',
        )}
      </Text>
      <Table verticalSpacing={6} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th className="breaking">{t('Signal')}</Table.Th>
            <Table.Th className="breaking">{t('Promised')}</Table.Th>
            <Table.Th className="breaking">{t('Measured')}</Table.Th>
            <Table.Th visibleFrom="xs" aria-hidden="true" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bands.map(({ signal, measured, promised }) => (
            <Table.Tr key={signal}>
              <Table.Th scope="row" className="breaking">
                {signalLabel(signal)}
              </Table.Th>
              <Table.Td className="numbers">{percent(promised)}</Table.Td>
              <Table.Td className="numbers">{percent(measured)}</Table.Td>
              <Table.Td visibleFrom="xs" aria-hidden="true" w="45%">
                <div className="coverage">
                  <span style={{ width: `${100 * measured}%` }} />
                  <i style={{ insetInlineStart: `${100 * promised}%` }} />
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
