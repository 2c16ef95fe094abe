import { type EventType, eventTypes } from '@roadworthy/contracts/webhooks/events'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { LoggedEvent } from '../events/event.ts'

export type EndpointStatus = 'enabled' | 'paused' | 'disabled'
/** `failing`: for five days. `gone`: it answered 410. */
export type DisabledReason = 'failing' | 'gone'

export type Endpoint = {
  readonly endpointId: string
  readonly url: string
  readonly description: string
  /** Undefined: every type, also those that are added one day. */
  readonly eventTypes: readonly EventType[] | undefined
  /** Undefined: events of every sub-client, and those of none. */
  readonly subClientId: string | undefined
  readonly headerNames: readonly string[]
  readonly status: EndpointStatus
  readonly disabledReason: DisabledReason | undefined
  readonly health: EndpointHealth
  readonly lastSuccessAt: Date | undefined
  readonly previousSecretExpiresAt: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What is remembered of the failed attempts since the last success. */
export type EndpointHealth = {
  readonly failingSince: Date | undefined
  readonly failureCount: number
  readonly warnedAt: Date | undefined
}

export const healthy: EndpointHealth = { failingSince: undefined, failureCount: 0, warnedAt: undefined }

const HOUR_MS = 3_600_000
/** Spec gap §6.1. */
const WARNED_AFTER_MS = 24 * HOUR_MS
const DISABLED_AFTER_MS = 120 * HOUR_MS
/** An endpoint that is seldom called is not given up over a few bad moments. That they lie a day apart follows from the five days. */
const LEAST_FAILURES_TO_DISABLE = 12

/** The health after one more failed attempt, and what follows from it. */
export function judgeFailure(before: EndpointHealth, at: Date): { health: EndpointHealth; consequence: 'none' | 'warn' | 'disable' } {
  const failingSince = before.failingSince ?? at
  const failureCount = before.failureCount + 1
  const failingMs = at.getTime() - failingSince.getTime()
  const isGivenUp = failingMs >= DISABLED_AFTER_MS && failureCount >= LEAST_FAILURES_TO_DISABLE
  const isWarned = before.warnedAt === undefined && failingMs >= WARNED_AFTER_MS
  const health = { failingSince, failureCount, warnedAt: isWarned ? at : before.warnedAt }
  return { health, consequence: isGivenUp ? 'disable' : isWarned ? 'warn' : 'none' }
}

/** What decides whether an endpoint is sent an event. */
export type Interest = {
  readonly endpointId: string
  readonly eventTypes: readonly EventType[] | undefined
  readonly subClientId: string | undefined
}

/** A test is for the endpoint that it was asked for, whatever its filter. */
export function isNotifiedOf({ endpointId, eventTypes: types, subClientId }: Interest, event: LoggedEvent): boolean {
  if (event.type === 'webhook.test') return testedEndpoint(event) === endpointId
  return (types === undefined || types.includes(event.type)) && (subClientId === undefined || subClientId === event.subClientId)
}

function testedEndpoint({ body }: LoggedEvent): string {
  return (JSON.parse(body) as { data: { endpointId: string } }).data.endpointId
}

/** In the order of the contract, each once. Undefined, which a null stands for as well, is all of them. */
export function toEventTypes(asked: readonly string[] | null | undefined): EventType[] | undefined {
  if (asked === null || asked === undefined) return undefined
  return eventTypes.filter((type) => asked.includes(type))
}

const ENDPOINT_ID = /^whe-[a-z0-9]{8,40}$/

/** What has not the form of an id is never stored, and may hold what PostgreSQL cannot even be asked for. */
export function isEndpointId(text: string): boolean {
  return ENDPOINT_ID.test(text)
}

export function noSuchEndpoint(): Problem {
  return new Problem('not_found', 'There is no such webhook.')
}

const MAX_HEADERS = 10
const MAX_HEADER_VALUE_LENGTH = 1_000
const HEADER_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/
/** Set by us, or of the connection and not of the message. */
const RESERVED_HEADER =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|user-agent|accept-encoding|proxy-.*|webhook-.*|cookie|forwarded|x-forwarded-.*|x-real-ip)$/i

/** Throws `invalid_request` for what may not be added to a request: a name of ours or of the connection, a value that is no line of text. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  const refuse = (message: string) => new Problem('invalid_request', message, { details: { field: 'headers' } })
  const entries = Object.entries(headers)
  if (entries.length > MAX_HEADERS) throw refuse(`At most ${MAX_HEADERS} headers can be added.`)
  const names = new Set(entries.map(([name]) => name.toLowerCase()))
  if (names.size < entries.length) throw refuse('A header is given twice; names of headers are not case-sensitive.')
  for (const [name, value] of entries) {
    if (!HEADER_NAME.test(name)) throw refuse(`${JSON.stringify(name)} is not the name of a header: 1 to 64 letters, digits, "-" and "_".`)
    if (RESERVED_HEADER.test(name)) throw refuse(`The header ${name} is set by us and cannot be added.`)
    if (value.length > MAX_HEADER_VALUE_LENGTH || !HEADER_VALUE.test(value)) {
      throw refuse(`The value of the header ${name} must be 1 to ${MAX_HEADER_VALUE_LENGTH} printable ASCII characters.`)
    }
  }
}
