import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import type { GatewayConnection } from '@roadworthy/contracts/sim-billing/gateway-connections'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gatewayConnectionsQuery } from '../api/connection-queries.ts'
import { Facts } from '../shell/facts.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { shortTime } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { ConnectionBadge } from './connection-badge.tsx'
import { CreateGateway } from './create-gateway.tsx'
import { GatewayActions } from './gateway-actions.tsx'
import { gatewayForms } from './gateway-fields.ts'
import { gatewayState } from './gateway-state.ts'

export function GatewaysPage() {
  const asked = useQuery(gatewayConnectionsQuery)
  const [isCreating, setIsCreating] = useState(false)
  return (
    <>
      <PageHeading title={t('Payment gateways')} count={asked.data?.total}>
        <Button size="sm" onClick={() => setIsCreating(true)}>
          {t('Connect a gateway')}
        </Button>
      </PageHeading>
      {asked.data === undefined ? <NotLoaded asked={asked} what={t('connections')} /> : <Gateways connections={asked.data.connections} />}
      {isCreating && <CreateGateway onClose={() => setIsCreating(false)} />}
    </>
  )
}

function Gateways({ connections }: { connections: readonly GatewayConnection[] }) {
  if (connections.length === 0) {
    return (
      <div className="panel">
        <Message title={t('No gateway is connected')}>
          {t(
            'With an account of yours at Stripe or Razorpay your sub-clients pay their invoices here. Card data never comes to this service.',
          )}
        </Message>
      </div>
    )
  }
  return connections.map((connection) => <Gateway key={connection.connection_id} connection={connection} />)
}

function Gateway({ connection }: { connection: GatewayConnection }) {
  const { name, gateway, mode, settings, callback_url: callbackUrl, created_at: createdAt } = connection
  const { last_event_at: eventAt, previous_webhook_secret_until: previousUntil } = connection
  const state = gatewayState(connection)
  return (
    <Panel title={name} actions={<GatewayActions connection={connection} />}>
      <Stack gap="sm">
        <Group gap="xs" align="flex-start">
          <ConnectionBadge kind={state.kind} label={state.label} />
          <Text size="sm" flex={1} miw={200}>
            {state.text}
          </Text>
        </Group>
        <Facts
          facts={[
            [t('Gateway'), gatewayForms[gateway].product],
            [t('Money'), mode === 'live' ? t('Live: real money moves') : t('Test: no money moves')],
            [t('Key id'), settings.key_id],
            [t('Address of the API'), settings.base_url],
            [t('Last message of the gateway'), <TimeAgo key="event" time={eventAt} />],
            [t('The webhook secret before works until'), previousUntil === null ? undefined : shortTime(previousUntil)],
            [t('Connected'), <TimeAgo key="created" time={createdAt} />],
          ]}
        />
        <CallbackUrl url={callbackUrl} />
      </Stack>
    </Panel>
  )
}

function CallbackUrl({ url }: { url: string }) {
  return (
    <div>
      <Text size="sm">
        {t('Enter this at the gateway as the address of its webhooks, with the events of checkouts, payments, refunds and disputes:')}
      </Text>
      <Group gap="xs" wrap="nowrap" mt={4}>
        <Code className="breaking">{url}</Code>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" flex="none" aria-label={t('Copy the address of the webhooks')} onClick={copy}>
              {copied ? t('Copied') : t('Copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  )
}
