import { Table, Text } from '@mantine/core'
import type { VehicleAtRisk } from '@roadworthy/contracts/platform-v1/overview'
import { SeverityBadge } from '../incidents/severity-badge.tsx'
import { Message } from '../shell/message.tsx'
import { Panel } from '../shell/panel.tsx'
import { days, daysBetween, percent } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { VehicleName } from './vehicle-name.tsx'

/** Vehicles by the part of each that is expected to last the shortest. */
export function AtRiskPanel({ vehicles }: { vehicles: readonly VehicleAtRisk[] }) {
  return (
    <Panel title={t('Shortest remaining life')}>
      {vehicles.length === 0 ? (
        <Message title={t('No part is predicted yet')}>{t('Predictions follow a few seconds after the first readings.')}</Message>
      ) : (
        <RiskTable vehicles={vehicles} />
      )}
    </Panel>
  )
}

function RiskTable({ vehicles }: { vehicles: readonly VehicleAtRisk[] }) {
  return (
    <Table verticalSpacing={6} horizontalSpacing="xs">
      <Table.Caption className="visually-hidden">{t('The ten vehicles with the shortest remaining life of a part')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Vehicle')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Severity')}</Table.Th>
          <Table.Th>{t('Remaining life')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Confidence')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {vehicles.map(({ vehicle, issue, rul_days, interval, confidence, severity }) => (
          <Table.Tr key={vehicle.id}>
            <Table.Td>
              <VehicleName vehicle={vehicle} />
              <Text size="xs" c="dimmed">
                {issue}
              </Text>
              <span className="only-narrow">
                <SeverityBadge severity={severity} />
              </span>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <SeverityBadge severity={severity} />
            </Table.Td>
            <Table.Td className="numbers">
              <strong>{days(rul_days)}</strong>
              <Text size="xs" c="dimmed">
                {t('8 in 10: {interval}', { interval: daysBetween(interval) })}
              </Text>
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                {t('Confidence')} {percent(confidence)}
              </Text>
            </Table.Td>
            <Table.Td className="numbers" visibleFrom="sm">
              {percent(confidence)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
