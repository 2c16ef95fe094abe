// For tests only: every route of the platform over a database of its own, as `npm start` registers them, with the parts behind them away.

import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import type { RouteOptions } from 'fastify'
import { createReservedHosts } from '../brands/reserved-hosts.ts'
import { createExits } from '../notifications/create-exits.ts'
import { createAccess } from '../surfaces/access.ts'
import { lastFirst } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { createTargetGuard } from '../webhooks/target-guard.ts'
import { buildHttp } from './http/build-http.ts'
import { createOperators } from './operators.ts'
import { createPayments } from './payments.ts'

export type RegisteredRoute = Pick<RouteOptions, 'method' | 'url' | 'config' | 'schema'>

export type WholeApi = { readonly app: App; readonly database: Database; readonly routes: readonly RegisteredRoute[] }

/** Of the routes those that Fastify adds by itself for HEAD are left out. */
export async function openWholeApi(t: CleanUp): Promise<WholeApi> {
  const cleanUp = lastFirst(t)
  const { database } = await openTestDatabase(cleanUp)
  const now = () => new Date()
  const routes: RegisteredRoute[] = []
  const access = createAccess({
    database,
    notifications: undefined,
    now,
    secretKey: TEST_SECRET_KEY,
    onError: (error) => console.error(error),
  })
  const isAway = () => Promise.reject(new Error('this part of the platform is away in this test'))
  const app = await buildHttp({
    database,
    publicDatabase: database,
    isReservedHost: createReservedHosts('http://localhost', ''),
    present: async () => ({ name: 'Roadworthy', baseUrl: 'http://localhost' }),
    exits: createExits({
      ...{ secretKey: TEST_SECRET_KEY, present: async () => ({ name: 'Roadworthy', baseUrl: 'http://localhost' }) },
      guard: createTargetGuard({ allowCidrs: '', resolveName: isAway }),
    }),
    access,
    ingest: async (batch) => batch.map(() => ({ status: 'refused', problem: new Problem('device_not_found', 'No such device.') })),
    engine: {
      predict: isAway,
      predictBatch: isAway,
      models: async () => ({ models: [], problem: undefined }),
      isHealthy: async () => true,
    },
    mqtt: { broker: () => 'localhost:1883', topicPrefix: 'fleet' },
    window: { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 },
    secretKey: TEST_SECRET_KEY,
    webhookTargets: createTargetGuard({ allowCidrs: '', resolveName: isAway }),
    operators: createOperators({ database, settings: {}, secretKey: TEST_SECRET_KEY, now, log: { warn: () => undefined } }),
    payments: createPayments(
      { settings: {}, secretKey: TEST_SECRET_KEY, now, log: { error: () => undefined, warn: () => undefined } },
      database,
      () => 'http://localhost',
    ),
    streams: { guard: isAway, testConnection: isAway },
    now,
    offlineAfterMs: 300_000,
    retention: { readings: 400, events: 30, webhook_deliveries: 30, request_log: 7, notifications: 365, audit: 400 },
    readingsRetention: { presetDays: 400, minDays: 30 },
    fleetChanged: () => {},
    checks: {},
    isStopping: () => false,
    logger: false,
    trustProxy: [],
    beforeRoutes: (root) => {
      // The route itself: hooks that are added later go on describing it.
      root.addHook('onRoute', (route) => {
        if (route.method !== 'HEAD') routes.push(route)
      })
    },
  })
  cleanUp.after(async () => {
    await app.close()
    await access.close()
  })
  return { app, database, routes }
}
