import { Button, Table, Text } from '@mantine/core'
import type { Alert } from '@roadworthy/contracts/platform-v1/alerts'
import { Link } from '@tanstack/react-router'
import { BellIcon, ClockIcon, OfflineIcon, PauseIcon } from '../shell/icons.tsx'
import { clockTime } from '../text/format.ts'
import { t } from '../text/translate.ts'
import type { Entry } from './course-of-day.ts'
import { durationText } from './duration-text.ts'

const icons = { drive: ClockIcon, stop: PauseIcon, gap: OfflineIcon, alert: BellIcon } as const

/** All that the map shows, in words; each row leads the replay to its time. */
export function CourseTable({ entries, onChoose }: { entries: readonly Entry[]; onChoose: (atMs: number) => void }) {
  return (
    <Table verticalSpacing={6}>
      <Table.Caption className="visually-hidden">{t('Course of the day')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('From')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Until')}</Table.Th>
          <Table.Th>{t('What')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Where')}</Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('Show')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Row key={`${entry.kind} ${entry.fromMs} ${entry.kind === 'alert' ? entry.alert.id : ''}`} entry={entry} onChoose={onChoose} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Row({ entry, onChoose }: { entry: Entry; onChoose: (atMs: number) => void }) {
  const { kind, fromMs, toMs, place } = entry
  const Icon = icons[kind]
  return (
    <Table.Tr>
      <Table.Td className="numbers nowrap">{clockTime(fromMs)}</Table.Td>
      <Table.Td visibleFrom="sm" className="numbers nowrap">
        {kind === 'alert' ? '' : clockTime(toMs)}
      </Table.Td>
      <Table.Td className="breaking">
        <span className="course-kind">
          <Icon size={16} />
          <span>{whatOf(entry)}</span>
        </span>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="numbers nowrap">
        {place === undefined ? '–' : `${place.latitude.toFixed(4)}, ${place.longitude.toFixed(4)}`}
      </Table.Td>
      <Table.Td>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('Show {time} in the replay', { time: clockTime(fromMs) })}
          onClick={() => onChoose(fromMs)}
        >
          {t('Show')}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

function whatOf(entry: Entry) {
  if (entry.kind === 'alert') return <AlertText alert={entry.alert} />
  const duration = durationText(entry.toMs - entry.fromMs)
  if (entry.kind === 'drive') return t('Drive, {duration}', { duration })
  if (entry.kind === 'stop') return t('Stop, {duration}', { duration })
  return t('No messages, {duration}', { duration })
}

function AlertText({ alert: { incidentId, description } }: { alert: Alert }) {
  if (incidentId === null) return <Text size="sm">{description}</Text>
  return (
    <Link to="/alerts/$incidentId" params={{ incidentId }}>
      {description}
    </Link>
  )
}
