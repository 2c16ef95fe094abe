import { Button, Table, Text } from '@mantine/core'
import type { OperatorConnection } from '@roadworthy/contracts/sim-billing/operator-connections'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { operatorConnectionsQuery } from '../api/connection-queries.ts'
import { latestSyncQuery } from '../api/sim-queries.ts'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'
import { useNow } from '../text/use-now.ts'
import { ConnectionBadge } from './connection-badge.tsx'
import { operatorForms } from './operator-fields.ts'
import { operatorState } from './operator-state.ts'

export function OperatorsPage() {
  const asked = useQuery(operatorConnectionsQuery)
  return (
    <>
      <PageHeading title={t('Operators')} count={asked.data?.total}>
        <Button size="sm" renderRoot={(props) => <Link to="/settings/operators/new" {...props} />}>
          {t('Connect an operator')}
        </Button>
      </PageHeading>
      <div className="panel">
        {asked.data === undefined ? (
          <NotLoaded asked={asked} what={t('connections')} />
        ) : (
          <ConnectionTable connections={asked.data.connections} />
        )}
      </div>
    </>
  )
}

function ConnectionTable({ connections }: { connections: readonly OperatorConnection[] }) {
  const latest = useQuery(latestSyncQuery).data?.sync ?? null
  const nowMs = useNow()
  if (connections.length === 0) {
    return (
      <Message title={t('No operator is connected')}>
        {t('With an account at the platform of a mobile-network operator, its SIMs are shown, billed, activated and suspended here.')}
      </Message>
    )
  }
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Accounts at operators')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Account')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('State')}</Table.Th>
          <Table.Th ta="right">{t('SIMs')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {connections.map((connection) => {
          const state = operatorState(connection, latest, nowMs)
          const { connection_id: connectionId, name, operator, sim_count: simCount } = connection
          return (
            <Table.Tr key={connectionId}>
              <Table.Td className="breaking">
                <Link to="/settings/operators/$connectionId" params={{ connectionId }} className="vehicle-link breaking">
                  {name}
                </Link>
                <Text size="xs" c="dimmed">
                  {operatorForms[operator].product}
                </Text>
                <Text size="xs" hiddenFrom="sm" component="div">
                  <ConnectionBadge kind={state.kind} label={state.label} /> {state.text}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <ConnectionBadge kind={state.kind} label={state.label} />
                <Text size="xs" c="dimmed">
                  {state.text}
                </Text>
              </Table.Td>
              <Table.Td ta="right" className="numbers">
                {wholeNumber(simCount)}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
