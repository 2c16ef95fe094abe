import { Button, Group, Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayChange } from '../session/use-session.ts'
import { PageHeading } from '../shell/page-heading.tsx'
import { t } from '../text/translate.ts'
import { AccuracyView } from './accuracy-view.tsx'
import { CalendarSubscription } from './calendar-subscription.tsx'
import { CalendarView } from './calendar-view.tsx'
import { CompleteWorkDialog } from './complete-work-dialog.tsx'
import { LivesView } from './lives-view.tsx'
import { type MaintenanceSearch, type MaintenanceView, maintenanceViews, readMaintenanceSearch } from './maintenance-search.ts'
import { OverdueView } from './overdue-view.tsx'
import { PlanWorkDialog } from './plan-work-dialog.tsx'
import { CreateScheduleDialog } from './schedule-dialog.tsx'
import { ScheduleList } from './schedule-list.tsx'
import { ComponentFilter, VehicleField } from './work-fields.tsx'
import { WorkList } from './work-list.tsx'

const labels: Readonly<Record<MaintenanceView, string>> = {
  overdue: t('Overdue'),
  due: t('Due soon'),
  planned: t('Planned'),
  done: t('Done'),
  calendar: t('Calendar'),
  schedules: t('Schedules'),
  lives: t('Lives of parts'),
  accuracy: t('Were predictions right?'),
}

type Show = (changes: Record<string, unknown>) => void

export function MaintenancePage() {
  const search = useSearch({ from: '/maintenance' })
  const navigate = useNavigate({ from: '/maintenance' })
  const { view = 'overdue' } = search
  const show: Show = (changes) => void navigate({ search: readMaintenanceSearch({ ...search, ...changes }), replace: true })
  return (
    <div className="page">
      <PageHeading title={t('Maintenance')}>
        <Actions search={search} show={show} />
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
        <Tabs.Panel value={view} pt="sm">
          <View search={search} show={show} />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

function View({ search, show }: { search: MaintenanceSearch; show: Show }) {
  const { view = 'overdue', vehicleId, component, month, day } = search
  const filter = { vehicleId, component }
  switch (view) {
    case 'overdue':
      return <OverdueView filter={filter} />
    case 'due':
      return <ScheduleList filter={{ ...filter, status: 'due_soon' }} />
    case 'planned':
      return <WorkList filter={{ ...filter, status: 'planned' }} />
    case 'done':
      return <WorkList filter={{ ...filter, status: 'completed' }} />
    case 'calendar':
      return <CalendarView month={month} day={day} filter={filter} show={show} />
    case 'schedules':
      return <ScheduleList filter={filter} />
    case 'lives':
      return <LivesView component={component} />
    case 'accuracy':
      return <AccuracyView component={component} />
  }
}

type DialogName = 'plan' | 'done' | 'schedule' | 'subscribe'

function Actions({ search: { view, vehicleId }, show }: { search: MaintenanceSearch; show: Show }) {
  const [opened, setOpened] = useState<DialogName>()
  const mayChange = useMayChange()
  if (!mayChange) return null
  const subject = vehicleId === undefined ? {} : { vehicleId }
  const close = () => setOpened(undefined)
  // The list is oldest first, so that what was created now is on its last page: of its vehicle alone it is seen.
  const showCreated = (vehicleIds: readonly string[]) => show({ view: 'schedules', vehicleId: vehicleIds.at(-1), component: undefined })
  return (
    <Group gap="xs">
      {view === 'calendar' && (
        <Button size="sm" variant="default" onClick={() => setOpened('subscribe')}>
          {t('Subscribe')}
        </Button>
      )}
      {view === 'schedules' && (
        <Button size="sm" variant="default" onClick={() => setOpened('schedule')}>
          {t('Create a schedule')}
        </Button>
      )}
      <Button size="sm" variant="default" onClick={() => setOpened('done')}>
        {t('Work was done')}
      </Button>
      <Button size="sm" onClick={() => setOpened('plan')}>
        {t('Plan work')}
      </Button>
      {opened === 'plan' && <PlanWorkDialog subject={subject} onClose={close} />}
      {opened === 'done' && <CompleteWorkDialog subject={subject} onClose={close} />}
      {opened === 'schedule' && <CreateScheduleDialog vehicleId={vehicleId} onCreated={showCreated} onClose={close} />}
      {opened === 'subscribe' && <CalendarSubscription vehicleId={vehicleId} onClose={close} />}
    </Group>
  )
}

function Filters({ search, show }: { search: MaintenanceSearch; show: Show }) {
  const isOfFleet = search.view === 'accuracy' || search.view === 'lives'
  return (
    <Group gap="sm" align="flex-end">
      {!isOfFleet && <VehicleField isFilter value={search.vehicleId ?? null} onChange={(vehicleId) => show({ vehicleId })} />}
      <ComponentFilter value={search.component ?? ''} onChange={(component) => show({ component })} />
    </Group>
  )
}
