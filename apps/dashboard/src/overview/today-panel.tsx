import { Text } from '@mantine/core'
import type { Overview, UrgentIncident } from '@roadworthy/contracts/platform-v1/overview'
import { Link } from '@tanstack/react-router'
import { SeverityBadge } from '../incidents/severity-badge.tsx'
import { urgencyOf } from '../incidents/urgency.ts'
import { CheckIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { VehicleName } from './vehicle-name.tsx'

/** What is open and nobody is at, gravest first, each with what to do. */
export function TodayPanel({ incidents }: { incidents: NonNullable<Overview['incidents']> }) {
  const { open, acknowledged, items } = incidents
  return (
    <Panel
      title={t('Needs attention today')}
      actions={
        <Link to="/alerts" className="small-link">
          {t('{count, plural, one {# open incident} other {# open incidents}}', { count: open })}
        </Link>
      }
    >
      {items.length === 0 ? (
        <p className="with-icon" data-color="green">
          <CheckIcon /> {open === 0 ? t('No incident waits for anyone.') : t('The open incidents are maintenance that is due.')}
        </p>
      ) : (
        <ul className="rows">
          {items.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} />
          ))}
        </ul>
      )}
      {acknowledged > 0 && (
        <Text size="sm" mt="xs">
          <Link to="/alerts" search={{ status: 'acknowledged' }}>
            {t('{count, plural, one {# more is acknowledged.} other {# more are acknowledged.}}', { count: acknowledged })}
          </Link>
        </Text>
      )}
    </Panel>
  )
}

function IncidentRow({ incident }: { incident: UrgentIncident }) {
  const { id, vehicle, deviceId, severity, title, recommendation, openedAt } = incident
  const urgency = urgencyOf({ ...incident, status: 'open' }, Date.now())
  return (
    <li className="incident-row">
      <SeverityBadge severity={severity} />
      <div className="row-text">
        <Text size="sm">
          {vehicle === null ? (deviceId ?? t('No vehicle')) : <VehicleName vehicle={vehicle} />}
          {' · '}
          <Link to="/alerts/$incidentId" params={{ incidentId: id }}>
            {title}
          </Link>
        </Text>
        <Text size="sm">{recommendation}</Text>
        <Text size="xs" c="dimmed">
          {urgency !== undefined && `${urgency} · `}
          <TimeAgo time={openedAt} />
        </Text>
      </div>
    </li>
  )
}
