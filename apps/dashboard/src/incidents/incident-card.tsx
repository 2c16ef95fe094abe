import { Badge, Checkbox, Text } from '@mantine/core'
import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { componentName } from '../health/component-name.ts'
import { ClockIcon } from '../shell/icons.tsx'
import { absoluteTime } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t, tRich } from '../text/translate.ts'
import { FlappingMark } from './flapping-mark.tsx'
import { IncidentActions } from './incident-actions.tsx'
import { SeverityBadge } from './severity-badge.tsx'
import { urgencyOf } from './urgency.ts'
import type { IncidentNames } from './use-incident-names.ts'

type IncidentCardProps = {
  incident: Incident
  names: IncidentNames
  /** Where the page is about one vehicle anyway, it is not named. */
  isOfVehicle?: boolean
  selection?: { isSelected: boolean; toggle: () => void } | undefined
}

export function IncidentCard({ incident, names, isOfVehicle = false, selection }: IncidentCardProps) {
  const { id, title, severity, recommendation, evidence } = incident
  const urgency = urgencyOf(incident, Date.now())
  const message = evidence[0]?.message
  return (
    <article className="incident-card" aria-label={title} data-incident={id}>
      {selection !== undefined && (
        <Checkbox
          aria-label={t('Select: {title}', { title })}
          checked={selection.isSelected}
          onChange={selection.toggle}
          className="incident-select"
        />
      )}
      <div className="incident-severity">
        <SeverityBadge severity={severity} />
        {incident.flapping !== null && <FlappingMark flapping={incident.flapping} />}
        {urgency !== undefined && (
          <Text size="xs" fw={600} className="urgency">
            <ClockIcon size={13} /> {urgency}
          </Text>
        )}
      </div>
      <div className="incident-text">
        <Text fw={600} size="sm">
          {!isOfVehicle && <SubjectName incident={incident} names={names} />}
          <Link to="/alerts/$incidentId" params={{ incidentId: id }} className="vehicle-link incident-link breaking">
            {title}
          </Link>
        </Text>
        <Text size="sm">{recommendation}</Text>
        {message !== undefined && message !== recommendation && (
          <Text size="sm" c="dimmed">
            {message}
          </Text>
        )}
        <IncidentFacts incident={incident} names={names} />
      </div>
      <IncidentActions incident={incident} names={names} isCompact />
    </article>
  )
}

function SubjectName({ incident, names }: { incident: Incident; names: IncidentNames }) {
  const { label, vehicleId } = names.subjectOf(incident)
  return (
    <>
      {vehicleId === undefined ? (
        label
      ) : (
        <Link to="/vehicles/$vehicleId" params={{ vehicleId }} className="vehicle-link breaking">
          {label}
        </Link>
      )}
      {' · '}
    </>
  )
}

function IncidentFacts({ incident, names }: { incident: Incident; names: IncidentNames }) {
  const { openedAt, vehicleId, component, occurrences, alertIds, assignee } = incident
  return (
    <Text size="xs" c="dimmed" component="div">
      {tRich('Opened {time}', { time: <TimeAgo time={openedAt} /> })}
      {vehicleId !== null && ` · ${componentName(component)}`}
      {alertIds.length > 1 && ` · ${t('{count, plural, one {# alert} other {# alerts}}', { count: alertIds.length })}`}
      {occurrences > 1 && ` · ${t('{count, plural, one {came back once} other {came back # times}}', { count: occurrences - 1 })}`}
      <Fate incident={incident} />
      {assignee !== null && (
        <Badge size="sm" variant="light" color="gray" tt="none" ml={6} className="badge">
          {t('Assigned to {person}', { person: names.personOf(assignee) })}
        </Badge>
      )}
    </Text>
  )
}

function Fate({ incident: { status, acknowledgedAt, snoozedUntil, resolvedAt, resolvedBy } }: { incident: Incident }) {
  if (status === 'open') return null
  if (status === 'snoozed') {
    return ` · ${snoozedUntil === null ? t('snoozed') : t('snoozed until {time}', { time: absoluteTime(snoozedUntil) })}`
  }
  const time = <TimeAgo time={status === 'resolved' ? resolvedAt : acknowledgedAt} />
  return (
    <>
      {' · '}
      {status === 'acknowledged' ? tRich('acknowledged {time}', { time }) : endOf(resolvedBy, time)}
    </>
  )
}

function endOf(resolvedBy: Incident['resolvedBy'], time: ReactNode): ReactNode {
  if (resolvedBy === 'engine') return tRich('resolved by itself {time}', { time })
  if (resolvedBy === 'maintenance') return tRich('resolved by maintenance {time}', { time })
  return tRich('resolved {time}', { time })
}
