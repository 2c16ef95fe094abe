import { Text } from '@mantine/core'
import type { Changes } from '@roadworthy/contracts/platform-v1/overview'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { componentName } from '../health/component-name.ts'
import { HealthBadge } from '../health/health-badge.tsx'
import { Panel } from '../shell/panel.tsx'
import { shortTime } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import type { ChangesSince } from './overview-search.ts'
import { VehicleName } from './vehicle-name.tsx'

/** What happened since the person was here, or in the last day or week. */
export function ChangesPanel({ changes }: { changes: Changes }) {
  const { since: chosen } = useSearch({ from: '/' })
  const lists = listsOf(changes)
  return (
    <Panel title={t('What changed')} actions={<Since chosen={chosen} />}>
      <Text size="xs" c="dimmed" mb={4}>
        {t('Since {time}', { time: shortTime(changes.since) })}
      </Text>
      {lists.length === 0 ? (
        <Text size="sm">{t('Nothing changed since then.')}</Text>
      ) : (
        lists.map(({ title, total, rows }) => (
          <details key={title} className="change">
            <summary>{title}</summary>
            <ul>
              {rows.map(({ key, row }) => (
                <li key={key}>{row}</li>
              ))}
            </ul>
            {total > rows.length && (
              <Text size="xs" c="dimmed">
                {t('and {count} more', { count: total - rows.length })}
              </Text>
            )}
          </details>
        ))
      )}
    </Panel>
  )
}

function Since({ chosen }: { chosen: ChangesSince | undefined }) {
  const choices: readonly { since?: ChangesSince; label: string }[] = [
    { label: t('Last visit') },
    { since: 'day', label: t('24 hours') },
    { since: 'week', label: t('7 days') },
  ]
  return (
    <nav aria-label={t('Changes since')} className="small-link choices">
      {choices.map(({ since, label }) => (
        <Link
          key={label}
          to="/"
          search={since === undefined ? {} : { since }}
          aria-current={since === chosen ? 'true' : undefined}
          activeProps={{ 'aria-current': undefined }}
          replace
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

type ShownList = { readonly title: string; readonly total: number; readonly rows: readonly { key: string; row: ReactNode }[] }
type Incidents = NonNullable<Changes['incidentsOpened']>

/** Those in which there is anything. */
function listsOf(changes: Changes): ShownList[] {
  const { incidentsOpened, incidentsResolved, vehiclesWorsened, workDone, devicesSilent } = changes
  const lists: (ShownList | undefined)[] = [
    incidentsOpened === null
      ? undefined
      : ofIncidents(incidentsOpened, t('{count, plural, one {# new incident} other {# new incidents}}', { count: incidentsOpened.total })),
    {
      title: t('{count, plural, one {# vehicle is worse than it was} other {# vehicles are worse than they were}}', {
        count: vehiclesWorsened.total,
      }),
      total: vehiclesWorsened.total,
      rows: vehiclesWorsened.items.map(({ vehicle, healthStatus }) => ({
        key: vehicle.id,
        row: (
          <>
            <VehicleName vehicle={vehicle} /> <HealthBadge condition={healthStatus} size="sm" />
          </>
        ),
      })),
    },
    devicesSilent === null ? undefined : ofDevices(devicesSilent),
    incidentsResolved === null
      ? undefined
      : ofIncidents(
          incidentsResolved,
          t('{count, plural, one {# incident was resolved} other {# incidents were resolved}}', { count: incidentsResolved.total }),
        ),
    {
      title: t('{count, plural, one {# maintenance task was completed} other {# maintenance tasks were completed}}', {
        count: workDone.total,
      }),
      total: workDone.total,
      rows: workDone.items.map(({ id, vehicle, component }) => ({
        key: id,
        row: (
          <>
            <VehicleName vehicle={vehicle} /> · {componentName(component)}
          </>
        ),
      })),
    },
  ]
  return lists.filter((list): list is ShownList => list !== undefined && list.total > 0)
}

function ofIncidents({ total, items }: Incidents, title: string): ShownList {
  const rows = items.map(({ id, title: name, vehicle, at }) => ({
    key: id,
    row: (
      <>
        {vehicle !== null && (
          <>
            <VehicleName vehicle={vehicle} />
            {' · '}
          </>
        )}
        <Link to="/alerts/$incidentId" params={{ incidentId: id }}>
          {name}
        </Link>{' '}
        <span className="copy">
          <TimeAgo time={at} />
        </span>
      </>
    ),
  }))
  return { title, total, rows }
}

function ofDevices({ total, items }: NonNullable<Changes['devicesSilent']>): ShownList {
  const rows = items.map(({ deviceId, name, vehicle, at }) => ({
    key: deviceId,
    row: (
      <>
        <Link to="/devices/$deviceId" params={{ deviceId }}>
          {name ?? deviceId}
        </Link>
        {vehicle !== null && (
          <>
            {' · '}
            <VehicleName vehicle={vehicle} />
          </>
        )}{' '}
        <span className="copy">
          <TimeAgo time={at} />
        </span>
      </>
    ),
  }))
  return { title: t('{count, plural, one {# device went silent} other {# devices went silent}}', { count: total }), total, rows }
}
