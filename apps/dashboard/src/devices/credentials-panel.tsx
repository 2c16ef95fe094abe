import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { QRCodeSVG } from 'qrcode.react'
import { useState } from 'react'
import { deviceQuery } from '../api/device-queries.ts'
import { CheckIcon, ClockIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t, tRich } from '../text/translate.ts'
import { brokerParts, type Credentials, connectionUrl, curlLine, firmwareLines, mosquittoLine } from './connection-lines.ts'

const QR_SIZE_PX = 200

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
        <div className="credentials">
          <dl className="credential-values">
            {values.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Code>{value}</Code>
                  <Copy what={name} value={value} />
                </dd>
              </div>
            ))}
          </dl>
          <figure className="qr-code">
            <QRCodeSVG
              value={connectionUrl(credentials)}
              size={QR_SIZE_PX}
              marginSize={2}
              title={t('QR code with host, username, password and topic')}
            />
            <Text component="figcaption" size="xs" c="dimmed">
              {t('All of it as one address')}
            </Text>
          </figure>
        </div>
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
    </Panel>
  )
}

function Copy({ what, value }: { what: string; value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="compact-sm"
          flex="none"
          onClick={copy}
          aria-label={copied ? t('Copied: {what}', { what }) : t('Copy: {what}', { what })}
        >
          {copied ? t('Copied') : t('Copy')}
        </Button>
      )}
    </CopyButton>
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
export function FirstMessage({ deviceId }: { deviceId: string }) {
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
            : t('Power the device, or send a message with its credentials. This page sees it by itself.')}
      </Alert>
    </div>
  )
}
