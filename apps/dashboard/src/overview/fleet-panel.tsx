import { Text } from '@mantine/core'
import type { Overview } from '@roadworthy/contracts/platform-v1/overview'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FleetSearch } from '../fleet/fleet-search.ts'
import { conditions } from '../health/health-badge.tsx'
import { CheckIcon, OfflineIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { wholeNumber } from '../text/format.ts'
import { t } from '../text/translate.ts'

type Part = {
  readonly key: string
  readonly label: string
  readonly count: number
  readonly color: string
  readonly Icon: (props: { size?: number }) => ReactNode
  /** Of the list of vehicles that the number leads to. */
  readonly filter: FleetSearch
  readonly note?: string | undefined
}

export function FleetPanel({ vehicles: { total, health, connection } }: { vehicles: Overview['vehicles'] }) {
  const byHealth: readonly Part[] = [
    { key: 'critical', label: t('Critical'), count: health.critical, ...conditions.critical, filter: { health: 'critical' } },
    { key: 'warning', label: t('Warning'), count: health.warning, ...conditions.warning, filter: { health: 'warning' } },
    { key: 'healthy', label: t('Healthy'), count: health.healthy, ...conditions.healthy, filter: { health: 'healthy' } },
    { key: 'unknown', label: t('Not judged yet'), count: health.unknown, ...conditions.unknown, filter: { health: 'unknown' } },
  ]
  const { online, offline, never } = connection
  const byConnection: readonly Part[] = [
    { key: 'online', label: t('Online'), count: online, color: 'green', Icon: CheckIcon, filter: { presence: 'online' } },
    {
      ...{
        key: 'offline',
        label: t('Offline'),
        count: offline + never,
        color: 'gray',
        Icon: OfflineIcon,
        filter: { presence: 'offline' as const },
      },
      note: never === 0 ? undefined : t('{count, plural, one {# has never reported} other {# have never reported}}', { count: never }),
    },
  ]
  return (
    <Panel
      title={t('The fleet')}
      actions={
        <Link to="/fleet" className="small-link">
          {t('{count, plural, one {# vehicle} other {# vehicles}}', { count: total })}
        </Link>
      }
    >
      <Shares title={t('By health')} parts={byHealth} total={total} />
      <Shares title={t('By connection')} parts={byConnection} total={total} />
    </Panel>
  )
}

/** A bar in parts, with the words and numbers of each below it. */
function Shares({ title, parts, total }: { title: string; parts: readonly Part[]; total: number }) {
  return (
    <section aria-label={title} className="shares">
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <div className="share-bar" aria-hidden="true">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ key, color, count }) => (
            <span key={key} data-color={color} style={{ flexGrow: count / Math.max(1, total) }} />
          ))}
      </div>
      <ul className="share-list">
        {parts.map((part) => (
          <li key={part.key} data-color={part.color}>
            <part.Icon size={16} />
            <Share part={part} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Share({ part: { filter, count, label, note } }: { part: Part }) {
  return (
    <span>
      <Link to="/fleet" search={filter}>
        <strong className="numbers">{wholeNumber(count)}</strong> {label}
      </Link>
      {note !== undefined && (
        <Text component="span" size="xs" c="dimmed" display="block">
          {note}
        </Text>
      )}
    </span>
  )
}
