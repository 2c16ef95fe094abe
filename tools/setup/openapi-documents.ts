// The OpenAPI documents of the surfaces and the AsyncAPI document of messages, made from the apps that serve them. No database is opened and nothing listens.

import { buildEngineApp, ENGINE_VERSION } from '@roadworthy/engine/http/build-engine-app'
import { createEngineMetrics } from '@roadworthy/engine/http/engine-metrics'
import { noLicenseNeeded } from '@roadworthy/engine/license/license-gate'
import { onlyKnowledge } from '@roadworthy/engine/models/knowledge-models'
import { buildHttp } from '@roadworthy/platform/main/http/build-http'
import { createOperators } from '@roadworthy/platform/main/operators'
import { createPayments } from '@roadworthy/platform/main/payments'
import { createVapid } from '@roadworthy/platform/notifications/browsers/web-push'
import { createEngineClient } from '@roadworthy/platform/predictions/engine/engine-client'
import { createAccess } from '@roadworthy/platform/surfaces/access'
import { createTargetGuard } from '@roadworthy/platform/webhooks/target-guard'
import type { App } from '@roadworthy/service-kit/http/http'
import { openDatabase } from '@roadworthy/service-kit/postgres/db'
import { createSealer } from '@roadworthy/service-kit/process/sealed'

/** Connections are opened when they are used, and here none is. */
const NO_DATABASE = 'postgresql://nobody@127.0.0.1:1/nothing'
/** The same in every run, so that nothing in a document can depend on when it was made. */
const EPOCH_MS = Date.parse('2026-01-01T00:00:00.000Z')

/** File name under `docs/openapi` to its text. */
export async function openApiDocuments(): Promise<Readonly<Record<string, string>>> {
  const platform = await buildPlatform()
  const engine = await buildEngineApp({
    logger: false,
    nowMs: () => EPOCH_MS,
    monotonicMs: () => 0,
    models: onlyKnowledge,
    license: noLicenseNeeded,
    metrics: createEngineMetrics(ENGINE_VERSION, { hasDefaults: false }),
    isDraining: () => false,
    isOverloaded: () => false,
  })
  try {
    return {
      'external.json': await documentAt(platform.app, '/openapi/external.json'),
      'platform-v1.json': await documentAt(platform.app, '/openapi/platform-v1.json'),
      'sim-billing.json': await documentAt(platform.app, '/openapi/sim-billing.json'),
      'engine.json': await documentAt(engine, '/openapi.json'),
      'asyncapi.json': await documentAt(platform.app, '/openapi/asyncapi.json'),
    }
  } finally {
    await Promise.all([platform.close(), engine.close()])
  }
}

async function buildPlatform(): Promise<{ app: App; close: () => Promise<void> }> {
  const now = () => new Date(EPOCH_MS)
  const onError = (error: Error) => {
    throw error
  }
  const secretKey = 'for documents only, never a secret'
  const database = openDatabase(
    { owner: NO_DATABASE, app: NO_DATABASE, system: NO_DATABASE },
    { appConnections: 1, systemConnections: 1, onError },
  )
  const access = createAccess({ database, notifications: undefined, now, secretKey, onError })
  const app = await buildHttp({
    database,
    publicDatabase: database,
    access,
    ingest: () => Promise.reject(new Error('there is no ingest here')),
    engine: createEngineClient({ engineUrl: 'http://127.0.0.1:1', random: () => 0 }),
    mqtt: { broker: () => 'localhost:1883', topicPrefix: 'fleet' },
    window: { maxAgeMs: 0, maxAheadMs: 0 },
    secretKey,
    isReservedHost: () => false,
    present: () => Promise.reject(new Error('there is no brand here')),
    exits: {
      sealer: createSealer(secretKey, 'documents'),
      vapid: createVapid(secretKey),
      present: () => Promise.reject(new Error('there is no brand here')),
      post: () => Promise.reject(new Error('there is nobody to send to here')),
    },
    webhookTargets: createTargetGuard({ allowCidrs: '', resolveName: () => Promise.reject(new Error('there is no DNS here')) }),
    operators: createOperators({ database, settings: {}, secretKey, now, log: { warn: () => undefined } }),
    payments: createPayments(
      { settings: {}, secretKey, now, log: { error: () => undefined, warn: () => undefined } },
      database,
      () => 'http://localhost',
    ),
    streams: {
      guard: () => Promise.reject(new Error('there is no DNS here')),
      testConnection: () => Promise.reject(new Error('there is nothing to test here')),
    },
    now,
    offlineAfterMs: 300_000,
    retention: { readings: 400, events: 30, webhook_deliveries: 30, request_log: 7, notifications: 365, audit: 400 },
    readingsRetention: { presetDays: 400, minDays: 30 },
    fleetChanged: () => undefined,
    checks: {},
    isStopping: () => false,
    logger: false,
    trustProxy: [],
  })
  const close = async () => {
    await app.close()
    await access.close()
    await database.close()
  }
  return { app, close }
}

async function documentAt(app: App, url: string): Promise<string> {
  const { statusCode, body } = await app.inject({ method: 'GET', url })
  if (statusCode !== 200) throw new Error(`GET ${url} answered ${statusCode}: ${body}`)
  return `${JSON.stringify(JSON.parse(body), null, 2)}\n`
}
