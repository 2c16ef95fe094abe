// This slice as the rest of a process sees it: made once, handed to the surfaces and to the slices that count things.

import type { Database } from '@roadworthy/service-kit/db'
import type { App } from '@roadworthy/service-kit/http'
import type { Notifications } from '@roadworthy/service-kit/notifications'
import { createSealer } from '@roadworthy/service-kit/sealed'
import type { onRequestHookHandler } from 'fastify'
import { Afterwards } from './afterwards.ts'
import { FailedAttempts } from './failed-attempts.ts'
import { createGate } from './gate.ts'
import { addIdempotency } from './idempotency.ts'
import { KnownKeys } from './known-keys.ts'
import { PasswordLinks } from './password-links.ts'
import { PasswordQueue } from './password-queue.ts'
import { defaultPlans, type Plans, type SurfaceName } from './plans.ts'
import { type Letter, linkTo, type Post } from './post.ts'
import { RateLimits } from './rate-limits.ts'
import { requireReseller } from './resellers.ts'
import { Sessions } from './sessions.ts'
import { selectPredictionLimit } from './sub-client-limits.read.sql.ts'
import { UsageMeter } from './usage.ts'

export type Access = {
  /**
   * The `onRequest` hook of one surface: finds the key, sets `request.caller`, then checks standing, limits and scope, in this order.
   * Routes with `config.public` and unknown routes pass. Costs no promise while the key is in memory.
   */
  gate(surface: SurfaceName): onRequestHookHandler
  /** Answers repeated POSTs of one surface from what was kept. Call on its instance, after the gate and before its routes. */
  addIdempotency(app: App): void
  /**
   * Takes up to `count` predictions from the reseller's monthly quota, and from the limit of the sub-client, and returns how many were
   * granted: all of them where there is neither. Counts them either way. Fewer than asked for: one of the two is used up.
   */
  consumePredictionQuota(resellerId: string, count: number, subClientId?: string): Promise<number>
  /** Drops what is held of a reseller's keys, so that a change made by this process acts at once. */
  forgetReseller(resellerId: string): void
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
  /** Without it, changes act within a second all the same. */
  readonly notifications: Notifications | undefined
  readonly now: () => Date
  readonly secretKey: string
  readonly plans?: Plans
  /** Requests with a bad key that one address may make a minute before it gets 429 in place of 401. 0: any number. Loopback is exempt. */
  readonly authFailuresPerMinute?: number
  /** Without it nothing is mailed, and links are those of an instance on this machine. */
  readonly post?: Post
  /** Told of a link that somebody asked for and no mail server took: whoever runs the service is to hand it over. */
  readonly onUnmailed?: (letter: Letter, url: string) => void
  /** Told when that could not be written; it is kept and written later. */
  readonly onError: (error: Error) => void
}

const FLUSH_EVERY_MS = 1_000
const AUTH_FAILURES_PER_MINUTE = 20
/** A mail server that does not answer holds up no stop. */
const LETTERS_WAIT_MS = 1_000

export function createAccess(deps: AccessDeps): Access {
  const { database, now, plans = defaultPlans } = deps
  const keys = new KnownKeys({ database, notifications: deps.notifications, now, plans })
  const rateLimits = new RateLimits(database, now)
  const usage = new UsageMeter(database, now)
  const failedAttempts = new FailedAttempts(deps.authFailuresPerMinute ?? AUTH_FAILURES_PER_MINUTE, now)
  const { post = unmailed, onUnmailed = () => {} } = deps
  const afterwards = new Afterwards(deps.onError)
  const people = { database, now, passwords: new PasswordQueue(), afterwards: (run: () => Promise<void>) => afterwards.add(run) }
  const sessions = new Sessions(people)
  const sealer = createSealer(deps.secretKey, 'idempotency')

  const flush = async () => {
    const results = await Promise.allSettled([rateLimits.flush(), usage.readBack(), keys.flush()])
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  const timer = setInterval(() => flush().catch(deps.onError), FLUSH_EVERY_MS).unref()

  return {
    gate: (surface) => createGate({ keys, sessions, failedAttempts, rateLimits, usage, plans, now }, surface),
    addIdempotency: (app) => addIdempotency(app, { database, sealer, now }),
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
    plans,
    sessions,
    passwordLinks: new PasswordLinks({ ...people, sessions, post, onUnmailed }),
    post,
    settled: () => afterwards.settled(),
    flush,
    close: async () => {
      clearInterval(timer)
      keys.stopListening()
      await afterwards.settled(LETTERS_WAIT_MS)
      await flush()
    },
  }
}

const unmailed: Post = { send: async (letter) => ({ url: linkTo('http://localhost:8080', letter), isMailed: false }) }
