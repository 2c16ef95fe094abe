import { Button, CopyButton, Group, List, Stack, Table, Text, Title } from '@mantine/core'
import type { DeviceMessage, UnderstoodValue } from '@roadworthy/contracts/platform-v1/device-messages'
import { Fragment, useState } from 'react'
import { Facts } from '../shell/facts.tsx'
import { CheckIcon, CrossIcon, InfoIcon, WarningIcon } from '../shell/icons.tsx'
import { Missing } from '../shell/missing.tsx'
import { Source } from '../shell/source.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { absoluteTime, clockTime, wholeNumber } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { labelOfKey, summaryOf, valueText } from './message-words.ts'
import { Verbatim } from './verbatim.tsx'

const looks: Readonly<Record<DeviceMessage['status'], StatusLook>> = {
  stored: { color: 'green', Icon: CheckIcon },
  duplicate: { color: 'gray', Icon: InfoIcon },
  refused: { color: 'red', Icon: CrossIcon },
}
const statusLabels: Readonly<Record<DeviceMessage['status'], string>> = {
  stored: t('Stored'),
  duplicate: t('Stored before'),
  refused: t('Refused'),
}
const receiverLabels = {
  rest: 'REST',
  mqtt: 'MQTT',
  stream: t('Stream'),
  osmand: 'OsmAnd',
  traccar: 'Traccar',
  flespi: 'flespi',
  torque: 'Torque',
  freematics: 'Freematics',
} as const

export function MessageTable({ messages }: { messages: readonly DeviceMessage[] }) {
  const [openId, setOpenId] = useState<string>()
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Last messages, newest first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th visibleFrom="sm">{t('When')}</Table.Th>
          <Table.Th>{t('Message')}</Table.Th>
          <Table.Th visibleFrom="md">{t('Came by')}</Table.Th>
          <Table.Th visibleFrom="md" ta="right">
            {t('Size')}
          </Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('Details')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {messages.map((message) => {
          const isOpen = openId === message.id
          return (
            <Fragment key={message.id}>
              <MessageRow message={message} isOpen={isOpen} onToggle={() => setOpenId(isOpen ? undefined : message.id)} />
              {isOpen && (
                <Table.Tr id={`details-${message.id}`}>
                  <Table.Td colSpan={5}>
                    <MessageDetails message={message} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

function MessageRow({ message, isOpen, onToggle }: { message: DeviceMessage; isOpen: boolean; onToggle: () => void }) {
  const { id, receivedAt, status, receiver, bodyBytes } = message
  return (
    <Table.Tr className="top">
      <Table.Td visibleFrom="sm" className="nowrap numbers">
        {clockTime(receivedAt)}
        <Text size="xs" c="dimmed">
          <TimeAgo time={receivedAt} />
        </Text>
      </Table.Td>
      <Table.Td className="breaking">
        <StatusBadge look={looks[status]} size="sm">
          {statusLabels[status]}
        </StatusBadge>
        {summaryOf(message).map((line) => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          <TimeAgo time={receivedAt} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">{receiver === null ? <Missing /> : receiverLabels[receiver]}</Table.Td>
      <Table.Td visibleFrom="md" ta="right" className="nowrap numbers">
        {bodyBytes === null ? <Missing /> : t('{count} B', { count: wholeNumber(bodyBytes) })}
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          {...(isOpen ? { 'aria-controls': `details-${id}` } : {})}
          aria-label={t('Details of the message of {time}', { time: clockTime(receivedAt) })}
          onClick={onToggle}
        >
          {t('Details')}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

function MessageDetails({ message }: { message: DeviceMessage }) {
  const { receivedAt, recordedAt, receiver, readingId, error, warnings, understood, keptUnread, bodyBytes } = message
  const kept = Object.entries(keptUnread)
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [t('Received'), absoluteTime(receivedAt)],
          [t('Time of the reading'), recordedAt === null ? undefined : absoluteTime(recordedAt)],
          [t('Came by'), receiver === null ? undefined : receiverLabels[receiver]],
          [t('Size'), bodyBytes === null ? undefined : t('{count} B', { count: wholeNumber(bodyBytes) })],
          [t('Reading'), readingId === null ? undefined : <Verbatim key="reading" text={readingId} />],
          [t('Error code'), error?.code],
          [t('Field that was refused'), typeof error?.field === 'string' ? <Verbatim key="field" text={error.field} /> : undefined],
        ]}
      />
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      {understood.length > 0 && <Understood values={understood} />}
      {kept.length > 0 && (
        <section>
          <Title order={3} size="h6">
            {t('Kept with the reading, and not understood')}
          </Title>
          <Facts facts={kept.map(([key, value]) => [key, valueText(value, null)])} />
        </section>
      )}
      <Body message={message} />
    </Stack>
  )
}

function Warnings({ warnings }: { warnings: DeviceMessage['warnings'] }) {
  return (
    <section>
      <Title order={3} size="h6">
        {t('Warnings')}
      </Title>
      <List size="sm" listStyleType="none">
        {warnings.map(({ field, reason }) => (
          <List.Item key={`${field} ${reason}`}>
            <WarningIcon size={14} /> <Verbatim text={field} />
            {`: ${reason}`}
          </List.Item>
        ))}
      </List>
    </section>
  )
}

function Understood({ values }: { values: readonly UnderstoodValue[] }) {
  return (
    <Table verticalSpacing={4} horizontalSpacing="xs">
      <Table.Caption className="visually-hidden">{t('What the reading says')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Understood as')}</Table.Th>
          <Table.Th ta="right">{t('Value')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {values.map(({ key, value, unit, implausible }) => (
          <Table.Tr key={key}>
            <Table.Td className="breaking">
              {labelOfKey(key) ?? <Verbatim text={key} />}
              {labelOfKey(key) !== undefined && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  <Verbatim text={key} />
                </Text>
              )}
              {implausible && (
                <Text size="xs" data-color="orange">
                  <WarningIcon size={14} /> {t('Implausible: stored, and judged by nothing')}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right" className="numbers breaking">
              {valueText(value, unit)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Body({ message: { body, isBodyCut } }: { message: DeviceMessage }) {
  if (body === null) return <Text size="sm">{t('As it was sent it was not recorded.')}</Text>
  return (
    <section>
      <Group justify="space-between" gap="xs" mb={4}>
        <Title order={3} size="h6">
          {t('As it was sent, without what looks like a credential')}
        </Title>
        <CopyButton value={body}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy} aria-label={t('Copy the message')}>
              {copied ? t('Copied') : t('Copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Source text={body === '' ? t('(empty)') : body} label={t('As it was sent')} />
      {isBodyCut && (
        <Text size="xs" c="dimmed">
          {t('Only its beginning is kept.')}
        </Text>
      )}
    </section>
  )
}
