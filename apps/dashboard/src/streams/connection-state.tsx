import { Button, Group, Table, Text } from '@mantine/core'
import type { StreamConnection } from '@roadworthy/contracts/platform-v1/stream-connection'
import { useState } from 'react'
import { useChangeStream, useDeleteStream } from '../api/stream-queries.ts'
import { Facts } from '../shell/facts.tsx'
import { CheckIcon, ClockIcon, CrossIcon, PauseIcon, WarningIcon } from '../shell/icons.tsx'
import { Panel } from '../shell/panel.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { TypedConfirmation } from '../shell/typed-confirmation.tsx'
import { wholeNumber } from '../text/format.ts'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { formOf, requestOf } from './stream-form.ts'

type State = StreamConnection['status']['state']
type Consumer = StreamConnection['status']['consumers'][number]

const looks: Readonly<Record<State, readonly [look: StatusLook, word: string]>> = {
  disabled: [{ color: 'gray', Icon: PauseIcon }, t('Paused')],
  connecting: [{ color: 'gray', Icon: ClockIcon }, t('Connecting')],
  running: [{ color: 'green', Icon: CheckIcon }, t('Reading')],
  waiting: [{ color: 'orange', Icon: WarningIcon }, t('Held up')],
  failed: [{ color: 'red', Icon: CrossIcon }, t('Not connected; tried again')],
  quarantined: [{ color: 'red', Icon: CrossIcon }, t('Left out for a while')],
}

export function ConnectionState({ connection }: { connection: StreamConnection }) {
  const { status, topic, deadLetterTopic } = connection
  const [look, word] = looks[status.state]
  const deadLetters = status.consumers.reduce((sum, each) => sum + each.deadLetters, 0)
  const stored = status.consumers.reduce((sum, each) => sum + each.storedRecords, 0)
  const newest = status.consumers.flatMap(({ lastMessageAt }) => lastMessageAt ?? []).sort()
  const warnings = status.consumers.flatMap((each) => each.warnings)
  return (
    <Panel title={t('State')} actions={<Actions connection={connection} />}>
      <StatusBadge look={look}>{word}</StatusBadge>
      {status.detail !== null && (
        <Text size="sm" mt="xs">
          {status.detail}
        </Text>
      )}
      <Facts
        facts={[
          [t('Topic'), topic],
          [t('Messages not read yet'), status.lagMessages === null ? t('not known') : wholeNumber(status.lagMessages)],
          [t('Newest message read'), <TimeAgo key="newest" time={newest.at(-1) ?? null} />],
          [t('Readings stored since it began'), wholeNumber(stored)],
          [t('Set aside in {topic}', { topic: deadLetterTopic }), wholeNumber(deadLetters)],
          [t('Processes that read it'), wholeNumber(status.consumers.length)],
        ]}
      />
      {warnings.length > 0 && <Warnings warnings={warnings} />}
    </Panel>
  )
}

function Warnings({ warnings }: { warnings: readonly Consumer['warnings'][number][] }) {
  return (
    <Table verticalSpacing={6} horizontalSpacing="sm" mt="sm">
      <Table.Caption>{t('Fields that were stored and not used')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Field')}</Table.Th>
          <Table.Th>{t('Reason')}</Table.Th>
          <Table.Th>{t('Readings')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {warnings.map(({ field, reason, count }) => (
          <Table.Tr key={`${field} ${reason}`}>
            <Table.Td className="code">{field}</Table.Td>
            <Table.Td className="breaking">{reason}</Table.Td>
            <Table.Td className="numbers">{wholeNumber(count)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Actions({ connection }: { connection: StreamConnection }) {
  const change = useChangeStream()
  const [isDeleting, setIsDeleting] = useState(false)
  const switchOver = () => change.mutate((stored) => (stored === null ? undefined : requestOf(formOf(stored), !connection.enabled)))
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" loading={change.isPending} onClick={switchOver}>
        {connection.enabled ? t('Pause') : t('Resume')}
      </Button>
      <Button size="xs" variant="default" onClick={() => setIsDeleting(true)}>
        {t('Delete')}
      </Button>
      <Refusal error={change.error} />
      {isDeleting && <DeleteDialog topic={connection.topic} onClose={() => setIsDeleting(false)} />}
    </Group>
  )
}

function DeleteDialog({ topic, onClose }: { topic: string; onClose: () => void }) {
  const remove = useDeleteStream()
  return (
    <TypedConfirmation
      title={t('Delete the stream connection')}
      text={t(
        'Nothing is read any more. The connection, its secrets and how far the topic was read are forgotten: another connection begins anew.',
      )}
      label={t('Delete')}
      word={topic}
      change={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
