import { Alert, Button, Checkbox, Code, Group, Stack, Table, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Facts } from '../shell/facts.tsx'
import { CheckIcon, InfoIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { saveCsv } from '../shell/save-file.ts'
import { StatusBadge } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'
import { AskBeforeLeaving } from './ask-before-leaving.tsx'
import { brokerParts } from './connection-lines.ts'
import { credentialsCsv, type RegisteredRow } from './import-rows.ts'

/** The passwords are in the answer to the call and nowhere else: this is the one time that they are shown. */
export function ImportedPanel({ rows, rowCount }: { rows: readonly RegisteredRow[]; rowCount: number }) {
  const navigate = useNavigate()
  const [isStored, setStored] = useState(rows.length === 0)
  const leftOut = rowCount - rows.length
  return (
    <Panel
      title={t('{count, plural, one {# device is registered} other {# devices are registered}}', { count: rows.length })}
      actions={<Download rows={rows} />}
    >
      <Stack gap="md">
        <Alert color="orange" role="status" title={t('The passwords are shown this once')}>
          {t('Download them now. If one is lost, rotate the credentials on the device’s page.')}{' '}
          {leftOut > 0 && t('{count, plural, one {# row was left out.} other {# rows were left out.}}', { count: leftOut })}
        </Alert>
        <Broker rows={rows} />
        <div className="many-credentials">
          <Table verticalSpacing={6} horizontalSpacing="sm" stickyHeader>
            <Table.Caption className="visually-hidden">{t('Credentials of the devices')}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Device')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('Username')}</Table.Th>
                <Table.Th>{t('Password')}</Table.Th>
                <Table.Th visibleFrom="md">{t('State')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <RegisteredLine key={row.registered.id} row={row} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
        <Group justify="space-between" gap="sm">
          <Checkbox label={t('I stored the passwords')} checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />
          <Button disabled={!isStored} onClick={() => void navigate({ to: '/devices' })}>
            {t('See the devices')}
          </Button>
        </Group>
      </Stack>
      <AskBeforeLeaving
        isStored={isStored}
        title={t('Leave without the passwords?')}
        text={t('They are not shown again. A device whose password is lost needs new credentials.')}
      />
    </Panel>
  )
}

function Download({ rows }: { rows: readonly RegisteredRow[] }) {
  return <Button onClick={() => saveCsv('devices-credentials.csv', credentialsCsv(rows))}>{t('Download the credentials')}</Button>
}

/** The same for all of them. */
function Broker({ rows: [first] }: { rows: readonly RegisteredRow[] }) {
  if (first === undefined) return null
  const { host, port } = brokerParts(first.registered.mqttBroker)
  return (
    <Facts
      facts={[
        [t('Host'), host],
        [t('Port'), port],
      ]}
    />
  )
}

function RegisteredLine({ row: { row, status, registered } }: { row: RegisteredRow }) {
  const { id, mqttUsername, mqttPassword } = registered
  const isRepeated = status === 'repeated'
  return (
    <Table.Tr className="top">
      <Table.Td className="breaking">
        <Link to="/devices/$deviceId" params={{ deviceId: id }} target="_blank">
          {row.device.name ?? row.device.imei ?? id}
        </Link>
        {typeof row.device.name === 'string' && (
          <Text size="xs" c="dimmed" className="numbers">
            {row.device.imei ?? id}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="breaking">
        <Code>{mqttUsername}</Code>
      </Table.Td>
      <Table.Td className="breaking">
        <Code>{mqttPassword}</Code>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <StatusBadge look={isRepeated ? { color: 'blue', Icon: InfoIcon } : { color: 'green', Icon: CheckIcon }} size="sm">
          {isRepeated ? t('Registered before, same password') : t('Registered')}
        </StatusBadge>
      </Table.Td>
    </Table.Tr>
  )
}
