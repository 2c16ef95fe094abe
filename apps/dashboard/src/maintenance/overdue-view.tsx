import { Stack, Title } from '@mantine/core'
import { t } from '../text/translate.ts'
import { ScheduleList } from './schedule-list.tsx'
import { useStartOfToday } from './use-start-of-today.ts'
import { WorkList } from './work-list.tsx'

/** What is overdue by schedules, and planned work whose day is over. */
export function OverdueView({ filter }: { filter: { vehicleId: string | undefined; component: string | undefined } }) {
  const startOfToday = useStartOfToday()
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {t('By schedule')}
      </Title>
      <ScheduleList filter={{ ...filter, status: 'overdue' }} />
      <Title order={2} size="h5">
        {t('Planned work')}
      </Title>
      <WorkList filter={{ ...filter, status: 'planned', to: startOfToday }} />
    </Stack>
  )
}
