import { Button, Group, Table, Text } from '@mantine/core'
import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ScheduleFilter, schedulesQuery } from '../api/maintenance-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { CheckIcon, ClockIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { sentenceCase } from '../text/format.ts'
import { CompleteWorkDialog } from './complete-work-dialog.tsx'
import { PlanWorkDialog } from './plan-work-dialog.tsx'
import { everyText, nextText } from './schedule-words.ts'
import { useVehicleName } from './work-fields.tsx'
import { VehicleLink } from './work-list.tsx'

export function ScheduleList({ filter }: { filter: ScheduleFilter }) {
  const asked = useInfiniteQuery(schedulesQuery(filter))
  return (
    <PagedPanel asked={asked} what="schedules">
      {(pages) => <ScheduleTable schedules={pages.flatMap(({ schedules }) => schedules)} filter={filter} />}
    </PagedPanel>
  )
}

function ScheduleTable({ schedules, filter }: { schedules: readonly Schedule[]; filter: ScheduleFilter }) {
  if (schedules.length === 0) return <Nothing filter={filter} />
  return (
    <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">Schedules, oldest first</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Schedule</Table.Th>
          <Table.Th visibleFrom="sm">State</Table.Th>
          <Table.Th visibleFrom="md">Next</Table.Th>
          <Table.Th>
            <span className="visually-hidden">Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {schedules.map((schedule) => (
          <Table.Tr key={schedule.id}>
            <Table.Td>
              <VehicleLink vehicleId={schedule.vehicleId} /> · {schedule.title}
              <Text size="xs" c="dimmed">
                {sentenceCase(schedule.component)}, {everyText(schedule.every)}
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
  ok: { color: 'green', Icon: CheckIcon, label: 'Not due yet' },
  due_soon: { color: 'orange', Icon: ClockIcon, label: 'Due soon' },
  overdue: { color: 'red', Icon: WarningIcon, label: 'Overdue' },
  unknown: { color: 'gray', Icon: UnknownIcon, label: 'Not known' },
}

function ScheduleState({ status }: { status: Schedule['status'] }) {
  return <StatusBadge look={looks[status]}>{looks[status].label}</StatusBadge>
}

type ScheduleAction = 'done' | 'plan'

function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const [chosen, setChosen] = useState<ScheduleAction>()
  const mayChange = useMayChange()
  const name = `${schedule.title} of ${useVehicleName(schedule.vehicleId)}`
  if (!mayChange) return null
  const close = () => setChosen(undefined)
  const button = (action: ScheduleAction, label: string) => (
    <Button size="xs" variant="default" aria-label={`${label}: ${name}`} onClick={() => setChosen(action)}>
      {label}
    </Button>
  )
  const { id: scheduleId, vehicleId, component, title } = schedule
  const subject = { scheduleId, vehicleId, component, notes: title }
  return (
    <Group gap="xs" justify="flex-end">
      {button('plan', 'Plan')}
      {button('done', 'Done')}
      {chosen === 'plan' && <PlanWorkDialog subject={subject} onClose={close} />}
      {chosen === 'done' && <CompleteWorkDialog subject={subject} onClose={close} />}
    </Group>
  )
}

function Nothing({ filter: { status, vehicleId, component } }: { filter: ScheduleFilter }) {
  if (status === 'overdue') return <Message title="No schedule is overdue">Schedules are reviewed every five minutes.</Message>
  if (status === 'due_soon') return <Message title="Nothing is due soon">A schedule appears here shortly before it is due.</Message>
  if (vehicleId !== undefined || component !== undefined) {
    return <Message title="No schedule matches">Choose another vehicle or part.</Message>
  }
  return <Message title="There are no schedules yet">With a schedule, work falls due by kilometres, engine hours or days.</Message>
}
