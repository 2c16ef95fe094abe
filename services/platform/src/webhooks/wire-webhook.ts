// As the Platform API shows endpoints and deliveries.

import type { Webhook, WebhookAttempt, WebhookDelivery } from '@roadworthy/contracts/platform-v1/webhooks'
import type { Attempt, Delivery } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'

export function toPlatformWebhook(endpoint: Endpoint): Webhook {
  const { failingSince, failureCount, warnedAt } = endpoint.health
  return {
    id: endpoint.endpointId,
    url: endpoint.url,
    description: endpoint.description,
    eventTypes: endpoint.eventTypes === undefined ? null : [...endpoint.eventTypes],
    subClientId: endpoint.subClientId ?? null,
    headerNames: [...endpoint.headerNames],
    status: endpoint.status,
    disabledReason: endpoint.disabledReason ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    failureCount,
    warnedAt: warnedAt?.toISOString() ?? null,
    lastSuccessAt: endpoint.lastSuccessAt?.toISOString() ?? null,
    previousSecretExpiresAt: endpoint.previousSecretExpiresAt?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  }
}

export function toPlatformDelivery(delivery: Delivery): WebhookDelivery {
  return {
    id: delivery.deliveryId,
    webhookId: delivery.endpointId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    status: delivery.status,
    attemptCount: delivery.attemptCount,
    nextAttemptAt: delivery.status === 'pending' ? delivery.nextAttemptAt.toISOString() : null,
    lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
    lastOutcome: delivery.lastOutcome ?? null,
    lastAnswerStatus: delivery.lastAnswerStatus ?? null,
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
  }
}

export function toPlatformAttempt(attempt: Attempt): WebhookAttempt {
  return {
    id: attempt.attemptId,
    attemptedAt: attempt.attemptedAt.toISOString(),
    url: attempt.url,
    requestHeaders: { ...attempt.requestHeaders },
    outcome: attempt.outcome,
    answerStatus: attempt.answer?.status ?? null,
    answerHeaders: attempt.answer === undefined ? null : { ...attempt.answer.headers },
    answerBody: attempt.answer?.body ?? null,
    error: attempt.error ?? null,
    durationMs: attempt.durationMs,
  }
}
