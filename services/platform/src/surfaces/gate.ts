// What every request behind a key passes before anything of it is read: who is it, is the reseller in good standing, is it within its
// limits, may this key do this. While the key is in memory none of it waits for anything. Where the dashboard calls, the session of a person who
// is signed in lets in as well.

import { Readable } from 'node:stream'
import { type Surface, writeProblem } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { andThen, type MaybePromise } from '@roadworthy/service-kit/pacing/maybe-promise'
import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import type { Caller } from '../keys/caller.ts'
import { hashKeyText, isKeyText } from '../keys/key-text.ts'
import type { KnownKey, KnownKeys } from '../keys/known-keys.ts'
import { missingScope } from '../keys/missing-scope.ts'
import { presentedKey } from '../keys/presented-key.ts'
import { grants, scopesOfRole, scopesOfRoute } from '../keys/scopes.ts'
import type { FailedAttempts } from '../limits/failed-attempts.ts'
import {
  isServed,
  type KeyLimits,
  PERSON_LIMITS,
  type PlanName,
  type Plans,
  RESELLER_LIMITS,
  type Subscription,
  type SurfaceName,
} from '../limits/plans.ts'
import type { PublicRate } from '../limits/public-rate.ts'
import type { Limited, RateLimits, Taken } from '../limits/rate-limits.ts'
import type { UsageMeter } from '../limits/usage.ts'
import { isFromOwnPage, isSameOrigin, sessionTokenOf } from '../people/session-cookie.ts'
import type { Session } from '../people/sessions.sql.ts'
import type { Sessions } from '../people/sessions.ts'
import { ownSubClientOf } from '../people/view-as.ts'
import { refusedCredential } from './refused-credential.ts'

export type GateDeps = {
  readonly keys: KnownKeys
  readonly sessions: Sessions
  readonly failedAttempts: FailedAttempts
  readonly publicRate: PublicRate
  readonly rateLimits: RateLimits
  readonly usage: UsageMeter
  readonly plans: Plans
  readonly now: () => Date
}

const STOP_VIEWING = 'You look as a sub-client, of which nothing can be changed that way. Stop that first.'

export function createGate(deps: GateDeps, surface: SurfaceName): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.is404) return done()
    try {
      if (request.routeOptions.config.public === true) {
        if (request.routeOptions.config.admitsDevices !== true) deps.publicRate.take(request.ip)
        return done()
      }
      const token = takesSessions(surface) ? presentedSession(request) : undefined
      const passed =
        token === undefined
          ? andThen(findKey(deps, request), (key) => admit(deps, surface, key, request, reply))
          : admitSession(deps, surface, token, request, reply)
      if (passed instanceof Promise) passed.then(() => done(), done)
      else done()
    } catch (error) {
      done(error as Error)
    }
  }
}

function admit(
  deps: GateDeps,
  surface: SurfaceName,
  known: KnownKey | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  if (known === undefined || known.expiresAtMs <= deps.now().getTime()) {
    throw refusal(deps, surface, request)
  }
  request.caller = known.caller
  deps.keys.markUsed(known)
  requireStanding(known.key.subscription, request)
  return andThen(takeFromRateLimit(deps, known.caller, known.limits[surface], reply), () => {
    requireScope(known.caller, request)
    requireActiveSubClient(known, request)
    // Last: a call that is refused is not used.
    return countCall(deps, surface, known.key.plan, request, known.caller.subClientPin)
  })
}

/** A person has limits of their own. What is not sent by a page of the dashboard is a call of the API, as by a key. */
async function admitSession(
  deps: GateDeps,
  surface: SurfaceName,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const session = isReading(request) || isSameOrigin(request) ? await deps.sessions.find(token) : undefined
  if (session === undefined) throw refusal(deps, surface, request)
  const { role } = session
  request.caller = callerOf(session)
  requireStanding(session.subscription, request)
  await takeFromRateLimit(deps, request.caller, PERSON_LIMITS, reply)
  requireScope(request.caller, request)
  if ((role === 'viewer' || role === 'sub_client_viewer') && !isReading(request)) {
    const [required_scope] = scopesOfRoute(request.routeOptions.config.scope ?? '*')
    const message = session.viewing === undefined ? 'A viewer can look at things and change nothing.' : STOP_VIEWING
    throw new Problem('missing_scope', message, { details: { required_scope } })
  }
  // Who looks as a sub-client calls for the reseller: the sub-client is billed for nothing of it.
  if (!isFromOwnPage(request)) await countCall(deps, surface, session.plan, request, ownSubClientOf(session))
}

/**
 * Whether what let a request in would let it in again, with the same rights. For answers that go on: a key may be revoked meanwhile, a
 * session end, a subscription lapse, a role change. It is no call: nothing is taken from a limit, and nothing counted.
 */
export function createRecheck(deps: GateDeps, surface: SurfaceName): (request: FastifyRequest) => Promise<boolean> {
  return async (request) => {
    const token = takesSessions(surface) ? presentedSession(request) : undefined
    if (token !== undefined) {
      const session = await deps.sessions.find(token)
      return session !== undefined && isServed(session.subscription) && isSameCaller(callerOf(session), request.caller)
    }
    const known = await findKey(deps, request)
    if (known === undefined || known.expiresAtMs <= deps.now().getTime()) return false
    return isServed(known.key.subscription) && isSameCaller(known.caller, request.caller)
  }
}

function isSameCaller(a: Caller, b: Caller): boolean {
  const isSame = a.resellerId === b.resellerId && a.keyId === b.keyId && a.subClientPin === b.subClientPin
  return isSame && a.scopes.size === b.scopes.size && [...a.scopes].every((scope) => b.scopes.has(scope))
}

function callerOf({ resellerId, userId, role, subClientId }: Session): Caller {
  return { resellerId, keyId: userId, scopes: scopesOfRole[role], subClientPin: subClientId }
}

function refusal(deps: GateDeps, surface: SurfaceName, request: FastifyRequest): Problem {
  return deps.failedAttempts.refusal(request.ip, refusedCredential(request, takesSessions(surface)))
}

/** Those that the dashboard calls. */
function takesSessions(surface: SurfaceName): boolean {
  return surface !== 'external'
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function findKey(deps: GateDeps, request: FastifyRequest): MaybePromise<KnownKey | undefined> {
  const text = presentedKey(request.headers)
  return text === undefined || !isKeyText(text) ? undefined : deps.keys.find(hashKeyText(text))
}

/** A key that is presented counts for more than the cookie that a browser sends along by itself. */
function presentedSession(request: FastifyRequest): string | undefined {
  const { authorization, 'x-api-key': apiKey } = request.headers
  return authorization !== undefined || apiKey !== undefined ? undefined : sessionTokenOf(request)
}

function requireStanding(subscription: Subscription, request: FastifyRequest): void {
  if (isServed(subscription) || request.routeOptions.config.anyStanding === true) return
  throw new Problem('subscription_required', 'An active or trialing subscription is required.', {
    actionRequired: 'subscribe',
    details: { subscription },
  })
}

/** By the limits of the key or the person, and by those of the reseller. Nothing for a key without a limit. */
function takeFromRateLimit(deps: GateDeps, caller: Caller, limits: KeyLimits | undefined, reply: FastifyReply): MaybePromise<void> {
  if (limits === undefined) return
  const own = { name: caller.keyId, limits }
  // A key that was given more than all together have by default is not held to less.
  const perMinute = Math.max(RESELLER_LIMITS.perMinute, limits.perMinute)
  const all = { name: `reseller ${caller.resellerId}`, limits: { ...RESELLER_LIMITS, perMinute } }
  return andThen(deps.rateLimits.take(caller.resellerId, [own, all]), (taken) => setRateLimitHeaders(taken, own, reply))
}

/** Headers of draft-ietf-httpapi-ratelimit-headers-10. `RateLimit` reports the limit that is nearest to its end. */
function setRateLimitHeaders({ verdict, by }: Taken, own: Limited, reply: FastifyReply): void {
  const { limits } = by
  const policies: string[] = []
  if (limits.perMinute > 0) policies.push(`"minute";q=${limits.perMinute};w=60`)
  if (limits.perDay > 0) policies.push(`"day";q=${limits.perDay};w=86400`)
  reply.header('ratelimit-policy', policies.join(', '))
  reply.header('ratelimit', `"${verdict.policy}";r=${verdict.remaining};t=${verdict.resetS}`)
  if (verdict.isAccepted) return
  const span = verdict.policy === 'minute' ? '60 seconds' : 'a UTC day'
  const whose = by !== own ? 'of this reseller together' : own.limits === PERSON_LIMITS ? 'of this person' : 'with this key'
  throw new Problem('rate_limit_exceeded', `More than ${verdict.limit} requests in ${span} ${whose}.`, {
    retryAfterS: verdict.resetS,
    details: { policy: verdict.policy, limit: verdict.limit },
  })
}

/** Without a quota the request is carried out while its call is being counted; its answer waits for both (`answerWhenCounted`). */
function countCall(deps: GateDeps, surface: SurfaceName, plan: PlanName, request: FastifyRequest, subClientId = ''): MaybePromise<void> {
  const { resellerId } = request.caller
  const quota = surface === 'platform-v1' ? deps.plans[plan].platformCallsPerMonth : 0
  const meter = surface === 'platform-v1' ? 'api_calls_platform' : 'api_calls_external'
  if (quota === 0) {
    const call = deps.usage.callToCount(resellerId, subClientId, meter)
    if (request.routeOptions.config.countsCall === true) request.callToCount = call
    else request.callCounted = call.write()
    return
  }
  return deps.usage.take(resellerId, subClientId, meter, 1, quota).then((granted) => {
    if (granted > 0) return
    throw new Problem('quota_exceeded', `The ${quota} Platform API calls of the plan are used up for this month.`, {
      actionRequired: 'upgrade_plan',
      details: { quota },
    })
  })
}

/**
 * The `onSend` hook of a surface: no call is answered that is not counted for good. Where it could not be counted the answer is 503
 * instead, although what was asked may be done; as with any 503, an `Idempotency-Key` makes the repeat safe.
 */
export function answerWhenCounted(surface: Surface): onSendHookHandler {
  return (request, reply, payload, done) => {
    const { callCounted, callToCount } = request
    if ((callCounted === undefined && callToCount === undefined) || reply.statusCode >= 500) return done(null, payload)
    request.callCounted = undefined
    request.callToCount = undefined
    // Still to be counted where the route refused the request before it came to what it brings.
    const counted = callCounted ?? callToCount?.write()
    counted?.then(
      () => done(null, payload),
      (error: Error) => {
        request.log.error({ err: error }, 'a call could not be counted')
        if (payload instanceof Readable) payload.destroy()
        const message = 'The service lost its database while it answered; what was asked may be done. Try again.'
        const problem = new Problem('unavailable', message, { retryAfterS: 1 })
        done(null, writeProblem(surface, problem, request, reply))
      },
    )
  }
}

function requireScope(caller: Caller, request: FastifyRequest): void {
  const { scope } = request.routeOptions.config
  if (scope === undefined) throw new Error(`route ${request.routeOptions.url} declares no scope`)
  if (!scopesOfRoute(scope).some((each) => grants(caller.scopes, each))) throw missingScope(scope)
}

/** A sub-client that is suspended or gone can still be read with its own key, and pay what it owes. Other keys are refused by the slice that knows the thing. */
function requireActiveSubClient({ caller, key }: KnownKey, request: FastifyRequest): void {
  if (caller.subClientPin === undefined || key.subClientStatus === 'active') return
  if (isReading(request) || request.routeOptions.config.anyStanding === true) return
  throw new Problem(
    'sub_client_suspended',
    `Sub-client ${caller.subClientPin} is ${key.subClientStatus ?? 'gone'}: it can be read, not changed.`,
  )
}
