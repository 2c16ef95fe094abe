import type { Webhook, WebhookDelivery } from '@roadworthy/contracts/platform-v1/webhooks'
import { CheckIcon, ClockIcon, CrossIcon, PauseIcon, WarningIcon } from '../shell/icons.tsx'
import { StatusBadge, type StatusLook } from '../shell/status-badge.tsx'
import { t } from '../text/translate.ts'

export function WebhookStateBadge({ webhook, size = 'sm' }: { webhook: Webhook; size?: 'sm' | 'md' }) {
  const [look, word] = stateLook(webhook)
  return (
    <StatusBadge look={look} size={size}>
      {word}
    </StatusBadge>
  )
}

function stateLook({ status, failingSince }: Webhook): [look: StatusLook, word: string] {
  if (status === 'disabled') return [{ color: 'red', Icon: CrossIcon }, t('Switched off')]
  if (status === 'paused') return [{ color: 'gray', Icon: PauseIcon }, t('Paused')]
  if (failingSince !== null) return [{ color: 'orange', Icon: WarningIcon }, t('Failing')]
  return [{ color: 'green', Icon: CheckIcon }, t('Receiving')]
}

export function DeliveryBadge({ delivery }: { delivery: Pick<WebhookDelivery, 'status' | 'attemptCount'> }) {
  const [look, word] = deliveryLook(delivery)
  return (
    <StatusBadge look={look} size="sm">
      {word}
    </StatusBadge>
  )
}

function deliveryLook({ status, attemptCount }: Pick<WebhookDelivery, 'status' | 'attemptCount'>): [look: StatusLook, word: string] {
  if (status === 'delivered') return [{ color: 'green', Icon: CheckIcon }, t('Delivered')]
  if (status === 'failed') return [{ color: 'red', Icon: CrossIcon }, t('Given up')]
  return attemptCount === 0
    ? [{ color: 'gray', Icon: ClockIcon }, t('Waiting')]
    : [{ color: 'orange', Icon: WarningIcon }, t('Tried again')]
}

type Outcome = NonNullable<WebhookDelivery['lastOutcome']>

export function outcomeText(outcome: Outcome, answerStatus: number | null): string {
  switch (outcome) {
    case 'delivered':
      return t('Answered {status}', { status: String(answerStatus ?? '2xx') })
    case 'refused':
      return t('Answered {status}, which is no success', { status: String(answerStatus ?? '') })
    case 'timeout':
      return t('No complete answer within 15 s')
    case 'unreachable':
      return t('Could not be reached')
    case 'forbidden':
      return t('The address is not public, so nothing was sent')
  }
}
