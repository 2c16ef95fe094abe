import { Button, Table, Text } from '@mantine/core'
import type { Webhook } from '@roadworthy/contracts/platform-v1/webhooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { webhookStatisticsQuery, webhooksQuery } from '../api/webhook-queries.ts'
import { Message } from '../shell/message.tsx'
import { Missing } from '../shell/missing.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { useSubClientNames } from '../sub-clients/sub-client-name.tsx'
import { percent } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { CreateWebhook } from './create-webhook.tsx'
import { chosenEventsText } from './event-words.ts'
import { WebhookStateBadge } from './webhook-state.tsx'

export function WebhooksPage() {
  const asked = useInfiniteQuery(webhooksQuery)
  const [isCreating, setIsCreating] = useState(false)
  return (
    <>
      <PageHeading title={t('Webhooks')} count={asked.data?.pages[0]?.total}>
        <Button size="sm" onClick={() => setIsCreating(true)}>
          {t('New endpoint')}
        </Button>
      </PageHeading>
      <Text size="sm" c="dimmed">
        {t(
          'Your programs are notified of events within about a second: the service calls an address of yours, signs each call, and tries again when it fails.',
        )}
      </Text>
      <PagedPanel asked={asked} what={t('webhooks')}>
        {(pages) => <WebhookTable webhooks={pages.flatMap(({ webhooks }) => webhooks)} />}
      </PagedPanel>
      {isCreating && <CreateWebhook onClose={() => setIsCreating(false)} />}
    </>
  )
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  if (webhooks.length === 0) {
    return <Message title={t('There is no endpoint yet')}>{t('Make one with “New endpoint”, and send it a test event.')}</Message>
  }
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Endpoints, oldest first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Endpoint')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Events')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Last delivery')}</Table.Th>
          <Table.Th>{t('Last day')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, description, eventTypes, subClientId, lastSuccessAt } = webhook
  const nameOf = useSubClientNames()
  return (
    <Table.Tr className="top">
      <Table.Td className="breaking">
        <Link to="/settings/webhooks/$webhookId" params={{ webhookId: id }} className="code">
          {url}
        </Link>
        {description !== '' && <Text size="sm">{description}</Text>}
        <WebhookStateBadge webhook={webhook} />
        <Text size="xs">{stateReason(webhook)}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" className="breaking">
        {chosenEventsText(eventTypes)}
        {subClientId !== null && (
          <Text size="xs" c="dimmed">
            {t('only of {subClientId}', { subClientId: nameOf(subClientId) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="nowrap">
        <TimeAgo time={lastSuccessAt} />
      </Table.Td>
      <Table.Td className="nowrap">
        <SuccessShare id={id} />
      </Table.Td>
    </Table.Tr>
  )
}

/** Why it is switched off, or that it soon will be. */
export function stateReason({ status, disabledReason, failingSince, failureCount }: Webhook): string {
  if (disabledReason === 'gone') return t('Switched off because it answered 410 (gone).')
  if (status === 'disabled') return t('Switched off because it failed for five days.')
  if (failingSince === null) return ''
  return t(
    '{count, plural, one {# attempt has} other {# attempts have}} failed since the last success. After five days it is switched off.',
    {
      count: failureCount,
    },
  )
}

/** Of the deliveries that were attempted. */
export function SuccessShare({ id }: { id: string }) {
  const counted = useQuery(webhookStatisticsQuery(id)).data
  if (counted === undefined) return null
  const { delivered, failing } = counted
  const attempted = delivered + failing
  if (attempted === 0) return <Missing />
  // A failure must not be rounded away.
  const share = failing > 0 ? Math.min(0.99, delivered / attempted) : 1
  return (
    <>
      {percent(share)}
      <Text size="xs" c="dimmed">
        {t('{delivered} of {attempted}', { delivered, attempted })}
      </Text>
    </>
  )
}
