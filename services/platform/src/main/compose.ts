// Wires the platform from plain arguments: what is made here is handed to the parts that use it, and to nothing else.

import { type Database, type DatabaseUrls, openDatabase, type StorageError } from '@roadworthy/service-kit/db'
import type { App } from '@roadworthy/service-kit/http'
import type { Logger } from '@roadworthy/service-kit/log'
import { openNotifications } from '@roadworthy/service-kit/notifications'
import { resolveName } from '@roadworthy/service-kit/resolve-name'
import { resolveTxt } from '@roadworthy/service-kit/resolve-txt'
import { type Rounds, startRounds } from '@roadworthy/service-kit/rounds'
import { createSealer } from '@roadworthy/service-kit/sealed'
import { readTrustedProxies } from '@roadworthy/service-kit/trusted-proxies'
import { startAdoption } from '../alerts/adopt-alerts.ts'
import { startDeviceAlerts } from '../alerts/raise-device-alerts.ts'
import { recordAlertsAcrossResellers } from '../alerts/record-alerts.ts'
import { startHostProofs } from '../brands/prove-hosts.ts'
import { createReservedHosts, type IsReservedHost } from '../brands/reserved-hosts.ts'
import { shownBrandOf } from '../brands/shown-brand.ts'
import { startRelay } from '../events/relay.ts'
import { recordUseAcrossResellers } from '../maintenance/record-use.ts'
import { startScheduleReviewer } from '../maintenance/review-schedules.ts'
import { sealUsage } from '../metering/seal-usage.ts'
import { createExits } from '../notifications/create-exits.ts'
import { createIncidentRecorder } from '../notifications/record-incidents.ts'
import { createEngineClient } from '../predictions/engine-client.ts'
import { defaultScoringSettings } from '../predictions/score-due-vehicles.ts'
import { type ScoringWorker, startScoringWorker } from '../predictions/scoring-worker.ts'
import { LiveConnections } from '../presence/live-connections.ts'
import { RequestLog } from '../requests/request-log.ts'
import { createAccess } from '../surfaces/access.ts'
import { SERVICE_VERSION } from '../surfaces/mount.ts'
import { type DeliveryWorker, startDeliveryWorker } from '../webhooks/delivery-worker.ts'
import { createDispatcher } from '../webhooks/dispatch.ts'
import { WEBHOOK_SECRETS } from '../webhooks/secrets.ts'
import { defaultSendLimits } from '../webhooks/send-webhook.ts'
import { createTargetGuard } from '../webhooks/target-guard.ts'
import { startJobs } from './background-jobs.ts'
import { mqttAddressOf } from './broker-settings.ts'
import { buildHttp } from './build-http.ts'
import type { DemoFleetControl } from './demo-fleet.ts'
import { type HousekeepingDeps, preparePartitions, retentionOf, startHousekeeping } from './housekeeping.ts'
import { createIngestParts, startRecorder } from './ingest-parts.ts'
import { createPost, type PostDeps } from './mail.ts'
import { servedMapOf } from './map-settings.ts'
import { createMetrics, serveMetrics } from './metrics.ts'
import { brokerAccountsOf, brokerAuthRoutes, createMqtt } from './mqtt.ts'
import { createOperators } from './operators.ts'
import { createPayments } from './payments.ts'
import { startPresence } from './presence.ts'
import { baseUrlOf, type PlatformSettings } from './settings.ts'
import { StorageHealth } from './storage-health.ts'
import { startStreams } from './streams.ts'

export type PlatformOptions = {
  readonly settings: PlatformSettings
  readonly databaseUrls: DatabaseUrls
  readonly secretKey: string
  /** With `settings.mailFrom`; without it, links are in the answer to whoever invites, or made on the command line. */
  readonly smtpUrl?: string | undefined
  readonly mqttBrokerPassword?: string | undefined
  readonly brokerAuthSecret?: string | undefined
  readonly engineUrl: string
  /** None where it is left out. */
  readonly demoFleet?: DemoFleetControl | undefined
  readonly log: Logger
  readonly now: () => Date
}

export type RunningPlatform = {
  /** The ports in use, which differ from the settings where those are 0. */
  readonly ports: { http: number; mqtt: number | undefined; mqttTls: number | undefined; metrics: number | undefined }
  /** Turns `/readyz` to 503, stops accepting, drains what was accepted, closes every connection. */
  stop(): Promise<void>
}

/**
 * Two lanes of ingest, a request on each core, and some for pages. Scoring, webhooks and housekeeping share the system ones. With the two
 * below that is half of what the embedded PostgreSQL takes.
 */
const CONNECTIONS = { appConnections: 12, systemConnections: 6 }
/** Who calls: keys, devices and people, and the counting of calls. Whatever the work behind it waits for, this does not wait with it. */
const SIGN_IN_CONNECTIONS = { appConnections: 2, systemConnections: 6 }
/** What anybody may ask: brands, logos, calendars. However many ask, they take these connections and no more. */
const PUBLIC_CONNECTIONS = { appConnections: 2, systemConnections: 2 }

/** Within which a limit acts in every process, and the readings of other processes are known. */
const READING_LIMITS_EVERY_MS = 1_000
/** Thresholds are told about this late. */
const SEALING_EVERY_MS = 5_000

/** Resolves when every receiver is open. Rejects when one cannot be, with those before it closed again. */
export async function startPlatform(options: PlatformOptions): Promise<RunningPlatform> {
  const parts = createParts(options)
  const running = new Running(parts, options.log)
  try {
    const ports = await openReceivers(options, parts, running)
    return { ports, stop: () => running.stop() }
  } catch (error) {
    await running.stop()
    throw error
  }
}

/** What has been started so far, each with how it is closed. */
class Running {
  readonly #parts: Parts
  readonly #log: Logger
  readonly #receivers: { name: string; close: () => Promise<unknown> }[] = []
  isStopping = false

  constructor(parts: Parts, log: Logger) {
    this.#parts = parts
    this.#log = log
  }

  add(name: string, close: () => Promise<unknown>): void {
    this.#receivers.push({ name, close })
  }

  /** Receivers first, then what stands behind them: everything acknowledged is committed before the database goes. */
  async stop(): Promise<void> {
    const { pipeline, access, requestLog, notifications, database, signInDatabase, publicDatabase } = this.#parts
    this.isStopping = true
    await Promise.all(this.#receivers.map(({ name, close }) => this.#close(name, close)))
    await this.#close('ingest', () => pipeline.drain())
    await this.#close('access', () => access.close())
    await this.#close('request log', () => requestLog.close())
    const databases = [database, signInDatabase, publicDatabase].map((each) => this.#close('database', () => each.close()))
    await Promise.all([this.#close('notifications', () => notifications.close()), ...databases])
  }

  /** One that fails to close does not keep the others open. */
  async #close(name: string, close: () => Promise<unknown>): Promise<void> {
    try {
      await close()
    } catch (err) {
      this.#log.error({ err }, `${name} did not close cleanly`)
    }
  }
}

async function openReceivers(options: PlatformOptions, parts: Parts, running: Running): Promise<RunningPlatform['ports']> {
  const { settings, log, now } = options
  const { database, access, pipeline, metrics, engine } = parts
  // Whatever keeps them from being made, a backup for one, does not keep the service from starting.
  for (const { name, error } of await preparePartitions(housekeepingOf(options, parts))) log.error({ err: error }, `could not ${name} yet`)
  const mqtt = createMqtt(options, parts)
  const streams = startStreams(options, parts)
  running.add('streams', () => streams.stop())
  // First, because compiling its schemas takes the event loop for seconds on a slow machine, and connections of workers would time out.
  const app = await buildHttp({
    database,
    publicDatabase: parts.publicDatabase,
    access,
    requestLog: parts.requestLog,
    ingest: metrics.countIngest('rest', pipeline.ingest),
    engine,
    mqtt: { broker: () => hostAndPort(mqttAddressOf(settings, mqttPorts.port)), topicPrefix: settings.mqttTopicPrefix },
    window: parts.window,
    secretKey: options.secretKey,
    webhookTargets: parts.webhookTargets,
    operators: parts.operators,
    payments: parts.payments,
    streams: streams.routes,
    baseUrl: settings.baseUrl,
    ...{ map: servedMapOf(settings), demoFleet: options.demoFleet },
    securityContact: settings.securityContact,
    ...{ isReservedHost: parts.isReservedHost, present: parts.present, exits: parts.exits, retention: retentionOf(settings) },
    now,
    offlineAfterMs: settings.deviceOfflineAfterS * 1000,
    fleetChanged: (resellerId) => parts.directory.forget(resellerId),
    checks: {
      database: async () =>
        (await database.ping()) ? { ok: true, detail: 'answers' } : { ok: false, detail: 'the database does not answer' },
      storage: async () => parts.storage.check(),
      scoring: () => scoring.checkReadiness(),
      streams: () => streams.checkReadiness(),
      ...mqtt.checks,
    },
    brokerAccounts: brokerAccountsOf(options),
    besideSurfaces: brokerAuthRoutes(options, parts, mqtt),
    isStopping: () => running.isStopping,
    logger: log,
    trustProxy: readTrustedProxies(settings.trustProxy),
    beforeRoutes: (root) => metrics.timeRequests(root),
  })
  running.add('HTTP', () => app.close())
  for (const rounds of startBackground(options, parts)) running.add('background', rounds.stop)
  for (const { name, stop } of startUpkeep(options, parts)) running.add(name, stop)
  const relay = startRelay({ database, recorders: [createDispatcher({ now }), createIncidentRecorder({ now: database.now })], now, log })
  running.add('events', () => relay.stop())
  for (const rounds of await startMetering(options, parts)) running.add('metering', () => rounds.stop())
  const webhooks = startWebhooks(options, parts)
  running.add('webhooks', () => webhooks.stop())
  const scoring = startScoring(options, parts)
  running.add('scoring', () => scoring.stop())
  const reviewer = startScheduleReviewer({ database, now, log })
  running.add('maintenance', () => reviewer.stop())
  const jobs = startJobs(options, parts)
  running.add('jobs', () => jobs.stop())
  running.add('MQTT', () => mqtt.close())
  const mqttPorts = await mqtt.start()
  const metricsServer = await serveMetrics(metrics, settings.metricsHost, settings.metricsPort)
  running.add('metrics', () => metricsServer.close())
  await app.listen({ host: settings.host, port: settings.port })
  const http = openPortOf(app) ?? settings.port
  parts.baseUrl.known = baseUrlOf(settings, http)
  const presence = startPresence(options, parts)
  running.add('presence', () => presence.stop())
  return { http, mqtt: mqttPorts.port, mqttTls: mqttPorts.tlsPort, metrics: metricsServer.port }
}

function openPortOf(app: App): number | undefined {
  const address = app.server.address()
  return address !== null && typeof address === 'object' ? address.port : undefined
}

/** Housekeeping, the watch on the database's disk, and the recorder of messages. */
function startUpkeep(options: PlatformOptions, parts: Parts): { name: string; stop: () => Promise<void> }[] {
  const { database, storage, metrics, recorder, requestLog, notifications } = parts
  const housekeeping = startHousekeeping({
    ...housekeepingOf(options, parts),
    log: options.log,
    countFailure: metrics.countHousekeepingFailure,
  })
  metrics.gauge('fleet_partitions_ahead_days', 'For how many days from now on there are partitions to store rows in.', () => {
    return housekeeping.aheadDays() ?? Number.NaN
  })
  const watch = storage.startRounds(database)
  const recording = startRecorder(recorder, { notifications, log: options.log })
  metrics.gauge('fleet_ingest_queued_readings', 'Readings accepted and not yet committed.', () => parts.pipeline.queuedCount())
  metrics.gauge('fleet_request_log_left_out_calls', 'Calls that were too many for the request log, since the start.', () => {
    return requestLog.leftOutCount()
  })
  metrics.gauge('fleet_data_dir_free_bytes', 'Free space of the file system that holds DATA_DIR.', () => storage.freeBytes())
  return [
    { name: 'housekeeping', stop: () => housekeeping.stop() },
    { name: 'storage', stop: () => watch.stop() },
    { name: 'messages', stop: () => recording.stop() },
  ]
}

function housekeepingOf({ settings, databaseUrls, now }: PlatformOptions, { database }: Parts): HousekeepingDeps {
  return {
    database,
    ownerUrl: databaseUrls.owner,
    now,
    readingsMaxAgeDays: settings.readingsMaxAgeDays,
    readingsRetentionDays: settings.readingsRetentionDays,
    eventsRetentionDays: settings.eventsRetentionDays,
    auditRetentionDays: settings.auditRetentionDays,
  }
}

function startBackground({ now, log }: PlatformOptions, { database }: Parts): Rounds[] {
  const onError = (what: string) => (err: unknown) => log.error({ err }, `${what}; it is tried again`)
  return [
    startHostProofs({ database, resolveTxt, now: database.now, onError: onError('host names wait to be proved') }),
    startDeviceAlerts({ database, now, onError: onError('what devices raised waits to become alerts') }),
    startAdoption({ database, now, onError: onError('alerts wait to be placed in incidents') }),
  ]
}

const hostAndPort = ({ host, port }: { host: string; port: number }) => `${host}:${port}`

/** The same service under a host name of a brand: scheme and port stay. */
function atHost(baseUrl: string, host: string | undefined): string {
  const url = new URL(baseUrl)
  url.hostname = host ?? url.hostname
  return url.href.replace(/\/$/, '')
}

function presentBrand(database: Database, isReservedHost: IsReservedHost, baseUrl: { readonly known: string }): PostDeps['present'] {
  return async (resellerId, subClientId) => {
    const { name, host, colour } = await shownBrandOf(database, isReservedHost, { resellerId, subClientId })
    return { name, baseUrl: atHost(baseUrl.known, host), colour }
  }
}

/** What the receivers and the worker share. */
export type Parts = ReturnType<typeof createParts>

function createParts({ settings, databaseUrls, secretKey, smtpUrl, engineUrl, log, now }: PlatformOptions) {
  const onError = (err: Error) => log.warn({ err }, 'an idle database connection was lost')
  const storage = new StorageHealth(settings.dataDir, log)
  const onStorageError = (error: StorageError) => storage.failed(error)
  const database = openDatabase(databaseUrls, { ...CONNECTIONS, onError, onStorageError })
  const signInDatabase = openDatabase(databaseUrls, { ...SIGN_IN_CONNECTIONS, onError, onStorageError })
  const publicDatabase = openDatabase(databaseUrls, { ...PUBLIC_CONNECTIONS, onError })
  const notifications = openNotifications({ connectionString: databaseUrls.system, onError })
  // The port is known once it is open, and letters are sent later than that.
  const baseUrl = { known: baseUrlOf(settings, settings.port) }
  const isReservedHost = createReservedHosts(baseUrl.known, settings.reservedHosts ?? '')
  const present = presentBrand(database, isReservedHost, baseUrl)
  const post = createPost({
    mailServer: smtpUrl === undefined || settings.mailFrom === undefined ? undefined : { url: smtpUrl, from: settings.mailFrom },
    present,
    random: Math.random,
    log,
  })
  const access = createAccess({
    database,
    signInDatabase,
    publicDatabase,
    notifications,
    now,
    post,
    onUnmailed: (email) =>
      log.warn({ email }, 'somebody asked to set a new password and no mail was sent; "npx roadworthy users reset-password" makes a link'),
    authFailuresPerMinute: settings.authFailuresPerMinute,
    secretKey,
    onError: (err) => log.error({ err }, 'counts could not be written; they are kept and tried again'),
  })
  const { directory, window, readingLimits, recorder, pipeline } = createIngestParts({ database, notifications, settings, now, log })
  const requestLog = new RequestLog({ database, onError: (err) => log.warn({ err }, 'calls of a second are missing from the request log') })
  const metrics = createMetrics(SERVICE_VERSION)
  const engine = createEngineClient({ engineUrl, random: Math.random })
  const webhookTargets = createTargetGuard({ allowCidrs: settings.webhookAllowCidrs ?? '', resolveName })
  const operators = createOperators({ database, settings, secretKey, now, log })
  const payments = createPayments({ settings, secretKey, now, log }, database, () => baseUrl.known)
  const connections = new LiveConnections(() => performance.now())
  return {
    ...{
      storage,
      database,
      signInDatabase,
      publicDatabase,
      notifications,
      access,
      requestLog,
      notices: post,
      present,
      exits: createExits({ secretKey, present, guard: webhookTargets }),
      baseUrl,
      isReservedHost,
      directory,
      window,
      readingLimits,
      recorder,
      pipeline,
      metrics,
      engine,
      webhookTargets,
    },
    operators,
    payments,
    connections,
  }
}

/** What is known of limits when the first reading comes, and is kept so; and the sealing of what was counted. */
async function startMetering({ log, now }: PlatformOptions, { database, access, readingLimits }: Parts): Promise<Rounds[]> {
  await readingLimits.refresh()
  const refresh = async () => {
    await readingLimits.refresh()
    return READING_LIMITS_EVERY_MS
  }
  const onFailure = (err: unknown, resellerId: string) =>
    log.error({ err, resellerId }, 'usage of a reseller waits to be sealed; it is tried again')
  const seal = async () => ((await sealUsage({ database, plans: access.plans, now, onFailure })) ? 0 : SEALING_EVERY_MS)
  return [
    startRounds(refresh, READING_LIMITS_EVERY_MS, (err) =>
      log.error({ err }, 'limits on readings could not be read; the last known ones hold'),
    ),
    startRounds(seal, SEALING_EVERY_MS, (err) => log.error({ err }, 'usage waits to be sealed; it is tried again')),
  ]
}

function startWebhooks({ secretKey, log, now }: PlatformOptions, { database, metrics, webhookTargets }: Parts): DeliveryWorker {
  const webhooks = startDeliveryWorker({
    database,
    sealer: createSealer(secretKey, WEBHOOK_SECRETS),
    send: { guard: webhookTargets, limits: defaultSendLimits },
    now,
    random: Math.random,
    log,
    countAttempt: metrics.countWebhookAttempt,
  })
  metrics.gauge('fleet_webhook_pending_deliveries', 'Webhooks that enabled endpoints are still to be sent.', () => {
    return webhooks.backlog().pendingCount
  })
  metrics.gauge('fleet_webhook_oldest_pending_seconds', 'Since the oldest of them was written; 0 when there is none.', () => {
    const { oldestPendingAt } = webhooks.backlog()
    return oldestPendingAt === undefined ? 0 : Math.max(0, (now().getTime() - oldestPendingAt.getTime()) / 1000)
  })
  return webhooks
}

function startScoring({ settings, log, now }: PlatformOptions, { database, engine }: Parts): ScoringWorker {
  return startScoringWorker(
    { database, engine, recorders: [recordUseAcrossResellers, recordAlertsAcrossResellers], now, log, random: Math.random },
    { ...defaultScoringSettings, intervalMs: settings.scoringIntervalS * 1000 },
  )
}
