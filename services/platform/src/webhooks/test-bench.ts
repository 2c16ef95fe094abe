// For tests only: the whole way of an event, from the outbox to a receiver on loopback, on a clock that is set by hand.

import assert from 'node:assert/strict'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '@roadworthy/contracts/platform-v1/webhooks'
import type { Event } from '@roadworthy/contracts/webhooks/events'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { newId } from '@roadworthy/service-kit/text/ids'
import { writeEvents } from '../events/outbox.ts'
import { relayEvents } from '../events/relay.ts'
import { type Answer, startTestSurface, type TestCaller, type TestSurface } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import type { AttemptDeps } from './attempt-delivery.ts'
import { webhookDeliveryPlatformRoutes } from './delivery.routes.platform-v1.ts'
import { deliverDue } from './delivery-worker.ts'
import { createDispatcher } from './dispatch.ts'
import { webhookPlatformRoutes } from './routes.platform-v1.ts'
import { WEBHOOK_SECRETS } from './secrets.ts'
import type { SendLimits } from './send-webhook.ts'
import { createTargetGuard } from './target-guard.ts'
import { resolveForbidden } from './test-addresses.ts'

export const START = new Date('2026-11-20T12:00:00.000Z')
/** Enough for a loaded machine, also where receivers hang while a test goes on. */
const LIMITS: SendLimits = { connectMs: 120_000, totalMs: 300_000, maxAnswerBytes: 65_536 }

export type MadeWebhook = { readonly secret: string; readonly webhook: Webhook }
export type DeliveryPage = {
  readonly deliveries: WebhookDelivery[]
  readonly pagination: { endCursor: string | null; hasNextPage: boolean }
}
export type DeliveryDetail = WebhookDelivery & { readonly body: string; readonly attempts: WebhookAttempt[] }

export type Bench = {
  readonly database: Database
  readonly surface: TestSurface
  /** What the worker is given. */
  readonly deps: AttemptDeps
  readonly warnings: object[]
  readonly outcomes: string[]
  now(): Date
  setTime(at: Date): void
  newReseller(): Promise<string>
  create(caller: TestCaller, url: string, given?: object): Promise<MadeWebhook>
  /** Writes events and brings them into the log; the ids in the log's order. */
  publish(resellerId: string, deviceIds: readonly string[], subClientId?: string): Promise<string[]>
  relay(): Promise<void>
  /** Attempts everything that is due. */
  deliver(): Promise<void>
  deliveries(caller: TestCaller, webhookId: string, query?: string): Promise<WebhookDelivery[]>
  detail(caller: TestCaller, delivery: WebhookDelivery): Promise<DeliveryDetail>
}

export function okBody<Body>({ status, body }: Answer<Body>): Body {
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Receivers may be on loopback, and nowhere else. */
export async function openBench(t: CleanUp): Promise<Bench> {
  const { database } = await openTestDatabase(t)
  let time = START
  const now = () => time
  const guard = createTargetGuard({ allowCidrs: '127.0.0.0/8', resolveName: resolveForbidden })
  const sealer = createSealer(TEST_SECRET_KEY, WEBHOOK_SECRETS)
  const warnings: object[] = []
  const outcomes: string[] = []
  const deps: AttemptDeps = {
    database,
    sealer,
    send: { guard, limits: LIMITS },
    now,
    random: Math.random,
    log: { warn: (details) => warnings.push(details), error: (details, message) => console.error(message, details) },
    countAttempt: (outcome) => outcomes.push(outcome),
  }
  const surface = await startTestSurface(t, platformSurface, [
    webhookPlatformRoutes({ database, sealer, guard, now }),
    webhookDeliveryPlatformRoutes({ database, now }),
  ])
  const logged: string[] = []
  const relay = async () => {
    const recorders = [
      createDispatcher({ now }),
      async (_db: unknown, events: readonly { eventId: string }[]) => {
        logged.push(...events.map(({ eventId }) => eventId))
      },
    ]
    while ((await relayEvents({ database, recorders, now })) > 0);
  }
  return {
    database,
    surface,
    deps,
    warnings,
    outcomes,
    now,
    setTime: (at) => {
      time = at
    },
    newReseller: () => insertReseller(database, newId('r').slice(0, 12)),
    create: async (caller, url, given = {}) => okBody(await surface.as(caller).post<MadeWebhook>('/webhooks', { url, ...given })),
    publish: async (resellerId, deviceIds, subClientId) => {
      logged.length = 0
      await database.tenant(resellerId, (db) =>
        writeEvents(
          db,
          deviceIds.map((deviceId) => {
            const about = { deviceId, imei: null, name: null, vehicleId: null }
            const data = { ...about, online: false, reason: 'silent', lastSeenAt: null, disconnectedAt: null } as const
            return { resellerId, type: 'device.offline', data, subClientId, occurredAt: time }
          }),
        ),
      )
      await relay()
      return [...logged]
    },
    relay,
    deliver: async () => {
      while ((await deliverDue(deps)) > 0);
    },
    deliveries: async (caller, webhookId, query = '') =>
      okBody(await surface.as(caller).get<DeliveryPage>(`/webhooks/${webhookId}/deliveries?limit=500&${query}`)).deliveries,
    detail: async (caller, { webhookId, id }) =>
      okBody(await surface.as(caller).get<DeliveryDetail>(`/webhooks/${webhookId}/deliveries/${id}`)),
  }
}

/** The devices that what was received is about. */
export function devicesIn(received: readonly { body: string }[]): unknown[] {
  return received.map(({ body }) => (JSON.parse(body) as Event).data['deviceId'])
}
