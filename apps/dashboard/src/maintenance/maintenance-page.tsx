import { Button, Group, Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayChange } from '../session/use-session.ts'
import { PageHeading } from '../shell/page-heading.tsx'
import { AccuracyView } from './accuracy-view.tsx'
import { CompleteWorkDialog } from './complete-work-dialog.tsx'
import { type MaintenanceSearch, type MaintenanceView, maintenanceViews, readMaintenanceSearch } from './maintenance-search.ts'
import { OverdueView } from './overdue-view.tsx'
import { PlanWorkDialog } from './plan-work-dialog.tsx'
import { ScheduleList } from './schedule-list.tsx'
import { ComponentFilter, VehicleField } from './work-fields.tsx'
import { WorkList } from './work-list.tsx'

const labels: Readonly<Record<MaintenanceView, string>> = {
  overdue: 'Overdue',
  due: 'Due soon',
  planned: 'Planned',
  done: 'Done',
  schedules: 'Schedules',
  accuracy: 'Were predictions right?',
}

export function MaintenancePage() {
  const search = useSearch({ from: '/maintenance' })
  const navigate = useNavigate({ from: '/maintenance' })
  const { view = 'overdue', vehicleId, component } = search
  const show = (changes: Record<string, unknown>) =>
    void navigate({ search: readMaintenanceSearch({ ...search, ...changes }), replace: true })
  const filter = { vehicleId, component }
  return (
    <div className="page">
      <PageHeading title="Maintenance">
        <Actions vehicleId={vehicleId} />
      </PageHeading>
      <Filters search={search} show={show} />
      <Tabs value={view} onChange={(chosen) => show({ view: chosen })} keepMounted={false}>
        <Tabs.List>
          {maintenanceViews.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overdue" pt="sm">
          <OverdueView filter={filter} />
        </Tabs.Panel>
        <Tabs.Panel value="due" pt="sm">
          <ScheduleList filter={{ ...filter, status: 'due_soon' }} />
        </Tabs.Panel>
        <Tabs.Panel value="schedules" pt="sm">
          <ScheduleList filter={filter} />
        </Tabs.Panel>
        <Tabs.Panel value="accuracy" pt="sm">
          <AccuracyView component={component} />
        </Tabs.Panel>
        <Tabs.Panel value="planned" pt="sm">
          <WorkList filter={{ ...filter, status: 'planned' }} />
        </Tabs.Panel>
        <Tabs.Panel value="done" pt="sm">
          <WorkList filter={{ ...filter, status: 'completed' }} />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

function Actions({ vehicleId }: { vehicleId: string | undefined }) {
  const [opened, setOpened] = useState<'plan' | 'done'>()
  const mayChange = useMayChange()
  if (!mayChange) return null
  const subject = vehicleId === undefined ? {} : { vehicleId }
  const close = () => setOpened(undefined)
  return (
    <Group gap="xs">
      <Button size="sm" variant="default" onClick={() => setOpened('done')}>
        Work was done
      </Button>
      <Button size="sm" onClick={() => setOpened('plan')}>
        Plan work
      </Button>
      {opened === 'plan' && <PlanWorkDialog subject={subject} onClose={close} />}
      {opened === 'done' && <CompleteWorkDialog subject={subject} onClose={close} />}
    </Group>
  )
}

function Filters({ search, show }: { search: MaintenanceSearch; show: (changes: Record<string, unknown>) => void }) {
  return (
    <Group gap="sm" align="flex-end">
      {/* Accuracy is of a part in the whole fleet. */}
      {search.view !== 'accuracy' && (
        <VehicleField isFilter value={search.vehicleId ?? null} onChange={(vehicleId) => show({ vehicleId })} />
      )}
      <ComponentFilter value={search.component ?? ''} onChange={(component) => show({ component })} />
    </Group>
  )
}
