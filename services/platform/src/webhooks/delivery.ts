import type { EventType } from '@roadworthy/contracts/webhooks/events'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { SendOutcome } from './send-webhook.ts'

/** `failed`: every attempt of the schedule has been made. Pending ones wait for their time, or for their endpoint to be enabled. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** What is known of an attempt that came to an end. */
export type AttemptOutcome = Exclude<SendOutcome, 'abandoned'>

/** One event for one endpoint. */
export type Delivery = {
  readonly deliveryId: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: EventType
  readonly status: DeliveryStatus
  readonly attemptCount: number
  readonly nextAttemptAt: Date
  readonly lastAttemptAt: Date | undefined
  readonly lastOutcome: AttemptOutcome | undefined
  readonly lastAnswerStatus: number | undefined
  readonly deliveredAt: Date | undefined
  readonly createdAt: Date
}

export type Attempt = {
  readonly attemptId: string
  readonly attemptedAt: Date
  readonly url: string
  /** Values of headers that the reseller added are not among them. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly outcome: AttemptOutcome
  readonly answer: { status: number; headers: Readonly<Record<string, string>>; body: string } | undefined
  readonly error: string | undefined
  readonly durationMs: number
}

const DELIVERY_ID = /^whd-[a-z0-9]{8,40}$/

export function isDeliveryId(text: string): boolean {
  return DELIVERY_ID.test(text)
}

export function noSuchDelivery(): Problem {
  return new Problem('not_found', 'There is no such delivery.')
}
