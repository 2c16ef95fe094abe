import { Button, Group, Select, Table, Text, Title } from '@mantine/core'
import type { WebhookDelivery } from '@roadworthy/contracts/platform-v1/webhooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { deliveriesQuery, useResendDelivery } from '../api/webhook-queries.ts'
import { Message } from '../shell/message.tsx'
import { showNotice } from '../shell/notice.ts'
import { PagedPanel } from '../shell/paged-panel.tsx'
import { ShortTime } from '../text/short-time.tsx'
import { TimeAgo } from '../text/time-ago.tsx'
import { t } from '../text/translate.ts'
import { type DeliveryAge, deliveryAges, deliveryStatuses, readDeliverySearch } from './delivery-search.ts'
import { eventGroups, eventWords } from './event-words.ts'
import { DeliveryBadge, outcomeText } from './webhook-state.tsx'

const PATH = '/settings/webhooks/$webhookId'

const statusLabels: Readonly<Record<(typeof deliveryStatuses)[number], string>> = {
  pending: t('Waiting or tried again'),
  delivered: t('Delivered'),
  failed: t('Given up'),
}
const ageLabels: Readonly<Record<DeliveryAge, string>> = { hour: t('the last hour'), day: t('the last day'), week: t('the last week') }

export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const search = useSearch({ from: PATH })
  const asked = useInfiniteQuery(deliveriesQuery(webhookId, search))
  return (
    <>
      <Title order={2} size="h4">
        {t('Deliveries of the last 30 days')}
      </Title>
      <Filters />
      <PagedPanel asked={asked} what={t('deliveries')}>
        {(pages) => (
          <DeliveryTable
            webhookId={webhookId}
            deliveries={pages.flatMap(({ deliveries }) => deliveries)}
            isFiltered={Object.keys(search).length > 0}
          />
        )}
      </PagedPanel>
    </>
  )
}

function Filters() {
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const show = (changes: Record<string, unknown>) => void navigate({ search: readDeliverySearch({ ...search, ...changes }), replace: true })
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={t('State')}
        placeholder={t('All')}
        clearable
        value={search.status ?? null}
        data={deliveryStatuses.map((value) => ({ value, label: statusLabels[value] }))}
        onChange={(status) => show({ status })}
        w={190}
      />
      <Select
        label={t('Event')}
        placeholder={t('All')}
        clearable
        searchable
        value={search.eventType ?? null}
        data={[
          ...eventGroups.map(({ label, types }) => ({ group: label, items: types.map((value) => ({ value, label: eventWords[value] })) })),
          { group: t('Test'), items: [{ value: 'webhook.test', label: eventWords['webhook.test'] }] },
        ]}
        onChange={(eventType) => show({ eventType })}
        w={300}
      />
      <Select
        label={t('Time span')}
        placeholder={t('All')}
        clearable
        value={search.since ?? null}
        data={deliveryAges.map((value) => ({ value, label: ageLabels[value] }))}
        onChange={(since) => show({ since })}
        w={160}
      />
      {search.eventId !== undefined && (
        <Button variant="default" size="sm" onClick={() => show({ eventId: undefined })}>
          {t('Show all events, not only {eventId}', { eventId: search.eventId })}
        </Button>
      )}
    </Group>
  )
}

type DeliveryTableProps = { webhookId: string; deliveries: readonly WebhookDelivery[]; isFiltered: boolean }

function DeliveryTable({ webhookId, deliveries, isFiltered }: DeliveryTableProps) {
  if (deliveries.length === 0 && isFiltered) {
    return <Message title={t('No delivery matches')}>{t('Take a filter away. What was just sent appears within seconds.')}</Message>
  }
  if (deliveries.length === 0) {
    return <Message title={t('Nothing was sent yet')}>{t('Send a test event to see whether the receiver takes it.')}</Message>
  }
  return (
    <Table verticalSpacing={8} horizontalSpacing="sm">
      <Table.Caption className="visually-hidden">{t('Deliveries, newest first')}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Event')}</Table.Th>
          <Table.Th>{t('State')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('Attempts')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('When')}</Table.Th>
          <Table.Th>
            <span className="visually-hidden">{t('Actions')}</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} webhookId={webhookId} delivery={delivery} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { id, eventType, eventId, attemptCount, createdAt, lastOutcome, lastAnswerStatus, nextAttemptAt } = delivery
  return (
    <Table.Tr className="top">
      <Table.Td className="breaking">
        <Link to="/settings/webhooks/$webhookId/deliveries/$deliveryId" params={{ webhookId, deliveryId: id }}>
          {eventWords[eventType]}
        </Link>
        <Text size="xs" c="dimmed" className="code">
          {eventId}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          <TimeAgo time={createdAt} />
        </Text>
      </Table.Td>
      <Table.Td>
        <DeliveryBadge delivery={delivery} />
        {lastOutcome !== null && <Text size="xs">{outcomeText(lastOutcome, lastAnswerStatus)}</Text>}
        {nextAttemptAt !== null && attemptCount > 0 && (
          <Text size="xs" c="dimmed">
            {t('Next attempt:')} <ShortTime time={nextAttemptAt} />
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="numbers">
        {attemptCount}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="nowrap">
        <TimeAgo time={createdAt} />
      </Table.Td>
      <Table.Td>
        <ResendButton webhookId={webhookId} delivery={delivery} />
      </Table.Td>
    </Table.Tr>
  )
}

/** Repeating it is harmless: the receiver knows an event by its id. */
export function ResendButton({ webhookId, delivery: { id, eventId } }: { webhookId: string; delivery: WebhookDelivery }) {
  const resend = useResendDelivery(webhookId)
  const sendAgain = async () => {
    await resend.mutateAsync(id)
    // Of a list of what failed the row is gone by now, and with it whatever waits for its answer in another way.
    showNotice({ text: t('It is sent again now, with the same id.') })
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={resend.isPending}
        aria-label={t('Resend {eventId}', { eventId })}
        onClick={() => void sendAgain().catch(() => undefined)}
      >
        {t('Resend')}
      </Button>
      {resend.error !== null && <Text size="xs">{resend.error.message}</Text>}
    </>
  )
}
