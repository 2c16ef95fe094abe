import { Button, Group, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { CompleteWorkDialog } from '../maintenance/complete-work-dialog.tsx'
import { PlanWorkDialog } from '../maintenance/plan-work-dialog.tsx'
import { ScheduleList } from '../maintenance/schedule-list.tsx'
import { WorkList } from '../maintenance/work-list.tsx'
import { useMayChange } from '../session/use-session.ts'
import { t } from '../text/translate.ts'

/** Work on one vehicle, planned and done, and what falls due. */
export function MaintenanceTab({ vehicleId }: { vehicleId: string }) {
  const [chosen, setChosen] = useState<'plan' | 'done'>()
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
      <WorkList filter={{ vehicleId }} />
      <Title order={2} size="h5">
        {t('Schedules')}
      </Title>
      <ScheduleList filter={{ vehicleId }} />
      {chosen === 'plan' && <PlanWorkDialog subject={{ vehicleId }} onClose={close} />}
      {chosen === 'done' && <CompleteWorkDialog subject={{ vehicleId }} onClose={close} />}
    </Stack>
  )
}
