import { Badge, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type AlertStatus, alertsQuery, vehiclesQuery } from '../api/queries.ts'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { sentenceCase, vehicleLabel } from '../text/format.ts'
import { AlertCard } from './alert-card.tsx'
import { alertStatuses } from './alert-search.ts'
import { alertSubject } from './alert-subject.ts'
import { byUrgency } from './severity-badge.tsx'

export function AlertsPage() {
  const { status = 'open' } = useSearch({ from: '/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const show = (chosen: string | null) => {
    const known = alertStatuses.find((each) => each === chosen)
    void navigate({ search: known === undefined || known === 'open' ? {} : { status: known } })
  }
  return (
    <div className="page">
      <PageHeading title="Alerts" />
      <Tabs value={status} onChange={show} keepMounted={false}>
        <Tabs.List>
          {alertStatuses.map((each) => (
            <Tabs.Tab key={each} value={each} rightSection={<Count status={each} />}>
              {sentenceCase(each)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {alertStatuses.map((each) => (
          <Tabs.Panel key={each} value={each} pt="sm">
            <AlertList status={each} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  )
}

function Count({ status }: { status: AlertStatus }) {
  const total = useQuery(alertsQuery(status)).data?.total
  return total === undefined ? null : (
    <Badge size="sm" variant="light" color={status === 'open' && total > 0 ? 'red' : 'gray'}>
      {total}
    </Badge>
  )
}

const nothing: Readonly<Record<AlertStatus, { title: string; text: string }>> = {
  open: { title: 'Nothing is open', text: 'Alerts appear here by themselves when a vehicle shows one or a device raises one.' },
  acknowledged: { title: 'Nothing is acknowledged', text: 'Acknowledge an open alert to show that somebody is on it.' },
  resolved: { title: 'Nothing is resolved yet', text: 'Alerts end here when their condition is gone, or when somebody resolves them.' },
}

function AlertList({ status }: { status: AlertStatus }) {
  const asked = useQuery(alertsQuery(status))
  const vehicles = useQuery(vehiclesQuery).data?.vehicles ?? []
  if (asked.data === undefined) return <NotLoaded asked={asked} what="alerts" />
  const { alerts, total } = asked.data
  const names = new Map(vehicles.map((vehicle) => [vehicle.id, vehicleLabel(vehicle)]))
  const shown = status === 'resolved' ? alerts : [...alerts].sort(byUrgency)
  return (
    <div className="panel alert-list">
      {shown.length === 0 && <Message title={nothing[status].title}>{nothing[status].text}</Message>}
      {shown.map((alert) => (
        <AlertCard key={alert.id} alert={alert} subject={alertSubject(alert, names)} />
      ))}
      {shown.length < total && (
        <Text size="sm" c="dimmed" p="sm">
          The newest {shown.length} of {total}.
        </Text>
      )}
    </div>
  )
}
