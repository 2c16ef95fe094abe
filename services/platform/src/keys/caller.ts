import type { FastifyRequest } from 'fastify'
import type { CallToCount } from '../limits/usage.ts'
import type { RouteScope } from './scopes.ts'

/** Who is calling, once authenticated. */
export type Caller = {
  readonly resellerId: string
  /** Of the key; of the user where a person is signed in. */
  readonly keyId: string
  readonly scopes: ReadonlySet<string>
  /** When set, the caller sees and touches this sub-client only; everything else answers as if it did not exist. */
  readonly subClientPin: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication on every route that is not `public`. */
    caller: Caller
    /** Set by the gate while the call is being counted; its answer waits for it. */
    callCounted: Promise<void> | undefined
    /** Set by the gate in place of `callCounted` where the route counts its calls; who takes it out sees that it is counted before the answer. */
    callToCount: CallToCount | undefined
    /** Whether the same caller would be let in again now. Rejects where that is unknown, because the database is away. */
    isStillAdmitted(): Promise<boolean>
  }
  interface FastifyContextConfig {
    /** Scope the caller's key must grant; of several, any. */
    scope?: RouteScope
    /** Open in any standing of the subscription and of the sub-client: who owes must be able to read what, and to pay. */
    anyStanding?: boolean
    /** It counts its calls itself, in the transaction of what they bring. */
    countsCall?: boolean
    /** No authentication: health and documentation only. */
    public?: boolean
    /** With `public`: devices send here, which the route itself lets in by their tokens. Behind one address may be all phones of a network. */
    admitsDevices?: boolean
  }
}

/** For whoever counts the call from here on. */
export function takeCallToCount(request: FastifyRequest): CallToCount | undefined {
  const call = request.callToCount
  request.callToCount = undefined
  return call
}
