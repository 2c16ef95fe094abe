import type { SurfaceName } from '../limits/plans.ts'

/** A call of an API as it is shown to the owner of its key. Holds no body, no credential and no secret. */
export type LoggedCall = {
  readonly entryId: string
  /** When the request came. */
  readonly at: Date
  readonly resellerId: string
  readonly keyId: string
  /** That the key is pinned to. */
  readonly subClientId: string | undefined
  readonly surface: SurfaceName
  readonly method: string
  readonly path: string
  readonly query: string | undefined
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  /** Of a refusal, as it was answered. */
  readonly error: { readonly code: string; readonly message: string } | undefined
  readonly address: string
  readonly userAgent: string | undefined
}

/** `refused`: 4xx and 5xx. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | 'refused'
