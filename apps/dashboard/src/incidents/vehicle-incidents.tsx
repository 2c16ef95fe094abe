import { Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { standingIncidentsQuery } from '../api/incident-queries.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { IncidentCard } from './incident-card.tsx'
import { byUrgency } from './severity-badge.tsx'
import { useIncidentNames } from './use-incident-names.ts'

const STANDING = ['open', 'acknowledged', 'snoozed'] as const

/** What is not resolved of one vehicle, worst first. */
export function VehicleIncidents({ vehicleId }: { vehicleId: string }) {
  const asked = useQueries({ queries: STANDING.map((status) => standingIncidentsQuery(vehicleId, status)) })
  const missing = asked.find(({ data }) => data === undefined)
  const standing = asked.flatMap(({ data }) => data?.incidents ?? []).sort(byUrgency)
  const names = useIncidentNames(standing)
  return (
    <Panel
      title={standing.length === 0 ? 'Alerts' : `Alerts (${standing.length})`}
      className="vehicle-alerts"
      actions={
        <Link to="/alerts" search={{ vehicleId, status: 'resolved' }}>
          Resolved
        </Link>
      }
    >
      {missing !== undefined && <NotLoaded asked={missing} what="alerts" />}
      {missing === undefined && standing.length === 0 && <Text c="dimmed">None stands.</Text>}
      {standing.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} names={names} isOfVehicle />
      ))}
    </Panel>
  )
}
