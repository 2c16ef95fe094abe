import { Button, Group, Stack, Text } from '@mantine/core'
import type { NotificationChannel } from '@roadworthy/contracts/platform-v1/notification-channels'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelsQuery, useRemoveChannel, useTestChannel } from '../api/notification-queries.ts'
import { Confirmation } from '../shell/confirmation.tsx'
import { useDialog } from '../shell/dialogs.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { languageNames } from '../text/language-select.tsx'
import { t } from '../text/translate.ts'
import { ChannelForm } from './channel-form.tsx'
import { isWorded, kindNames } from './channel-kinds.ts'
import { TestAnswer } from './test-answer.tsx'

export function ChannelPanel() {
  const asked = useQuery(channelsQuery)
  const [isConnecting, setIsConnecting] = useState(false)
  const channels = asked.data?.notificationChannels
  const connect = (
    <Button size="sm" variant="default" onClick={() => setIsConnecting(true)}>
      {t('Connect a channel')}
    </Button>
  )
  return (
    <Panel title={t('Channels')} actions={channels === undefined || channels.length === 0 ? undefined : connect}>
      {channels === undefined ? (
        <NotLoaded asked={asked} what={t('channels')} />
      ) : channels.length === 0 ? (
        <Stack align="center" gap={0} pb="md">
          <Message title={t('No channel is connected')}>
            {t('Slack, Microsoft Teams, Telegram, ntfy or a program of yours. People get e-mail without one.')}
          </Message>
          {connect}
        </Stack>
      ) : (
        <ul className="plain-list" aria-label={t('Channels')}>
          {channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} />
          ))}
        </ul>
      )}
      {isConnecting && <ChannelForm onClose={() => setIsConnecting(false)} />}
    </Panel>
  )
}

function ChannelRow({ channel }: { channel: NotificationChannel }) {
  const { id, name, kind, target, language, subClientId } = channel
  const openDialog = useDialog()
  const edit = () => openDialog((close) => <ChannelForm channel={channel} onClose={close} />)
  const remove = () => openDialog((close) => <RemoveChannel channel={channel} onClose={close} />)
  const test = useTestChannel(id)
  return (
    <li>
      <Stack gap={4}>
        <Text fw={650}>{name}</Text>
        <Text size="sm" c="dimmed" className="breaking">
          {kindNames[kind]} · {target}
          {isWorded(kind) && ` · ${languageNames[language]}`}
          {subClientId !== null && ` · ${t('of {subClient}', { subClient: subClientId })}`}
        </Text>
        <Group gap={6}>
          <Button
            size="xs"
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate()}
            aria-label={t('Send test: {name}', { name })}
          >
            {t('Send test')}
          </Button>
          <Button size="xs" variant="default" onClick={edit} aria-label={t('Edit: {name}', { name })}>
            {t('Edit')}
          </Button>
          <Button size="xs" variant="default" onClick={remove} aria-label={t('Delete: {name}', { name })}>
            {t('Delete')}
          </Button>
        </Group>
        <Refusal error={test.error} />
        {test.data !== undefined && <TestAnswer status={test.data.status} error={test.data.error} />}
      </Stack>
    </li>
  )
}

function RemoveChannel({ channel: { id, name }, onClose }: { channel: NotificationChannel; onClose: () => void }) {
  const remove = useRemoveChannel(id)
  return (
    <Confirmation
      title={t('Delete the channel {name}', { name })}
      text={t('Its address and tokens are forgotten. A channel that a rule sends to cannot be deleted; take it out of the rule first.')}
      label={t('Delete')}
      color="red"
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
