import { Button, Group, Menu, Table, Text } from '@mantine/core'
import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { sentenceCase } from '@roadworthy/wording/sentence-case'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type ScheduleFilter, schedulesQuery } from '../api/maintenance-queries.ts'
import { componentName } from '../health/component-name.ts'
import { useMayChange } from '../session/use-session.ts'
import { useDialog } from '../shell/dialogs.tsx'
import { CheckIcon, ClockIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'
import { CompleteWorkDialog } from './complete-work-dialog.tsx'
import { PlanWorkDialog } from './plan-work-dialog.tsx'
import { ChangeScheduleDialog, RemoveScheduleDialog } from './schedule-dialog.tsx'
import { everyText, nextText } from './schedule-words.ts'
import { useVehicleName } from './work-fields.tsx'
import { VehicleLink } from './work-list.tsx'

type ScheduleListProps = {
  filter: ScheduleFilter
  /** In place of what fits the filter, where there is none. */
  empty?: ReactNode
}

export function ScheduleList({ filter, empty }: ScheduleListProps) {
  const asked = useInfiniteQuery(schedulesQuery(filter))
  return (
    <PagedPanel asked={asked} what={t('schedules')}>
      {(pages) => <ScheduleTable schedules={pages.flatMap(({ schedules }) => schedules)} empty={empty ?? <Nothing filter={filter} />} />}
    </PagedPanel>
  )
}

function ScheduleTable({ schedules, empty }: { schedules: readonly Schedule[]; empty: ReactNode }) {
  if (schedules.length === 0) return empty
  return (
    <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Schedules, oldest first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Schedule')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('State')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Next')}</Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('Actions')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {schedules.map((schedule) => (
          <Table.Tr key={schedule.id}>
            <Table.Td className="breaking">
              <VehicleLink vehicleId={schedule.vehicleId} /> · {schedule.title}
              <Text size="xs" c="dimmed">
                {componentName(schedule.component)}, {everyText(schedule.every)}
              </Text>
              <div className="work-state-narrow">
                <ScheduleState status={schedule.status} />
              </div>
              <Text size="xs" hiddenFrom="md">
                {sentenceCase(nextText(schedule))}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <ScheduleState status={schedule.status} />
            </Table.Td>
            <Table.Td visibleFrom="md">{sentenceCase(nextText(schedule))}</Table.Td>
            <Table.Td>
              <ScheduleActions schedule={schedule} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const looks: Readonly<Record<Schedule['status'], StatusLook & { label: string }>> = {
  ok: { color: 'green', Icon: CheckIcon, label: t('Not due yet') },
  due_soon: { color: 'orange', Icon: ClockIcon, label: t('Due soon') },
  overdue: { color: 'red', Icon: WarningIcon, label: t('Overdue') },
  unknown: { color: 'gray', Icon: UnknownIcon, label: t('Not known') },
}

function ScheduleState({ status }: { status: Schedule['status'] }) {
  return <StatusBadge look={looks[status]}>{looks[status].label}</StatusBadge>
}

function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const openDialog = useDialog()
  const mayChange = useMayChange()
  const name = t('{title} of {vehicle}', { title: schedule.title, vehicle: useVehicleName(schedule.vehicleId) })
  if (!mayChange) return null
  const button = (label: string, dialog: (close: () => void) => ReactNode) => (
    <Button size="xs" variant="default" aria-label={`${label}: ${name}`} onClick={() => openDialog(dialog)}>
      {label}
    </Button>
  )
  const { id: scheduleId, vehicleId, component, title } = schedule
  const subject = { scheduleId, vehicleId, component, notes: title }
  return (
    <Group gap="xs" justify="flex-end">
      {button(t('Plan'), (close) => (
        <PlanWorkDialog subject={subject} onClose={close} />
      ))}
      {button(t('Done'), (close) => (
        <CompleteWorkDialog subject={subject} onClose={close} />
      ))}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label={t('More: {name}', { name })}>
            …
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => openDialog((close) => <ChangeScheduleDialog schedule={schedule} onClose={close} />)}>
            {t('Change')}
          </Menu.Item>
          <Menu.Item c="red" onClick={() => openDialog((close) => <RemoveScheduleDialog schedule={schedule} onClose={close} />)}>
            {t('Delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

function Nothing({ filter: { status, vehicleId, component } }: { filter: ScheduleFilter }) {
  if (status === 'overdue') return <Message title={t('No schedule is overdue')}>{t('Schedules are reviewed every five minutes.')}</Message>
  if (status === 'due_soon')
    return <Message title={t('Nothing is due soon')}>{t('A schedule appears here shortly before it is due.')}</Message>
  if (vehicleId !== undefined || component !== undefined) {
    return <Message title={t('No schedule matches')}>{t('Choose another vehicle or part.')}</Message>
  }
  return (
    <Message title={t('There are no schedules yet')}>{t('With a schedule, work falls due by distance, engine hours or days.')}</Message>
  )
}
