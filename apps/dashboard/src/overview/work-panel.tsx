import { Text } from '@mantine/core'
import type { DueWork, Overview } from '@roadworthy/contracts/platform-v1/overview'
import { Link } from '@tanstack/react-router'
import { componentName } from '../health/component-name.ts'
import { CheckIcon, ClockIcon, WarningIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'
import { dayText } from './day-text.ts'
import { VehicleName } from './vehicle-name.tsx'

/** What is overdue, and what falls due within the week. */
export function WorkPanel({ work: { overdue, dueSoon, items } }: { work: Overview['work'] }) {
  return (
    <Panel
      title={t('Maintenance due')}
      actions={
        <span className="small-link">
          <Link to="/maintenance" search={{ view: 'overdue' }}>
            {t('{count} overdue', { count: overdue })}
          </Link>
          {' · '}
          <Link to="/maintenance" search={{ view: 'due' }}>
            {t('{count} due soon', { count: dueSoon })}
          </Link>
        </span>
      }
    >
      {items.length === 0 ? (
        <p className="with-icon" data-color="green">
          <CheckIcon /> {t('Nothing is due this week.')}
        </p>
      ) : (
        <ul className="rows">
          {items.map((work) => (
            <WorkRow key={work.id} work={work} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

const late = { color: 'red', Icon: WarningIcon } as const
const soon = { color: 'orange', Icon: ClockIcon } as const

function WorkRow({ work: { vehicle, component, title, dueAt, overdue, kind } }: { work: DueWork }) {
  return (
    <li className="incident-row">
      <StatusBadge look={overdue ? late : soon}>{overdue ? t('Overdue') : t('Due soon')}</StatusBadge>
      <div className="row-text">
        <Text size="sm">
          <VehicleName vehicle={vehicle} /> · {componentName(component)}
        </Text>
        {title !== null && <Text size="sm">{title}</Text>}
        <Text size="xs" c="dimmed">
          {kind === 'planned' ? t('Planned') : t('By schedule')}
          {dueAt !== null && ` · ${dayText(dueAt)}`}
        </Text>
      </div>
    </li>
  )
}
