// The access token of a job platform: fetched by client credentials, used by all calls of a connection until shortly before it expires.

import { readAirtelRefusal, tokenForm, withoutEnvelope } from './airtel-form.ts'
import { readCount } from './answer-fields.ts'
import type { Exchange } from './exchange.ts'
import { OperatorError } from './operator.ts'
import { callOperator } from './operator-call.ts'

/** Calls that begin just before the end must not end after it. */
const MARGIN_MS = 60_000
/** Whatever the platform states, a token is not kept longer; the documents' example lives half an hour. */
const MAX_LIFE_MS = 86_400_000
/** A token whose life is not stated. */
const DEFAULT_LIFE_MS = 300_000

export type TokenSource = {
  /** A token that is good for a call. Callers at the same time share one fetch. */
  get(signal: AbortSignal): Promise<string>
  /** This one was refused. */
  drop(token: string): void
}

export type TokenDeps = {
  readonly exchange: Exchange
  readonly headers: Readonly<Record<string, string>>
  readonly clientId: string
  readonly clientSecret: string
  readonly now: () => Date
}

export function createTokenSource({ exchange, headers, clientId, clientSecret, now }: TokenDeps): TokenSource {
  let kept: { readonly token: string; readonly untilMs: number } | undefined
  let fetching: Promise<string> | undefined

  async function fetchToken(signal: AbortSignal): Promise<string> {
    const request = {
      method: 'POST' as const,
      path: 'auth/v2/generate/authtoken',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString(),
    }
    const deps = {
      exchange,
      readRefusal: readAirtelRefusal,
      unwrap: withoutEnvelope,
      hidden: [clientSecret, headers['apikey'] ?? clientSecret],
    }
    const { body } = await callOperator(deps, 'read', request, tokenForm, signal).catch((error: unknown) => {
      throw error instanceof OperatorError ? ofToken(error) : error
    })
    const lifeMs = Math.min((readCount(body.expires_in) ?? DEFAULT_LIFE_MS / 1000) * 1000, MAX_LIFE_MS)
    kept = { token: body.access_token, untilMs: now().getTime() + lifeMs - MARGIN_MS }
    return body.access_token
  }

  return {
    get: async (signal) => {
      if (kept !== undefined && now().getTime() < kept.untilMs) return kept.token
      // Whoever came second waits for the first; if the first was stopped, for a fetch of its own.
      const shared = fetching
      if (shared !== undefined) {
        const token = await shared.catch(() => undefined)
        if (token !== undefined) return token
      }
      const own = fetchToken(signal).finally(() => {
        if (fetching === own) fetching = undefined
      })
      fetching = own
      return own
    },
    drop: (token) => {
      if (kept?.token === token) kept = undefined
    },
  }
}

/** What a refusal of the token means for the call that needs one: all that this request can be refused for is the credentials. */
function ofToken(error: OperatorError): OperatorError {
  const kind = { rejected: 'auth', not_found: 'unavailable' } as const
  if (error.kind !== 'rejected' && error.kind !== 'not_found') return error
  return new OperatorError(kind[error.kind], `No token: ${error.message}`, {
    operatorCode: error.operatorCode,
    retryAfterMs: error.retryAfterMs,
  })
}
