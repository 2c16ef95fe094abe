// This slice as the rest of a process sees it: made once, handed to the surfaces and to the slices that count things.

import type { App } from '@roadworthy/service-kit/http/http'
import type { Problem } from '@roadworthy/service-kit/http/problem'
import { startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Notifications } from '@roadworthy/service-kit/postgres/notifications'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { TokenHolders } from '../devices/token-holders.ts'
import { KnownKeys } from '../keys/known-keys.ts'
import { FailedAttempts } from '../limits/failed-attempts.ts'
import { defaultPlans, type Plans, type SurfaceName } from '../limits/plans.ts'
import { PublicRate } from '../limits/public-rate.ts'
import { RateLimits } from '../limits/rate-limits.ts'
import { selectPredictionLimit } from '../limits/sub-client-limits.read.sql.ts'
import { type CallToCount, UsageMeter } from '../limits/usage.ts'
import { BackgroundTasks } from '../people/background-tasks.ts'
import type { PasswordCost } from '../people/password.ts'
import { PasswordLinks } from '../people/password-links.ts'
import { PasswordQueue } from '../people/password-queue.ts'
import { linkTo, type Post } from '../people/post.ts'
import { Sessions } from '../people/sessions.ts'
import { SignInRate } from '../people/sign-in-rate.ts'
import { addIdempotency } from '../requests/idempotency.ts'
import { requireReseller } from '../resellers/resellers.ts'
import { createGate, createRecheck } from './gate.ts'

export type Access = {
  /**
   * The `onRequest` hook of one surface: finds the key, sets `request.caller`, then checks standing, limits and scope, in this order.
   * Routes with `config.public` and unknown routes pass. Costs no promise while the key is in memory.
   */
  gate(surface: SurfaceName): onRequestHookHandler
  /** Whether the gate of one surface would let this request in again, as the same caller: for answers that go on for long. */
  recheck(surface: SurfaceName): (request: FastifyRequest) => Promise<boolean>
  /** Answers repeated POSTs of one surface from what was kept. Call on its instance, after the gate and before its routes. */
  addIdempotency(app: App): void
  /**
   * Takes up to `count` predictions from the reseller's monthly quota, and from the limit of the sub-client, and returns how many were
   * granted: all of them where there is neither. Counts them either way. Fewer than asked for: one of the two is used up.
   */
  consumePredictionQuota(resellerId: string, count: number, subClientId?: string): Promise<number>
  /** Drops what is held of a reseller's keys, so that a change made by this process acts at once. */
  forgetReseller(resellerId: string): void
  /** What to answer a credential that lets nobody in, from this address: `otherwise`, unless there were too many. */
  refuseCredential(address: string, otherwise: Problem): Problem
  /** A call of a device that is let in by a token of its own, to be counted with what it brings. */
  callOfDevice(resellerId: string, subClientId: string | undefined): CallToCount
  /** Whom tokens of phones and trackers let in. */
  readonly deviceTokens: TokenHolders
  readonly plans: Plans
  /** People who are signed in. */
  readonly sessions: Sessions
  /** How people get and replace their passwords. */
  readonly passwordLinks: PasswordLinks
  readonly post: Post
  /** Resolves when what follows answers that went out is done: letters, and failures to sign in. */
  settled(): Promise<void>
  /** Writes what is noted in memory, of rates and of the use of keys, and reads what other processes counted. Also happens each second. */
  flush(): Promise<void>
  /** Writes what is noted and stops. */
  close(): Promise<void>
}

export type AccessDeps = {
  readonly database: Database
  /** For what every call waits for: finding keys and sessions, their limits, and the counting. Else the connections of `database`. */
  readonly signInDatabase?: Database
  /** For routes that anybody may ask. Else the connections of `database`. */
  readonly publicDatabase?: Database
  /** Without it, changes act within a second all the same. */
  readonly notifications: Notifications | undefined
  readonly now: () => Date
  readonly secretKey: string
  readonly plans?: Plans
  /** Requests with a bad key that one address may make a minute before it gets 429 in place of 401. 0: any number. Loopback is exempt. */
  readonly authFailuresPerMinute?: number
  /** Of passwords that are set; what OWASP advises unless it is given. */
  readonly passwordCost?: PasswordCost
  /** Without it nothing is mailed, and links are those of an instance on this machine. */
  readonly post?: Post
  /** Called when somebody asked for a link and no mail server took it. Whoever runs the service can make another one and hand it over. */
  readonly onUnmailed?: (email: string) => void
  /** Called when that could not be written; it is kept and written later. */
  readonly onError: (error: Error) => void
}

const FLUSH_EVERY_MS = 1_000
const AUTH_FAILURES_PER_MINUTE = 20
/** A mail server that does not answer holds up no stop. */
const LETTERS_WAIT_MS = 1_000

export function createAccess(deps: AccessDeps): Access {
  const { database, signInDatabase = database, publicDatabase = database, now, plans = defaultPlans } = deps
  const keys = new KnownKeys({ database: signInDatabase, notifications: deps.notifications, now, plans })
  const rateLimits = new RateLimits(signInDatabase, now)
  const usage = new UsageMeter(signInDatabase, now, database)
  const failedAttempts = new FailedAttempts(deps.authFailuresPerMinute ?? AUTH_FAILURES_PER_MINUTE, now)
  const publicRate = new PublicRate(now)
  const { post = unmailed, onUnmailed = () => {} } = deps
  const backgroundTasks = new BackgroundTasks(deps.onError)
  const people = {
    database: signInDatabase,
    publicDatabase,
    now,
    signInRate: new SignInRate({ database: signInDatabase, now, secretKey: deps.secretKey }),
    passwords: new PasswordQueue(deps.passwordCost),
    runInBackground: (run: () => Promise<void>) => backgroundTasks.add(run),
  }
  const sessions = new Sessions(people)
  const sealer = createSealer(deps.secretKey, 'idempotency')

  const flush = async () => {
    const results = await Promise.allSettled([rateLimits.flush(), usage.readBack(), keys.flush()])
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  const everySecond = async () => {
    await flush()
    return FLUSH_EVERY_MS
  }
  // The next is a second after the end of the one before: what hangs is not joined by another every second, until no connection is left.
  const flushes = startRounds(everySecond, FLUSH_EVERY_MS, (error) => deps.onError(error as Error))

  const gateDeps = { keys, sessions, failedAttempts, publicRate, rateLimits, usage, plans, now }
  return {
    gate: (surface) => createGate(gateDeps, surface),
    recheck: (surface) => createRecheck(gateDeps, surface),
    addIdempotency: (app) => addIdempotency(app, { database, sealer }),
    consumePredictionQuota: async (resellerId, count, subClientId = '') => {
      const { plan } = await requireReseller(database, resellerId)
      const quota = plans[plan].predictionsPerMonth
      const limit = subClientId === '' ? undefined : await selectPredictionLimit(database.tenantPool(resellerId), resellerId, subClientId)
      if (limit !== undefined) {
        const take = { resellerId, subClientId, meter: 'predictions', count } as const
        return usage.takeForSubClient(take, limit, quota === 0 ? undefined : quota)
      }
      if (quota > 0) return usage.take(resellerId, subClientId, 'predictions', count, quota)
      await usage.count(resellerId, subClientId, 'predictions', count)
      return count
    },
    forgetReseller: (resellerId) => keys.forgetReseller(resellerId),
    deviceTokens: new TokenHolders(signInDatabase, now),
    refuseCredential: (address, otherwise) => failedAttempts.refusal(address, otherwise),
    callOfDevice: (resellerId, subClientId = '') => usage.callToCount(resellerId, subClientId, 'api_calls_external'),
    plans,
    sessions,
    passwordLinks: new PasswordLinks({ ...people, sessions, post, onUnmailed }),
    post,
    settled: () => backgroundTasks.settled(),
    flush,
    close: async () => {
      keys.stopListening()
      await flushes.stop()
      await backgroundTasks.settled(LETTERS_WAIT_MS)
      await flush()
    },
  }
}

const unmailed: Post = { isMailing: false, send: async (letter) => ({ url: linkTo('http://localhost:8080', letter), isMailed: false }) }
