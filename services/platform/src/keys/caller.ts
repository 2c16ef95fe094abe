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
    /** Whether the same caller would be let in again now. Rejects where that is unknown, because the database is away. */
    isStillAdmitted(): Promise<boolean>
  }
  interface FastifyContextConfig {
    /** Scope the caller's key must grant; of several, any. */
    scope?: RouteScope
    /** Open in any standing of the subscription and of the sub-client: who owes must be able to read what, and to pay. */
    anyStanding?: boolean
    /** No authentication: health and documentation only. */
    public?: boolean
  }
}
