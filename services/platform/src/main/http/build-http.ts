// The HTTP side of the platform: its surfaces with the routes of every slice, the dashboard, and the probes. Opens nothing, so that the OpenAPI
// documents can be made without a database.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type App, createHttpApp, speakSurface } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import type { FastifyBaseLogger } from 'fastify'
import { resolveAlertsOfIncident } from '../../alerts/resolve-alerts.ts'
import { alertPlatformRoutes, standingPlatformAlerts } from '../../alerts/routes.platform-v1.ts'
import { auditPlatformRoutes } from '../../audit/routes.platform-v1.ts'
import { billingRoutes } from '../../billing/billing.routes.sim-billing.ts'
import { type DocumentRoutesDeps, invoiceDocumentRoutes } from '../../billing/document.routes.sim-billing.ts'
import { requestDueMonths } from '../../billing/draft-month.ts'
import { invoiceRoutes } from '../../billing/invoice.routes.sim-billing.ts'
import { invoiceChangeRoutes } from '../../billing/invoice-change.routes.sim-billing.ts'
import { ratePlanRoutes } from '../../billing/rating/rate-plan.routes.sim-billing.ts'
import { selectBrand, selectLogoByContentAcrossResellers } from '../../brands/brands.sql.ts'
import type { IsReservedHost } from '../../brands/reserved-hosts.ts'
import { brandPlatformRoutes } from '../../brands/routes.platform-v1.ts'
import type { BrokerAccounts } from '../../devices/broker-accounts.ts'
import { deviceExternalRoutes } from '../../devices/device.routes.external.ts'
import { devicePlatformRoutes } from '../../devices/device.routes.platform-v1.ts'
import { deviceLinks } from '../../devices/device-links.ts'
import type { MqttAddress } from '../../devices/external-device.ts'
import { locationExternalRoutes } from '../../devices/location.routes.external.ts'
import { positionPlatformRoutes } from '../../devices/position.routes.platform-v1.ts'
import { eventPlatformRoutes } from '../../events/routes.platform-v1.ts'
import { subClientExternalRoutes } from '../../fleet/sub-client.routes.external.ts'
import { subClientPlatformRoutes } from '../../fleet/sub-client.routes.platform-v1.ts'
import { vehicleExternalRoutes } from '../../fleet/vehicle.routes.external.ts'
import { vehicleGroupPlatformRoutes } from '../../fleet/vehicle-group.routes.platform-v1.ts'
import type { RetentionBounds } from '../../history/retention.ts'
import { readingsRetentionPlatformRoutes } from '../../history/routes.platform-v1.ts'
import { incidentPlatformRoutes } from '../../incidents/routes.platform-v1.ts'
import type { Ingest } from '../../ingest/inbound.ts'
import { normalize, type TimeWindow } from '../../ingest/normalize.ts'
import { forwardExternalRoutes } from '../../ingest/receivers/http-trackers/forward.routes.external.ts'
import { trackerExternalRoutes } from '../../ingest/receivers/http-trackers/tracker.routes.external.ts'
import { telemetryExternalRoutes } from '../../ingest/receivers/rest/rest-receiver.ts'
import { warningsOfOne } from '../../ingest/wire-warnings.ts'
import { apiKeyPlatformRoutes } from '../../keys/routes.platform-v1.ts'
import { livePlatformRoutes } from '../../live/routes.platform-v1.ts'
import { loadAdviceBases } from '../../maintenance/advice-bases.ts'
import { calendarPlatformRoutes } from '../../maintenance/calendar.routes.platform-v1.ts'
import { learningPlatformRoutes } from '../../maintenance/learning.routes.platform-v1.ts'
import { maintenancePlatformRoutes } from '../../maintenance/maintenance.routes.platform-v1.ts'
import { odometerPlatformRoutes } from '../../maintenance/odometer.routes.platform-v1.ts'
import { schedulePlatformRoutes } from '../../maintenance/schedule.routes.platform-v1.ts'
import { usageExternalRoutes } from '../../metering/routes.external.ts'
import { usagePlatformRoutes } from '../../metering/routes.platform-v1.ts'
import { createStatementKey } from '../../metering/statement-key.ts'
import { ACKNOWLEDGE_PATH, type AcknowledgeRoutesDeps, acknowledgeRoutes } from '../../notifications/acknowledgements/acknowledge.routes.ts'
import { createAcknowledgeLinks } from '../../notifications/acknowledgements/acknowledge-link.ts'
import { pushSubscriptionPlatformRoutes } from '../../notifications/browsers/push-subscription.routes.platform-v1.ts'
import { notificationChannelPlatformRoutes } from '../../notifications/channels/channel.routes.platform-v1.ts'
import { notificationPlatformRoutes } from '../../notifications/routes.platform-v1.ts'
import { personalRulePlatformRoutes } from '../../notifications/rules/personal-rule.routes.platform-v1.ts'
import type { ChannelExits } from '../../notifications/send-notification.ts'
import { overviewPlatformRoutes } from '../../overview/routes.platform-v1.ts'
import { paymentCallbackRoutes } from '../../payments/callback.routes.sim-billing.ts'
import { gatewayConnectionRoutes } from '../../payments/connection.routes.sim-billing.ts'
import { paymentsOf } from '../../payments/invoice-payments.ts'
import { paymentRoutes } from '../../payments/payment.routes.sim-billing.ts'
import type { PaymentDeps } from '../../payments/payment-deps.ts'
import { recordedPaymentRoutes } from '../../payments/recorded.routes.sim-billing.ts'
import { endCheckout, refundSurplus } from '../../payments/request-refund.ts'
import { createTakeCallback } from '../../payments/take-callback.ts'
import { findSession, sessionPlatformRoutes } from '../../people/session.routes.platform-v1.ts'
import { userPlatformRoutes } from '../../people/user.routes.platform-v1.ts'
import { driftPlatformRoutes } from '../../predictions/drift.routes.platform-v1.ts'
import type { EngineClient } from '../../predictions/engine/engine-client.ts'
import { modelPlatformRoutes } from '../../predictions/engine/models.routes.platform-v1.ts'
import { fleetPlatformRoutes } from '../../predictions/fleet/fleet.routes.platform-v1.ts'
import { healthPlatformRoutes } from '../../predictions/health.routes.platform-v1.ts'
import { predictionExternalRoutes } from '../../predictions/routes.external.ts'
import { predictionPlatformRoutes } from '../../predictions/routes.platform-v1.ts'
import { vehiclePlatformRoutes } from '../../predictions/vehicle.routes.platform-v1.ts'
import { clearDue, markDue } from '../../readings/due.sql.ts'
import { messagePlatformRoutes } from '../../readings/messages.routes.platform-v1.ts'
import type { PastReadings } from '../../readings/past-readings.ts'
import { readingsPlatformRoutes } from '../../readings/routes.platform-v1.ts'
import { telemetryPlatformRoutes } from '../../readings/telemetry.routes.platform-v1.ts'
import { trackPlatformRoutes } from '../../readings/track.routes.platform-v1.ts'
import type { RequestLog } from '../../requests/request-log.ts'
import { requestLogPlatformRoutes } from '../../requests/routes.platform-v1.ts'
import { planPlatformRoutes, type Retention } from '../../resellers/plan.routes.platform-v1.ts'
import { settingsPlatformRoutes } from '../../resellers/settings.routes.platform-v1.ts'
import { actionSimBillingRoutes } from '../../sims/actions/action.routes.sim-billing.ts'
import { connectionSimBillingRoutes } from '../../sims/connections/connection.routes.sim-billing.ts'
import { simSimBillingRoutes } from '../../sims/sim.routes.sim-billing.ts'
import { syncSimBillingRoutes } from '../../sims/sync/sync.routes.sim-billing.ts'
import { type StreamRoutesDeps, streamPlatformRoutes } from '../../streams/routes.platform-v1.ts'
import { STREAM_SECRETS } from '../../streams/secrets.ts'
import type { Access } from '../../surfaces/access.ts'
import { externalSurface, platformSurface, simBillingSurface } from '../../surfaces/errors.ts'
import { EXTERNAL_PREFIX, mountExternal } from '../../surfaces/external.ts'
import { mountPlatformV1 } from '../../surfaces/platform-v1.ts'
import { mountSimBilling, SIM_BILLING_PREFIX } from '../../surfaces/sim-billing.ts'
import { webhookDeliveryPlatformRoutes } from '../../webhooks/delivery.routes.platform-v1.ts'
import { webhookPlatformRoutes } from '../../webhooks/routes.platform-v1.ts'
import { WEBHOOK_SECRETS } from '../../webhooks/secrets.ts'
import type { TargetGuard } from '../../webhooks/target-guard.ts'
import { demoFleetPlatformRoutes } from '../demo/demo-fleet.routes.platform-v1.ts'
import { type DemoFleetControl, NO_DEMO_FLEET } from '../demo/demo-fleet.ts'
import { serveMessageDocument } from '../message-document.ts'
import type { OperatorParts } from '../operators.ts'
import { BUILT_IN_MAP, type ServedMap } from '../settings/map-settings.ts'
import { DASHBOARD_DIST, serveDashboard } from './dashboard.ts'
import { mapPlatformRoutes } from './map.routes.platform-v1.ts'
import { serveSecurityTxt } from './security-txt.ts'

export type ReadinessCheck = () => Promise<{ ok: boolean; detail: string }>

/** What the server of every process has. */
export type ProcessHttpDeps = {
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  /** Routes that belong to no surface, by the path they are under. */
  readonly besideSurfaces?: Readonly<Record<string, FastifyPluginAsyncTypebox>>
  readonly isStopping: () => boolean
  readonly logger: FastifyBaseLogger | false
  /** Networks of proxies (`trusted-proxies.ts`). */
  readonly trustProxy: readonly string[]
  /** Called with the app before any route is registered. */
  readonly beforeRoutes?: (app: App) => void
}

/** Of a process that takes readings and serves nothing else. */
export type ReceiverHttpDeps = ProcessHttpDeps & {
  readonly database: Database
  readonly access: Access
  readonly requestLog?: RequestLog | undefined
  readonly ingest: Ingest
  readonly past?: PastReadings
  readonly now: () => Date
}

export type HttpDeps = ProcessHttpDeps & {
  readonly database: Database
  /** For routes that anybody may ask. */
  readonly publicDatabase: Database
  readonly access: Access
  readonly requestLog?: RequestLog | undefined
  readonly ingest: Ingest
  readonly engine: EngineClient
  /** None where it is left out. */
  readonly past?: PastReadings
  readonly mqtt: MqttAddress
  readonly window: TimeWindow
  readonly secretKey: string
  /** Where webhooks may go. */
  readonly webhookTargets: TargetGuard
  readonly operators: OperatorParts
  readonly payments: PaymentDeps
  readonly streams: Pick<StreamRoutesDeps, 'guard' | 'testConnection'>
  /** Under which others reach the APIs; as the caller reached them where it is not set. */
  readonly baseUrl?: string | undefined
  /** The built-in one where it is left out. */
  readonly map?: ServedMap
  /** None where it is left out. */
  readonly demoFleet?: DemoFleetControl | undefined
  /** Shown in `/.well-known/security.txt`. */
  readonly securityContact?: string | undefined
  /** Where no brand of a reseller is shown. */
  readonly isReservedHost: IsReservedHost
  /** Whose name and dashboard messages bear, and the pages that their links open. */
  readonly present: AcknowledgeRoutesDeps['present']
  /** How messages reach channels. */
  readonly exits: ChannelExits
  readonly now: () => Date
  /** A device or a vehicle that reported nothing for longer is shown as offline, unless it is connected. */
  readonly offlineAfterMs: number
  readonly retention: Retention
  readonly readingsRetention: RetentionBounds
  /** Called after a change is committed, so that this process forgets what it held of the reseller. */
  readonly fleetChanged: (resellerId: string) => void
  readonly brokerAccounts?: BrokerAccounts | undefined
}

const vehiclesOf = ({ database, now, fleetChanged, offlineAfterMs }: HttpDeps) => ({
  ...{ database, now, fleetChanged, offlineAfterMs },
  ...{ deviceLinks, forgetDue: clearDue, markDue },
})

/** The surface's errors, the probes, and what belongs to no surface. */
async function openApp(deps: ProcessHttpDeps, servedElsewhere?: string): Promise<App> {
  const app = createHttpApp({ logger: deps.logger, trustProxy: deps.trustProxy, servedElsewhere })
  speakSurface(app, platformSurface)
  deps.beforeRoutes?.(app)
  addProbes(app, deps)
  for (const [prefix, routes] of Object.entries(deps.besideSurfaces ?? {})) await app.register(routes, { prefix })
  return app
}

/** Nothing but the probes. */
export async function buildWorkerHttp(deps: ProcessHttpDeps): Promise<App> {
  const app = await openApp(
    deps,
    'This process serves no API (ROLES). Ask one with the role api, and send readings to one with the role receivers.',
  )
  await app.register(async (external) => speakSurface(external, externalSurface), { prefix: EXTERNAL_PREFIX })
  await app.register(async (simBilling) => speakSurface(simBilling, simBillingSurface), { prefix: SIM_BILLING_PREFIX })
  await app.ready()
  return app
}

/** Readings by REST, on the two surfaces that take them. */
export async function buildReceiverHttp(deps: ReceiverHttpDeps): Promise<App> {
  const app = await openApp(
    deps,
    'This process takes readings and serves nothing else of the APIs (ROLES). Ask a process with the role api.',
  )
  await app.register(async (simBilling) => speakSurface(simBilling, simBillingSurface), { prefix: SIM_BILLING_PREFIX })
  await mountExternal(app, { ...deps, routes: readingRoutes(deps) })
  await mountPlatformV1(app, { ...deps, routes: [telemetryPlatformRoutes({ ingest: deps.ingest, toWarnings: warningsOfOne })] })
  await app.ready()
  return app
}

/** Everything. Readings are taken by `ingest`, wherever that is. */
export async function buildHttp(deps: HttpDeps): Promise<App> {
  const { database, publicDatabase, access, now, engine, fleetChanged, offlineAfterMs } = deps
  const app = await openApp(deps)
  await serveDashboard(app, DASHBOARD_DIST, deps.map)
  serveSecurityTxt(app, deps)
  serveMessageDocument(app)
  await app.register(acknowledgePages(deps), { prefix: ACKNOWLEDGE_PATH })
  const devices = { ...deps, markDue, sealer: createSealer(deps.secretKey, 'device registrations') }
  await mountExternal(app, { ...deps, routes: externalRoutes(deps, devices) })
  await mountPlatformV1(app, {
    ...deps,
    routes: [
      subClientPlatformRoutes({ database, now, deviceLinks, fleetChanged }),
      devicePlatformRoutes(devices),
      overviewPlatformRoutes({ database, now, offlineAfterMs, loadAdviceBases }),
      fleetPlatformRoutes({ database, now, offlineAfterMs }),
      positionPlatformRoutes({ database, now, offlineAfterMs }),
      vehiclePlatformRoutes(vehiclesOf(deps)),
      vehicleGroupPlatformRoutes({ database, now }),
      healthPlatformRoutes({ database, engine, now, standingAlerts: standingPlatformAlerts, loadAdviceBases }),
      messagePlatformRoutes({ database, now, topicPrefix: deps.mqtt.topicPrefix }),
      ...positionRoutes(deps),
      predictionPlatformRoutes({ database }),
      driftPlatformRoutes({ database, now }),
      modelPlatformRoutes({
        engine,
        now,
        readReading: (record, receivedAtMs) => {
          const { content, warnings } = normalize(record, receivedAtMs, deps.window)
          return { content, warnings: warningsOfOne(warnings) ?? [] }
        },
        consumePredictionQuota: access.consumePredictionQuota,
      }),
      incidentPlatformRoutes({ database, now, loadAdviceBases, resolveAlerts: resolveAlertsOfIncident }),
      alertPlatformRoutes(deps),
      maintenancePlatformRoutes({ database, now }),
      schedulePlatformRoutes({ database, now }),
      settingsPlatformRoutes({ database, now }),
      odometerPlatformRoutes({ database, now }),
      calendarPlatformRoutes({ database, publicDatabase, now, baseUrl: deps.baseUrl }),
      learningPlatformRoutes({ database, now }),
      eventPlatformRoutes({ database }),
      livePlatformRoutes({ database, now, offlineAfterMs, log: app.log }),
      webhookPlatformRoutes({ database, sealer: createSealer(deps.secretKey, WEBHOOK_SECRETS), guard: deps.webhookTargets, now }),
      webhookDeliveryPlatformRoutes({ database, now }),
      ...notificationRoutes(deps),
      streamPlatformRoutes({ database, now, sealer: createSealer(deps.secretKey, STREAM_SECRETS), ...deps.streams }),
      telemetryPlatformRoutes({ ingest: deps.ingest, toWarnings: warningsOfOne }),
      usagePlatformRoutes({ database, now, statementKey: createStatementKey(deps.secretKey) }),
      apiKeyPlatformRoutes({ database, access, now }),
      sessionPlatformRoutes(access),
      userPlatformRoutes({ database, now, post: access.post }),
      auditPlatformRoutes({ database }),
      demoFleetPlatformRoutes({ database, demoFleet: deps.demoFleet ?? NO_DEMO_FLEET, now }),
      planPlatformRoutes({ database, plans: access.plans, retention: deps.retention, now }),
      requestLogPlatformRoutes({ database }),
      brandPlatformRoutes({ ...deps, findSignedIn: (request) => findSession(access.sessions, request) }),
    ],
  })
  await mountSimBilling(app, { ...deps, routes: simBillingRoutes(deps) })
  await app.ready()
  return app
}

/** What vehicles reported, where they were, and what that is drawn on. */
function positionRoutes(deps: HttpDeps): FastifyPluginAsyncTypebox[] {
  const map = mapPlatformRoutes(deps.map ?? BUILT_IN_MAP)
  return [readingsPlatformRoutes(deps), readingsRetentionPlatformRoutes(deps), trackPlatformRoutes(deps), map]
}

/** By which readings come over HTTP, on the External API. */
function readingRoutes(deps: Pick<ReceiverHttpDeps, 'ingest' | 'database' | 'access' | 'past' | 'now'>): FastifyPluginAsyncTypebox[] {
  return [telemetryExternalRoutes(deps), trackerExternalRoutes(deps), forwardExternalRoutes(deps)]
}

/** Of the External API. */
function externalRoutes(deps: HttpDeps, devices: Parameters<typeof deviceExternalRoutes>[0]): FastifyPluginAsyncTypebox[] {
  const { database, access, now, engine, fleetChanged, offlineAfterMs } = deps
  return [
    subClientExternalRoutes({ database, now, deviceLinks, fleetChanged }),
    deviceExternalRoutes(devices),
    locationExternalRoutes({ database, now, offlineAfterMs }),
    vehicleExternalRoutes(vehiclesOf(deps)),
    ...readingRoutes(deps),
    predictionExternalRoutes({
      database,
      engine,
      now,
      loadAdviceBases,
      readRecord: (record, receivedAtMs) => normalize(record, receivedAtMs, deps.window).content,
      consumePredictionQuota: access.consumePredictionQuota,
    }),
    usageExternalRoutes({ database, now }),
  ]
}

/** SIMs, invoices and payments. */
function simBillingRoutes({ database, now, operators, payments, secretKey }: HttpDeps): FastifyPluginAsyncTypebox[] {
  return [
    connectionSimBillingRoutes({ database, now, ...operators }),
    simSimBillingRoutes({ database, now }),
    actionSimBillingRoutes({ database, now }),
    billingRoutes({ database, now }),
    ratePlanRoutes({ database, now }),
    invoiceRoutes({ database, paymentsOf }),
    invoiceChangeRoutes({ database, now, paymentsOf, refundSurplus, endCheckout }),
    invoiceDocumentRoutes({ database, statementKey: createStatementKey(secretKey), brandOf: documentBrandOf(database) }),
    gatewayConnectionRoutes(payments),
    paymentCallbackRoutes(createTakeCallback(payments)),
    paymentRoutes(payments),
    recordedPaymentRoutes({ database, now }),
    syncSimBillingRoutes({ database, now, requestInvoices: requestDueMonths }),
  ]
}

function notificationRoutes({ database, access, exits, webhookTargets: guard }: HttpDeps): FastifyPluginAsyncTypebox[] {
  const findSignedIn = (request: Parameters<typeof findSession>[1]) => findSession(access.sessions, request)
  return [
    notificationPlatformRoutes({ database }),
    notificationChannelPlatformRoutes({ database, exits, guard }),
    pushSubscriptionPlatformRoutes({ database, exits, guard, findSignedIn }),
    personalRulePlatformRoutes({ database, findSignedIn }),
  ]
}

function acknowledgePages({ publicDatabase, access, secretKey, present }: HttpDeps): FastifyPluginAsyncTypebox {
  const links = createAcknowledgeLinks(secretKey)
  return acknowledgeRoutes({ publicDatabase, links, present, gate: access.gate('platform-v1'), now: publicDatabase.now })
}

/** As it is printed on invoices: what is not set is not the service's own there. */
function documentBrandOf(database: Database): DocumentRoutesDeps['brandOf'] {
  return async (resellerId) => {
    const { name, colour, logoSha256Hex } = (await selectBrand(database.tenantPool(resellerId), resellerId, '')) ?? {}
    const logo = logoSha256Hex === undefined ? undefined : await selectLogoByContentAcrossResellers(database.systemPool, logoSha256Hex)
    return { name, colour, logo: logo?.image }
  }
}

/**
 * For who runs the process: alive (no I/O), and all well (503 when not), with each check's answer. A proxy sends a process nothing while `/readyz` is 503, and
 * what only waits, scoring without an engine or the messages of an external broker, need not keep the process from taking readings and from being looked at:
 * checks that `?exclude=` names, as the API server of Kubernetes takes it, are shown and do not count.
 */
function addProbes(app: App, { checks, isStopping }: ProcessHttpDeps): void {
  // `/healthz` is the older name of the same question, which many tools ask unless they are configured.
  for (const path of ['/livez', '/healthz']) {
    app.get(path, { config: { public: true }, schema: { hide: true } }, async () => ({ status: 'ok' }))
  }
  app.get('/readyz', { config: { public: true }, schema: { hide: true } }, async ({ query }, reply) => {
    const { exclude = [] } = query as { exclude?: string | string[] }
    const answers = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await check()] as const))
    const failed = answers.filter(([, { ok }]) => !ok).map(([name]) => name)
    const isServing = !isStopping() && failed.every((name) => [exclude].flat().includes(name))
    const status = isStopping() ? 'stopping' : failed.length === 0 ? 'ready' : isServing ? 'degraded' : 'unavailable'
    return reply.code(isServing ? 200 : 503).send({ status, checks: Object.fromEntries(answers) })
  })
}
