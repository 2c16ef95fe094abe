import type { EventPayload, EventType } from '@roadworthy/contracts/webhooks/events'

/** An event as a slice writes it. `data` is by its type. */
export type NewEvent = {
  readonly [T in EventType]: {
    readonly resellerId: string
    readonly type: T
    readonly data: EventPayload<T>
    /** Owner of what it is about, as of now. */
    readonly subClientId: string | undefined
    readonly occurredAt: Date
  }
}[EventType]

/** An event that has its place in the log. */
export type LoggedEvent = {
  readonly resellerId: string
  /** Larger than that of every event that was in the log before, of any reseller. */
  readonly position: number
  readonly eventId: string
  readonly type: EventType
  readonly subClientId: string | undefined
  /** JSON; what webhooks sign and send, byte for byte. */
  readonly body: string
  /** Of the trace that its place in the log is part of, where that is kept; known to those who are given it when it gets its place. */
  readonly traceparent?: string | undefined
}
