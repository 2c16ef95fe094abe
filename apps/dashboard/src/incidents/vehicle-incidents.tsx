import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { standingIncidentsQuery } from '../api/incident-queries.ts'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { t } from '../text/translate.ts'
import { IncidentCard } from './incident-card.tsx'
import { useIncidentNames } from './use-incident-names.ts'

/** What is not resolved of one vehicle, most urgent first. */
export function VehicleIncidents({ vehicleId }: { vehicleId: string }) {
  const asked = useQuery(standingIncidentsQuery(vehicleId))
  const standing = asked.data?.incidents ?? []
  const names = useIncidentNames(standing)
  return (
    <Panel
      title={standing.length === 0 ? t('Alerts') : t('Alerts ({count})', { count: standing.length })}
      className="vehicle-alerts"
      actions={
        <Link to="/alerts" search={{ vehicleId, status: 'resolved' }}>
          {t('Resolved')}
        </Link>
      }
    >
      {asked.data === undefined && <NotLoaded asked={asked} what={t('alerts')} />}
      {asked.data !== undefined && standing.length === 0 && <Text c="dimmed">{t('No open incidents.')}</Text>}
      {standing.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} names={names} isOfVehicle />
      ))}
    </Panel>
  )
}
