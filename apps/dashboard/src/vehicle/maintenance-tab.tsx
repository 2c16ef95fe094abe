import { Button, Group, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { CompleteWorkDialog } from '../maintenance/complete-work-dialog.tsx'
import { PlanWorkDialog } from '../maintenance/plan-work-dialog.tsx'
import { CreateScheduleDialog } from '../maintenance/schedule-dialog.tsx'
import { ScheduleList } from '../maintenance/schedule-list.tsx'
import { WorkList } from '../maintenance/work-list.tsx'
import { useMayChange } from '../session/use-session.ts'
import { Message } from '../shell/message.tsx'
import { t } from '../text/translate.ts'

/** Work on one vehicle, planned and done, and what falls due. */
export function MaintenanceTab({ vehicleId }: { vehicleId: string }) {
  const [chosen, setChosen] = useState<'plan' | 'done' | 'schedule'>()
  const mayChange = useMayChange()
  const close = () => setChosen(undefined)
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h5">
          {t('Work')}
        </Title>
        {mayChange && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setChosen('plan')}>
              {t('Plan work')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setChosen('done')}>
              {t('Work was done')}
            </Button>
          </Group>
        )}
      </Group>
      <WorkList
        filter={{ vehicleId }}
        empty={
          <Message title={t('No work on this vehicle yet')}>
            {t('Plan work, or put on record what was done: predictions are judged by it.')}
          </Message>
        }
      />
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h5">
          {t('Schedules')}
        </Title>
        {mayChange && (
          <Button size="xs" variant="default" onClick={() => setChosen('schedule')}>
            {t('Create a schedule')}
          </Button>
        )}
      </Group>
      <ScheduleList
        filter={{ vehicleId }}
        empty={
          <Message title={t('This vehicle has no schedule yet')}>
            {t('With a schedule, work falls due by distance, engine hours or days.')}
          </Message>
        }
      />
      {chosen === 'plan' && <PlanWorkDialog subject={{ vehicleId }} onClose={close} />}
      {chosen === 'done' && <CompleteWorkDialog subject={{ vehicleId }} onClose={close} />}
      {chosen === 'schedule' && <CreateScheduleDialog vehicleId={vehicleId} onCreated={() => undefined} onClose={close} />}
    </Stack>
  )
}
