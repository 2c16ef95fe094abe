import { Alert, Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceQuery } from '../api/device-queries.ts'
import { CheckIcon, ClockIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t, tRich } from '../text/translate.ts'
import { AskBeforeLeaving } from './ask-before-leaving.tsx'
import { brokerParts, type Credentials, connectionUrl, curlLine, firmwareLines, mosquittoLine } from './connection-lines.ts'
import { Copy, CredentialValues, QrCode } from './credential-values.tsx'

type CredentialsPanelProps = { credentials: Credentials; label: string; onStored: () => void }

/** The password is in the answer to the request and nowhere else: this is the one time that it is shown. */
export function CredentialsPanel({ credentials, label, onStored }: CredentialsPanelProps) {
  const [isStored, setStored] = useState(false)
  const { host, port } = brokerParts(credentials.mqttBroker)
  const values = [
    [t('Host'), host],
    [t('Port'), port],
    [t('Client id'), credentials.id],
    [t('Username'), credentials.mqttUsername],
    [t('Password'), credentials.mqttPassword],
    [t('Topic'), credentials.mqttTopic],
  ] as const
  return (
    <Panel title={t('Credentials')}>
      <Stack gap="md">
        <Alert color="orange" title={t('The password is shown this once')}>
          {t('Store it, or put it into the device now. If it is lost, rotate the credentials on the device’s page.')}
        </Alert>
        <CredentialValues values={values}>
          <QrCode
            value={connectionUrl(credentials)}
            title={t('QR code with host, username, password and topic')}
            caption={t('All of it as one address')}
          />
        </CredentialValues>
        <Lines title={t('Try it with mosquitto_pub')} what={t('mosquitto_pub line')} text={mosquittoLine(credentials)} />
        <Lines
          title={t('Or over HTTP, with an API key in KEY that may send telemetry')}
          what={t('curl line')}
          text={curlLine(credentials, location.origin)}
        />
        <Lines title={t('For firmware')} what={t('firmware lines')} text={firmwareLines(credentials)} />
        <Group justify="space-between" gap="sm">
          <Checkbox label={t('I stored the password')} checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />
          <Button disabled={!isStored} onClick={onStored}>
            {label}
          </Button>
        </Group>
      </Stack>
      <AskBeforeLeaving isStored={isStored} />
    </Panel>
  )
}

function Lines({ title, what, text }: { title: string; what: string; text: string }) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Copy what={what} value={text} />
      </Group>
      <Code block className="lines">
        {text}
      </Code>
    </section>
  )
}

/** Waits for the first message of a device that was registered a moment ago. */
export function FirstMessage({ deviceId, isPhone = false }: { deviceId: string; isPhone?: boolean }) {
  const device = useQuery(deviceQuery(deviceId)).data
  const lastSeenAt = device?.lastSeenAt ?? null
  const isHere = lastSeenAt !== null
  return (
    <div role="status" className="first-message">
      <Alert
        color={isHere ? 'green' : 'gray'}
        icon={isHere ? <CheckIcon /> : <ClockIcon />}
        title={isHere ? t('The first message has arrived') : t('Waiting for the first message…')}
      >
        {isHere
          ? tRich('Received {time}. The device is set up.', { time: <TimeAgo time={lastSeenAt} /> })
          : device?.online === true
            ? t('It is connected to the broker, and has not published yet.')
            : isPhone
              ? t('Scan the code, and switch tracking on in the app. This page sees it by itself.')
              : t('Power the device, or send a message with its credentials. This page sees it by itself.')}
      </Alert>
    </div>
  )
}
