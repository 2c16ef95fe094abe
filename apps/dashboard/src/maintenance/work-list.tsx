import { Button, Group, Table, Text } from '@mantine/core'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type WorkFilter, workQuery } from '../api/maintenance-queries.ts'
import { componentName } from '../health/component-name.ts'
import { useMayChange } from '../session/use-session.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { CheckIcon, ClockIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { absoluteTime, distance } from '../text/format.ts'
import { money } from '../text/money.ts'
import { t } from '../text/translate.ts'
import { dayText } from './calendar-day.ts'
import { ChangeWorkDialog } from './change-work-dialog.tsx'
import { CompleteWorkDialog } from './complete-work-dialog.tsx'
import { RemoveWorkDialog } from './remove-work-dialog.tsx'
import { useStartOfToday } from './use-start-of-today.ts'
import { findingLabels, useVehicleName, useWorkTitle } from './work-fields.tsx'

type WorkListProps = {
  filter: WorkFilter
  /** In place of what fits the filter, where there is none. */
  empty?: ReactNode
}

/** Records, newest first, page by page. */
export function WorkList({ filter, empty }: WorkListProps) {
  const asked = useInfiniteQuery(workQuery(filter))
  return (
    <PagedPanel asked={asked} what={t('maintenance')}>
      {(pages) => <WorkTable records={pages.flatMap(({ maintenance }) => maintenance)} empty={empty ?? <Nothing filter={filter} />} />}
    </PagedPanel>
  )
}

function WorkTable({ records, empty }: { records: readonly Maintenance[]; empty: ReactNode }) {
  if (records.length === 0) return empty
  return (
    <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Work, newest record first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Work')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('State')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Finding')}</Table.Th>
          <Table.Th visibleFrom="md" ta="right">
            {t('Odometer')}
          </Table.Th>
          <Table.Th visibleFrom="md" ta="right">
            {t('Cost')}
          </Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('Actions')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map((record) => (
          <WorkRow key={record.id} record={record} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function WorkRow({ record }: { record: Maintenance }) {
  const { component, notes, condition_found: found, odometer_km: odometerKm, cost } = record
  return (
    <Table.Tr>
      <Table.Td className="breaking">
        <VehicleLink vehicleId={record.vehicleId} /> · {componentName(component)}
        <div className="work-state-narrow">
          <WorkState record={record} />
        </div>
        {notes !== null && (
          <Text size="xs" c="dimmed" className="breaking" lineClamp={2}>
            {notes}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <WorkState record={record} />
      </Table.Td>
      <Table.Td visibleFrom="md">{found === null ? '–' : findingLabels[found]}</Table.Td>
      <Table.Td visibleFrom="md" ta="right" className="numbers nowrap">
        {odometerKm === null ? '–' : distance(odometerKm)}
      </Table.Td>
      <Table.Td visibleFrom="md" ta="right" className="numbers nowrap">
        {cost === null ? '–' : money(cost.amount_minor, cost.currency)}
      </Table.Td>
      <Table.Td>
        <WorkActions record={record} />
      </Table.Td>
    </Table.Tr>
  )
}

export function VehicleLink({ vehicleId }: { vehicleId: string }) {
  return (
    <Link to="/vehicles/$vehicleId" params={{ vehicleId }} className="vehicle-link breaking">
      {useVehicleName(vehicleId)}
    </Link>
  )
}

const looks = {
  done: { color: 'green', Icon: CheckIcon },
  planned: { color: 'blue', Icon: ClockIcon },
  overdue: { color: 'red', Icon: WarningIcon },
} as const satisfies Record<string, StatusLook>

function WorkState({ record: { completedAt, dueAt } }: { record: Maintenance }) {
  const startOfToday = useStartOfToday()
  const at = completedAt ?? dueAt
  if (at === null) return <StatusBadge look={looks.planned}>{t('No day set')}</StatusBadge>
  const day = dayText(new Date(at))
  if (completedAt !== null) {
    return (
      <span title={absoluteTime(completedAt)}>
        <StatusBadge look={looks.done}>{t('Done {day}', { day })}</StatusBadge>
      </span>
    )
  }
  // Work of a day is late when the day is over.
  const isLate = new Date(at) < startOfToday
  return (
    <StatusBadge look={looks[isLate ? 'overdue' : 'planned']}>{isLate ? t('Was due {day}', { day }) : t('For {day}', { day })}</StatusBadge>
  )
}

function WorkActions({ record }: { record: Maintenance }) {
  const openDialog = useDialog()
  const mayChange = useMayChange()
  const name = useWorkTitle(record.vehicleId, record.component)
  if (!mayChange) return null
  const button = (label: string, dialog: (close: () => void) => ReactNode) => (
    <Button size="xs" variant="default" aria-label={`${label}: ${name}`} onClick={() => openDialog(dialog)}>
      {label}
    </Button>
  )
  return (
    <Group gap="xs" justify="flex-end">
      {record.status === 'planned' && button(t('Complete'), (close) => <CompleteWorkDialog subject={record} onClose={close} />)}
      {button(t('Change'), (close) => (
        <ChangeWorkDialog record={record} onClose={close} />
      ))}
      {button(t('Delete'), (close) => (
        <RemoveWorkDialog record={record} onClose={close} />
      ))}
    </Group>
  )
}

function Nothing({ filter: { status, vehicleId, component, to } }: { filter: WorkFilter }) {
  if (to !== undefined) return <Message title={t('No planned work is overdue')}>{t('Work is overdue when its day is over.')}</Message>
  if (vehicleId !== undefined || component !== undefined)
    return <Message title={t('No work matches')}>{t('Choose another vehicle or part.')}</Message>
  return status === 'planned' ? (
    <Message title={t('Nothing is planned')}>{t('Plan work, and it appears here and in the calendar.')}</Message>
  ) : (
    <Message title={t('No work is on record yet')}>
      {t('Complete what is planned, or put on record what was done: predictions are judged by it.')}
    </Message>
  )
}
