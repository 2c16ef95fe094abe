/** Every way a request can be refused. Each API surface maps these to its own status and body. */
export const problemCodes = [
  'invalid_request',
  'batch_too_large',
  'vehicle_of_other_sub_client',
  'invalid_api_key',
  'invalid_signature',
  'missing_scope',
  'subscription_required',
  'quota_exceeded',
  'sub_client_suspended',
  'device_suspended',
  'not_found',
  'device_not_found',
  'no_location',
  'method_not_allowed',
  'already_exists',
  'device_exists',
  'device_decommissioned',
  'conflict',
  'invalid_transition',
  'sim_action_in_progress',
  'invoice_already_paid',
  'invoice_overdue',
  'idempotency_in_progress',
  'idempotency_conflict',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limit_exceeded',
  'models_not_loaded',
  'license_invalid',
  'overloaded',
  'draining',
  'unavailable',
  'server_error',
] as const
export type ProblemCode = (typeof problemCodes)[number]

export type ProblemDetails = {
  /** What the caller can do to be let in, e.g. `subscribe`. */
  readonly actionRequired?: string
  /** Whole seconds after which a repeat may succeed; also sent as `Retry-After`. */
  readonly retryAfterS?: number
  /** Anything else that helps: `field`, `limit`, `allowed`, `index`. Sent to the caller, so never a secret. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * An expected refusal: the caller did something we can name. Anything else that is thrown is a bug
 * or an outage, and surfaces as 500 or 503 with its cause in the log only.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly actionRequired: string | undefined
  readonly retryAfterS: number | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: ProblemCode, message: string, { actionRequired, retryAfterS, details }: ProblemDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.actionRequired = actionRequired
    this.retryAfterS = retryAfterS
    this.details = details
  }
}
