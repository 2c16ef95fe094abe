import { Group, Stack, Text, Title } from '@mantine/core'
import type { WebhookAttempt, WebhookDeliveryDetail } from '@roadworthy/contracts/platform-v1/webhooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { deliveryQuery } from '../api/webhook-queries.ts'
import { Facts } from '../shell/facts.tsx'
import { CheckIcon, CrossIcon } from '../shell/icons.tsx'
import { Message } from '../shell/message.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'
import { PageHeading } from '../shell/page-heading.tsx'
import { Panel } from '../shell/panel.tsx'
import { Source } from '../shell/source.tsx'
import { StatusBadge } from '../shell/status-badge.tsx'
import { absoluteTime, wholeNumber } from '../text/format.ts'
import { ShortTime } from '../text/short-time.tsx'
import { t } from '../text/translate.ts'
import { ResendButton } from './delivery-log.tsx'
import { eventWords } from './event-words.ts'
import { DeliveryBadge, outcomeText } from './webhook-state.tsx'

export function DeliveryPage() {
  const { webhookId, deliveryId } = useParams({ from: '/settings/webhooks/$webhookId/deliveries/$deliveryId' })
  const asked = useQuery(deliveryQuery(webhookId, deliveryId))
  if (asked.data === undefined) return <NotLoaded asked={asked} what={t('delivery')} isPage />
  const { eventType, attempts } = asked.data
  return (
    <Stack gap="md">
      <Link to="/settings/webhooks/$webhookId" params={{ webhookId }}>
        {t('All deliveries of this endpoint')}
      </Link>
      <PageHeading title={eventWords[eventType]}>
        <Group gap="sm">
          <DeliveryBadge delivery={asked.data} />
          <ResendButton webhookId={webhookId} delivery={asked.data} />
        </Group>
      </PageHeading>
      <EventPanel delivery={asked.data} />
      {attempts.length === 0 && <NoAttempt />}
      {attempts.map((attempt, index) => (
        <AttemptPanel key={attempt.id} attempt={attempt} number={attempts.length - index} />
      ))}
    </Stack>
  )
}

function NoAttempt() {
  return <Message title={t('There was no attempt yet')}>{t('It appears here when it was made.')}</Message>
}

function EventPanel({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { eventType, eventId, createdAt, nextAttemptAt, attemptCount, body } = delivery
  return (
    <Panel title={t('Event')}>
      <Facts
        facts={[
          [t('Type'), eventType],
          [t('Id, the same in every attempt'), eventId],
          [t('To be sent since'), absoluteTime(createdAt)],
          [t('Attempts'), String(attemptCount)],
          [t('Next attempt'), nextAttemptAt === null ? undefined : <ShortTime key="next" time={nextAttemptAt} />],
        ]}
      />
      <Text size="sm" mt="sm" mb={4}>
        {t('Body, as it is signed and sent')}
      </Text>
      <Source text={indented(body)} label={t('Body, as it is signed and sent')} />
    </Panel>
  )
}

function AttemptPanel({ attempt, number }: { attempt: WebhookAttempt; number: number }) {
  const { attemptedAt, url, requestHeaders, outcome, answerStatus, answerHeaders, answerBody, error, durationMs } = attempt
  const isDelivered = outcome === 'delivered'
  return (
    <Panel
      title={t('Attempt {number}, {time}', { number, time: absoluteTime(attemptedAt) })}
      actions={
        <StatusBadge look={isDelivered ? { color: 'green', Icon: CheckIcon } : { color: 'red', Icon: CrossIcon }} size="sm">
          {outcomeText(outcome, answerStatus)}
        </StatusBadge>
      }
    >
      <Facts
        facts={[
          [t('URL'), url],
          [t('Took'), t('{ms} ms', { ms: wholeNumber(durationMs) })],
          [t('Error'), isDelivered ? undefined : (error ?? undefined)],
        ]}
      />
      <div className="side-by-side">
        <section>
          <Title order={3} size="h6" mt="sm">
            {t('Request')}
          </Title>
          <Source text={headerLines(requestHeaders)} label={t('Headers of the request of attempt {number}', { number })} />
        </section>
        <section>
          <Title order={3} size="h6" mt="sm">
            {t('Answer')}
          </Title>
          {answerHeaders === null ? (
            <Text size="sm">{t('There was none.')}</Text>
          ) : (
            <>
              <Source text={headerLines(answerHeaders)} label={t('Headers of the answer of attempt {number}', { number })} />
              <Text size="sm" mt="xs" mb={4}>
                {t('Body; its first 4 kB are kept')}
              </Text>
              <Source
                text={answerBody === null || answerBody === '' ? t('(empty)') : answerBody}
                label={t('Body of the answer of attempt {number}', { number })}
              />
            </>
          )}
        </section>
      </div>
    </Panel>
  )
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
