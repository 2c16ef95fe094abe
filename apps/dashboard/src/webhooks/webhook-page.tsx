import { Alert, Stack, Text } from '@mantine/core'
import type { Webhook } from '@roadworthy/contracts/platform-v1/webhooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { webhookQuery, webhookStatisticsQuery } from '../api/webhook-queries.ts'
import { Facts } from '../shell/facts.tsx'
import { WarningIcon } from '../shell/icons.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { SubClientName } from '../sub-clients/sub-client-name.tsx'
import { wholeNumber } from '../text/format.ts'
import { ShortTime } from '../text/short-time.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { eventWords } from './event-words.ts'
import { VerificationPanel } from './verification-panel.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookStateBadge } from './webhook-state.tsx'
import { SuccessShare, stateReason } from './webhooks-page.tsx'

export function WebhookPage() {
  const { webhookId } = useParams({ from: '/settings/webhooks/$webhookId' })
  const asked = useQuery(webhookQuery(webhookId))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('webhook')} isPage />
  const webhook = asked.data
  return (
    <Stack gap="md">
      <Link to="/settings/webhooks">{t('All webhooks')}</Link>
      <PageHeading title={new URL(webhook.url).host}>
        <WebhookStateBadge webhook={webhook} size="md" />
      </PageHeading>
      <StateNotice webhook={webhook} />
      <WebhookActions webhook={webhook} />
      <div className="side-by-side">
        <Overview webhook={webhook} />
        <EventPanel webhook={webhook} />
      </div>
      <DeliveryLog webhookId={webhook.id} />
      <VerificationPanel />
    </Stack>
  )
}

function StateNotice({ webhook }: { webhook: Webhook }) {
  const reason = stateReason(webhook)
  if (webhook.status === 'paused') {
    return (
      <Alert color="gray" icon={<WarningIcon />}>
        {t('Paused by a person. Events are kept for 30 days and sent when it is resumed.')}
      </Alert>
    )
  }
  if (reason === '') return null
  return (
    <Alert color={webhook.status === 'disabled' ? 'red' : 'orange'} icon={<WarningIcon />}>
      {reason} {webhook.status === 'disabled' && t('Resume it when the receiver works again, then recover what happened meanwhile.')}
    </Alert>
  )
}

function Overview({ webhook }: { webhook: Webhook }) {
  const { id, url, description, subClientId, headerNames, lastSuccessAt, previousSecretExpiresAt, createdAt } = webhook
  const waiting = useQuery(webhookStatisticsQuery(id)).data?.waiting
  return (
    <Panel title={t('Endpoint')}>
      <Facts
        facts={[
          [t('URL'), url],
          [t('Description'), description === '' ? undefined : description],
          [t('Only of the sub-client'), subClientId === null ? undefined : <SubClientName key="sub-client" subClientId={subClientId} />],
          [t('Headers to send along'), headerNames.length === 0 ? undefined : headerNames.join(', ')],
          [t('Last delivery'), <TimeAgo key="last" time={lastSuccessAt} />],
          [t('Delivered in the last day'), <SuccessShare key="share" id={id} />],
          [t('Waiting'), waiting === undefined || waiting === 0 ? undefined : wholeNumber(waiting)],
          [
            t('The old secret signs until'),
            previousSecretExpiresAt === null || Date.parse(previousSecretExpiresAt) < Date.now() ? undefined : (
              <ShortTime key="old" time={previousSecretExpiresAt} />
            ),
          ],
          [t('Made'), <ShortTime key="made" time={createdAt} />],
        ]}
      />
    </Panel>
  )
}

function EventPanel({ webhook: { eventTypes } }: { webhook: Webhook }) {
  return (
    <Panel title={t('Events that are sent to it')}>
      {eventTypes === null ? (
        <Text size="sm">{t('All events, also those that are added one day')}</Text>
      ) : (
        <ul className="plain-list">
          {eventTypes.map((type) => (
            <li key={type}>
              {eventWords[type]}{' '}
              <Text span size="xs" c="dimmed" className="code">
                {type}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
