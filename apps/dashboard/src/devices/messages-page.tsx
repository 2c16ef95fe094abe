import { Alert, Button, Group, SegmentedControl, Text } from '@mantine/core'
import type { DeviceMessages } from '@roadworthy/contracts/platform-v1/device-messages'
import type { Device } from '@roadworthy/contracts/platform-v1/devices'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { deviceQuery, messagesQuery, useRecordMessages } from '../api/device-queries.ts'
import { useMayChange } from '../session/use-session.ts'
import { Facts } from '../shell/facts.tsx'
import { ClockIcon, InfoIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { clockTime } from '../text/format.ts'
import { t, tRich } from '../text/translate.ts'
import { isShown, type MessageSearch, readMessageSearch } from './message-search.ts'
import { MessageTable } from './message-table.tsx'
import { Verbatim } from './verbatim.tsx'

const RECORDED_MINUTES = 15

/** What a device sent a moment ago, and what was made of it. */
export function MessagesPage() {
  const { deviceId } = useParams({ from: '/devices/$deviceId/messages' })
  const device = useQuery(deviceQuery(deviceId))
  const messages = useQuery(messagesQuery(deviceId))
  if (device.data === undefined) return <NotLoaded asked={device} what={t('device')} isPage />
  const { id, name, imei } = device.data
  const label = name ?? imei ?? id
  return (
    <div className="page">
      <Link to="/devices/$deviceId" params={{ deviceId }}>
        {t('Back to the device')}
      </Link>
      <PageHeading title={t('Messages of {device}', { device: label })} />
      {messages.data === undefined ? (
        <NotLoaded asked={messages} what={t('messages')} />
      ) : (
        <>
          <RecordingBar device={device.data} recordingUntil={messages.data.recordingUntil} />
          <MessagesPanel messages={messages.data} />
          <TopicsPanel device={device.data} errorsTopic={messages.data.errorsTopic} />
        </>
      )}
    </div>
  )
}

function RecordingBar({ device, recordingUntil }: { device: Device; recordingUntil: string | null }) {
  const mayChange = useMayChange() && device.status !== 'decommissioned'
  const record = useRecordMessages(device.id)
  const isRecording = recordingUntil !== null
  return (
    <>
      <Alert
        color={isRecording ? 'blue' : 'gray'}
        icon={isRecording ? <ClockIcon /> : <InfoIcon />}
        title={isRecording ? t('Recorded until {time}', { time: clockTime(recordingUntil) }) : t('Messages are not recorded')}
        role="status"
      >
        {isRecording
          ? t('Every message is shown as it was sent, a second or two after it came. Recording ends by itself.')
          : t(
              'Refused messages are always here, for 7 days. Of one that was stored you see what it was understood as; to see it as it was sent, record messages.',
            )}
      </Alert>
      {mayChange && (
        <Group gap="xs">
          <Button
            size="sm"
            variant={isRecording ? 'default' : 'filled'}
            loading={record.isPending}
            onClick={() => record.mutate(RECORDED_MINUTES)}
          >
            {isRecording
              ? t('Record for {minutes} minutes from now', { minutes: RECORDED_MINUTES })
              : t('Record for {minutes} minutes', { minutes: RECORDED_MINUTES })}
          </Button>
          {isRecording && (
            <Button size="sm" variant="default" disabled={record.isPending} onClick={() => record.mutate(undefined)}>
              {t('Stop recording')}
            </Button>
          )}
        </Group>
      )}
      <Refusal error={record.error} />
    </>
  )
}

function MessagesPanel({ messages: { messages, recordingUntil } }: { messages: DeviceMessages }) {
  const search = useSearch({ from: '/devices/$deviceId/messages' })
  const navigate = useNavigate({ from: '/devices/$deviceId/messages' })
  const shown = messages.filter((message) => isShown(message, search))
  const countOf = (each: MessageSearch) => messages.filter((message) => isShown(message, each)).length
  return (
    <Panel
      title={t('Last messages, newest first')}
      actions={
        <SegmentedControl
          aria-label={t('Which messages')}
          size="xs"
          value={search.show ?? 'all'}
          data={[
            { value: 'all', label: t('All ({count})', { count: messages.length }) },
            { value: 'refused', label: t('Refused ({count})', { count: countOf({ show: 'refused' }) }) },
            { value: 'unclear', label: t('With warnings ({count})', { count: countOf({ show: 'unclear' }) }) },
          ]}
          onChange={(show) => void navigate({ search: readMessageSearch({ show }), replace: true })}
        />
      }
    >
      {shown.length > 0 ? (
        <MessageTable messages={shown} />
      ) : messages.length > 0 ? (
        <Message title={t('None of the last messages is like that')}>{t('Choose “All” to see the others.')}</Message>
      ) : (
        <Message title={t('No message of this device has come yet')}>
          {recordingUntil === null
            ? t('One that names no known device is not here: its sender has the reason in the answer.')
            : t('Have it send one: it appears here by itself.')}
        </Message>
      )}
    </Panel>
  )
}

function TopicsPanel({ device, errorsTopic }: { device: Device; errorsTopic: string }) {
  return (
    <Panel title={t('Over MQTT')}>
      <Facts
        facts={[
          [t('It publishes to'), <Verbatim key="topic" text={device.mqttTopic} />],
          [t('It is sent errors on'), <Verbatim key="errors" text={errorsTopic} />],
        ]}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {tRich(
          'A device that subscribes to the second topic is sent the reason for every refusal, and warnings once an hour. To see them, subscribe with <code>mosquitto_sub</code> and its credentials.',
          { code: (inner) => <code>{inner}</code> },
        )}
      </Text>
    </Panel>
  )
}
