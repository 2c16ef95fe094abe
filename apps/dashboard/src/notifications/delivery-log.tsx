import { Button, Group, Select, Stack, Table, Text, Title } from '@mantine/core'
import type { Notification } from '@roadworthy/contracts/platform-v1/notifications'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { notificationLogQuery, rulesQuery } from '../api/notification-queries.ts'
import { vehicleNameQuery } from '../api/vehicle-names.ts'
import { CheckIcon, ClockIcon, CrossIcon, UnknownIcon, WarningIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { logStatuses, readNotificationsSearch } from './log-search.ts'
import type { Names } from './rule-summary.ts'
import { stepText } from './step-text.ts'
import { useNames } from './use-names.ts'

const looks: Readonly<Record<Notification['status'], StatusLook & { readonly word: string }>> = {
  pending: { color: 'blue', Icon: ClockIcon, word: t('Waiting') },
  sending: { color: 'blue', Icon: ClockIcon, word: t('Being sent') },
  sent: { color: 'green', Icon: CheckIcon, word: t('Sent') },
  failed: { color: 'red', Icon: WarningIcon, word: t('Not sent') },
  uncertain: { color: 'orange', Icon: UnknownIcon, word: t('Uncertain') },
  cancelled: { color: 'gray', Icon: CrossIcon, word: t('Not needed') },
}

export function DeliveryLog() {
  const search = useSearch({ from: '/settings/notifications' })
  const asked = useInfiniteQuery(notificationLogQuery(search))
  const rules = useQuery(rulesQuery).data?.notificationRules ?? []
  const navigate = useNavigate({ from: '/settings/notifications' })
  const narrow = (more: Record<string, unknown>) => {
    void navigate({ search: readNotificationsSearch({ ...search, ...more }), replace: true, resetScroll: false })
  }
  return (
    <Stack gap="sm" component="section" aria-labelledby="log">
      <Title order={2} size="h5" id="log">
        {t('What was sent')}
      </Title>
      <Group gap="sm" align="flex-end">
        <Select
          label={t('State')}
          placeholder={t('All')}
          clearable
          value={search.status ?? null}
          data={logStatuses.map((value) => ({ value, label: looks[value].word }))}
          onChange={(status) => narrow({ status })}
        />
        <Select
          label={t('Rule')}
          placeholder={t('All')}
          clearable
          value={search.ruleId ?? null}
          data={rules.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(ruleId) => narrow({ ruleId })}
        />
        {Object.keys(search).length > 0 && (
          <Button variant="default" onClick={() => narrow({ status: undefined, ruleId: undefined })}>
            {t('Show all')}
          </Button>
        )}
      </Group>
      <PagedPanel asked={asked} what={t('log of messages')}>
        {(pages) => <LogTable messages={pages.flatMap(({ notifications }) => notifications)} />}
      </PagedPanel>
    </Stack>
  )
}

function LogTable({ messages }: { messages: readonly Notification[] }) {
  const names = useNames()
  const rules = useQuery(rulesQuery).data?.notificationRules ?? []
  const ruleNames = new Map(rules.map(({ id, name }) => [id, name]))
  if (messages.length === 0) {
    return <Message title={t('Nothing was sent')}>{t('Messages appear here when a rule sends them. Send a test to see one.')}</Message>
  }
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Messages, newest first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('When and to whom')}</Table.Th>
          <Table.Th>{t('State')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('About')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {messages.map((message) => (
          <MessageRow key={message.id} message={message} names={names} ruleNames={ruleNames} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function MessageRow({ message, names, ruleNames }: { message: Notification; names: Names; ruleNames: Names }) {
  const { createdAt, recipient, browserId, status, attemptCount, nextAttemptAt, error } = message
  const look = looks[status]
  return (
    <Table.Tr className="top">
      <Table.Td className="breaking">
        <Text size="sm" fw={650}>
          {names.get(recipient) ?? recipient}
        </Text>
        <Text size="xs" c="dimmed">
          {browserId !== null && `${t('in a browser')} · `}
          <TimeAgo time={createdAt} />
        </Text>
        <Text size="xs" hiddenFrom="sm" component="div">
          <About message={message} ruleNames={ruleNames} />
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge look={look} size="sm">
          {look.word}
        </StatusBadge>
        {attemptCount > 1 && (
          <Text size="xs" c="dimmed">
            {t('{count, plural, one {# attempt} other {# attempts}}', { count: attemptCount })}
          </Text>
        )}
        {nextAttemptAt !== null && attemptCount > 0 && (
          <Text size="xs" c="dimmed">
            {t('next')} <TimeAgo time={nextAttemptAt} />
          </Text>
        )}
        {error !== null && (
          <Text size="xs" className="breaking">
            {error}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="breaking">
        <Text size="sm" component="div">
          <About message={message} ruleNames={ruleNames} />
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

function About({ message, ruleNames }: { message: Notification; ruleNames: Names }) {
  const { incidentId, ruleId, step } = message
  return (
    <>
      {incidentId !== null && <AboutIncident incidentId={incidentId} message={message} />}
      {stepText(step)}
      {ruleId !== null && ` · ${ruleNames.get(ruleId) ?? namelessRule(ruleId)}`}
    </>
  )
}

/** Names of people's own rules are theirs alone. */
function namelessRule(ruleId: string): string {
  return ruleId.startsWith('nrp-') ? t('a rule of the person’s own') : t('a rule that was deleted')
}

function AboutIncident({ incidentId, message: { vehicleId, incidentTitle } }: { incidentId: string; message: Notification }) {
  const name = useQuery({ ...vehicleNameQuery(vehicleId ?? ''), enabled: vehicleId !== null }).data
  return (
    <div>
      <Link to="/alerts/$incidentId" params={{ incidentId }}>
        {[name ?? undefined, incidentTitle ?? t('the incident')].filter((each) => each !== undefined).join(' · ')}
      </Link>
    </div>
  )
}
