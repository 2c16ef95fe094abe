import { Table, Text } from '@mantine/core'
import type { FaultCode } from '@roadworthy/contracts/platform-v1/vehicles'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { faultCodesQuery } from '../api/vehicle-queries.ts'
import { componentName } from '../health/component-name.ts'
import { SeverityBadge } from '../incidents/severity-badge.tsx'
import { CheckIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'

/** What control units reported in the last month, in plain words. */
export function FaultCodesTab({ vehicleId }: { vehicleId: string }) {
  const asked = useQuery(faultCodesQuery(vehicleId))
  const { data } = asked
  return (
    <Panel title={t('Fault codes of 30 days')}>
      {data === undefined && <NotLoaded asked={asked} what={t('fault codes')} />}
      {data?.faultCodes.length === 0 && <Nothing reportedAt={data.reportedAt} />}
      {data !== undefined && data.faultCodes.length > 0 && (
        <Table verticalSpacing={8} horizontalSpacing="sm">
          <Table.Caption className="visually-hidden">{t('Fault codes')}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Code')}</Table.Th>
              <Table.Th>{t('State')}</Table.Th>
              {[t('First seen'), t('Last seen'), t('Readings')].map((head) => (
                <Table.Th key={head} visibleFrom="sm" className="nowrap">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.faultCodes.map((code) => (
              <CodeRow key={code.code} code={code} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  )
}

function CodeRow({
  code: { code, title, drivingOn, component, severity, incidentId, active, firstSeenAt, lastSeenAt, readingCount },
}: {
  code: FaultCode
}) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {code}
          {title !== null && ` · ${sentenceCase(title)}`}
        </Text>
        <Text size="xs" c="dimmed">
          {title === null
            ? t('Not judged yet')
            : [component === null ? '' : componentName(component), drivingOn ?? ''].filter(Boolean).join(' · ')}
        </Text>
        {incidentId !== null && (
          <Link to="/alerts/$incidentId" params={{ incidentId }} className="vehicle-link">
            {t('Go to the incident')}
          </Link>
        )}
        <Text size="xs" hiddenFrom="sm">
          {t('First seen')} <TimeAgo time={firstSeenAt} /> · {t('Last seen')} <TimeAgo time={lastSeenAt} /> · {t('Readings')} {readingCount}
        </Text>
      </Table.Td>
      <Table.Td>
        {active ? (
          severity === null ? (
            <StatusBadge look={{ color: 'orange', Icon: WarningIcon }}>{t('Active')}</StatusBadge>
          ) : (
            <SeverityBadge severity={severity} />
          )
        ) : (
          <StatusBadge look={{ color: 'gray', Icon: CheckIcon }}>{t('No longer reported')}</StatusBadge>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="nowrap">
        <TimeAgo time={firstSeenAt} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className="nowrap">
        <TimeAgo time={lastSeenAt} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className="numbers">
        {readingCount}
      </Table.Td>
    </Table.Tr>
  )
}

/** That there are none is only known of a vehicle that sends a list. */
function Nothing({ reportedAt }: { reportedAt: string | null }) {
  if (reportedAt === null) {
    return <Message title={t('No list of fault codes was ever sent')}>{t('The device does not read them, or does not send them.')}</Message>
  }
  return <Message title={t('No fault codes')}>{t('The vehicle reports that there are none.')}</Message>
}
