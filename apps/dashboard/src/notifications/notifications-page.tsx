import { Stack } from '@mantine/core'
import { PageHeading } from '../shell/page-heading.tsx'
import { t } from '../text/translate.ts'
import { ChannelPanel } from './channel-panel.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { RulePanel } from './rule-panel.tsx'

/** Who is sent a message about which incidents, where, and what became of each. */
export function NotificationsPage() {
  return (
    <Stack gap="md">
      <PageHeading title={t('Notification rules')} />
      <RulePanel />
      <ChannelPanel />
      <DeliveryLog />
    </Stack>
  )
}
