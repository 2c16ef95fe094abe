// What the deliveries of an endpoint are narrowed down to, as it stands in the address.

import type { EventType } from '@roadworthy/contracts/webhooks/events'
import { isEventType } from './event-words.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export const deliveryAges = ['hour', 'day', 'week'] as const
export type DeliveryAge = (typeof deliveryAges)[number]

export type DeliverySearch = {
  readonly status?: (typeof deliveryStatuses)[number]
  readonly eventType?: EventType
  readonly eventId?: string
  readonly since?: DeliveryAge
}

const HOUR_MS = 3_600_000
const ageMs: Readonly<Record<DeliveryAge, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS }
/** As the API takes it. */
const EVENT_ID = /^evt-[a-z0-9]{1,40}$/

export function readDeliverySearch(given: Record<string, unknown>): DeliverySearch {
  const status = deliveryStatuses.find((each) => each === given['status'])
  const since = deliveryAges.find((each) => each === given['since'])
  const eventType = given['eventType']
  const eventId = String(given['eventId'] ?? '').trim()
  return {
    ...(status === undefined ? {} : { status }),
    ...(since === undefined ? {} : { since }),
    ...(isEventType(eventType) ? { eventType } : {}),
    ...(EVENT_ID.test(eventId) ? { eventId } : {}),
  }
}

/** As the API is asked. */
export function deliveryFilter({ since, ...filter }: DeliverySearch, nowMs: number): Record<string, string> {
  return { ...filter, ...(since === undefined ? {} : { from: new Date(nowMs - ageMs[since]).toISOString() }) }
}
