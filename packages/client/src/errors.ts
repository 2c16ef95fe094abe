// Every error of this package is a `RoadworthyError`. The class is by the status, `code` by the reason: see docs/errors.md of Roadworthy.

export type ErrorFacts = {
  readonly code: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly actionRequired?: string | undefined
  readonly retryAfterS?: number | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

export class RoadworthyError extends Error {
  override readonly name: string = 'RoadworthyError'
  /** For programs; stable. */
  readonly code: string
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined
  /** Name it when you ask for help: the service logs under it. */
  readonly requestId: string | undefined
  /** What lets the caller in: `subscribe` or `upgrade_plan`. */
  readonly actionRequired: string | undefined
  /** Seconds after which a repeat may succeed. */
  readonly retryAfterS: number | undefined
  /** What helps beside the message: `field`, `closest`, `required_scope`, `limit` … */
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.actionRequired = facts.actionRequired
    this.retryAfterS = facts.retryAfterS
    this.details = facts.details
  }
}

/** The client, or a call, was given something that cannot work. Nothing was sent. */
export class ConfigurationError extends RoadworthyError {
  override readonly name = 'ConfigurationError'

  constructor(message: string) {
    super(message, { code: 'configuration' })
  }
}

/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends RoadworthyError {
  override readonly name: string = 'AuthenticationError'
}

/** 403: the key lacks a scope (`details.required_scope`), or a sub-client or device is suspended. */
export class PermissionError extends RoadworthyError {
  override readonly name: string = 'PermissionError'
}

/** 403 `subscription_required`. */
export class SubscriptionError extends PermissionError {
  override readonly name = 'SubscriptionError'
}

/** 403 `quota_exceeded`. */
export class QuotaError extends PermissionError {
  override readonly name = 'QuotaError'
}

/** 404: there is no such thing, or it belongs to someone else. */
export class NotFoundError extends RoadworthyError {
  override readonly name = 'NotFoundError'
}

/** 409, and 422 `idempotency_conflict`: the request contradicts what is already there. */
export class ConflictError extends RoadworthyError {
  override readonly name = 'ConflictError'
}

/** 400, 405, 413, 415 and the other 4xx: the request has to be another one. `details.field` names the place. */
export class ValidationError extends RoadworthyError {
  override readonly name = 'ValidationError'
}

/** 429: too many requests. `retryAfterS` is when there may be more. */
export class RateLimitError extends RoadworthyError {
  override readonly name = 'RateLimitError'
}

/** 5xx. */
export class ServerError extends RoadworthyError {
  override readonly name = 'ServerError'
}

/** There is an answer, and it is not Roadworthy's: a redirect, a page of a proxy, JSON that ends too early. */
export class UnexpectedAnswerError extends RoadworthyError {
  override readonly name = 'UnexpectedAnswerError'
}

/** There is no answer, or not all of it. Whether the request was carried out is unknown. */
export class ConnectionError extends RoadworthyError {
  override readonly name: string = 'ConnectionError'
}

/** An attempt took longer than `timeoutMs`, or the service answered 408. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}
