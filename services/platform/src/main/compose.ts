// Starts a process of the platform from the parts of its roles, and stops it in the reverse order.

import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '@roadworthy/service-kit/http/http'
import { readTrustedProxies } from '@roadworthy/service-kit/http/trusted-proxies'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import { traceRequests } from '@roadworthy/service-kit/telemetry/trace-requests'
import { createCallers } from './callers.ts'
import { ClockWatch } from './database/clock-watch.ts'
import { housekeepingOf, preparePartitions } from './database/housekeeping.ts'
import { openPlatformHistory } from './history.ts'
import { buildHttp, buildReceiverHttp, buildWorkerHttp, type ProcessHttpDeps, type ReadinessCheck } from './http/build-http.ts'
import { serveMetrics } from './http/metrics.ts'
import { startPlatformTracing } from './http/traces.ts'
import type { Part } from './part.ts'
import { createApi } from './role-api.ts'
import { createReceivers } from './role-receivers.ts'
import { startWorker } from './role-worker.ts'
import { baseUrlOf } from './settings/address-settings.ts'
import { createSharedParts, type PlatformOptions, type SharedParts } from './shared-parts.ts'

export type RunningPlatform = {
  /** The ports in use, which differ from the settings where those are 0. */
  readonly ports: { http: number; mqtt: number | undefined; mqttTls: number | undefined; metrics: number | undefined }
  /** Turns `/readyz` to 503, waits for SHUTDOWN_DELAY_S, stops accepting, drains what was accepted, closes every connection. */
  stop(): Promise<void>
}

/** Resolves when everything that listens is open. Rejects when one cannot be, with those before it closed again. */
export async function startPlatform(options: PlatformOptions): Promise<RunningPlatform> {
  const shared = createSharedParts(options)
  const running = new Running(options.log)
  running.stopLast({ name: 'database', stop: shared.closeDatabases })
  try {
    if (options.tracing !== undefined) running.stopLast(await startPlatformTracing(options.tracing, shared.metrics, options.log))
    const ports = await openAll(options, shared, running)
    shared.started()
    const delayMs = options.settings.shutdownDelayS * 1000
    return { ports, stop: () => running.stopAfter(delayMs) }
  } catch (error) {
    await running.stop()
    throw error
  }
}

/** What has been started so far, each with how it is stopped. */
class Running {
  readonly #log: Logger
  readonly #first: Part[] = []
  readonly #then: Part[] = []
  readonly #last: Part[] = []
  isStopping = false

  constructor(log: Logger) {
    this.#log = log
  }

  /** Stopped first: what takes requests and readings, and background work. */
  add(...parts: readonly Part[]): void {
    this.#first.push(...parts)
  }

  /** Stopped one after the other when nothing is taken any more: everything acknowledged is committed before the database goes. */
  stopThen(...parts: readonly Part[]): void {
    this.#then.push(...parts)
  }

  stopLast(...parts: readonly Part[]): void {
    this.#last.push(...parts)
  }

  /** Serves for `delayMs` more, and is not ready meanwhile: who sends it requests is to notice before it closes. */
  async stopAfter(delayMs: number): Promise<void> {
    this.isStopping = true
    if (delayMs > 0) await sleep(delayMs)
    await this.stop()
  }

  async stop(): Promise<void> {
    this.isStopping = true
    await Promise.all(this.#first.map((part) => this.#stop(part)))
    for (const part of [...this.#then, ...this.#last]) await this.#stop(part)
  }

  /** One that fails to stop does not keep the others running. */
  async #stop({ name, stop }: Part): Promise<void> {
    try {
      await stop()
    } catch (err) {
      this.#log.error({ err }, `${name} did not close cleanly`)
    }
  }
}

async function openAll(options: PlatformOptions, shared: SharedParts, running: Running): Promise<RunningPlatform['ports']> {
  const { settings, log } = options
  const { roles, connectionCounts, database, metrics, storage, baseUrl } = shared
  log.info({ roles: [...roles], connections: connectionCounts.total }, 'connections that this process opens to PostgreSQL at most')
  // Whatever keeps them from being made, a backup for one, does not keep the service from starting.
  for (const { name, error } of await preparePartitions(housekeepingOf(options, database)))
    log.error({ err: error }, `could not ${name} yet`)
  const { past, ...history } = await openPlatformHistory(options, shared, { isSealing: roles.has('worker') })
  running.add({ name: 'history', stop: () => history.stop() })
  const callers = roles.has('api') || roles.has('receivers') ? createCallers(options, shared) : undefined
  const receivers = roles.has('receivers') ? createReceivers(options, shared) : undefined
  if (receivers !== undefined) running.stopThen({ name: 'ingest', stop: () => receivers.pipeline.drain() })
  if (callers !== undefined) running.stopThen(...callers.closes)
  let mqttPorts: { port: number | undefined; tlsPort: number | undefined } = { port: undefined, tlsPort: undefined }
  const checks: Record<string, ReadinessCheck> = { ...databaseChecks(shared), ...receivers?.checks }
  const http: ProcessHttpDeps = {
    ...{ checks, isStopping: () => running.isStopping, logger: log, trustProxy: readTrustedProxies(settings.trustProxy) },
    ...{ beforeRoutes: (root: App) => watchRequests(root, metrics), besideSurfaces: receivers?.besideSurfaces ?? {} },
  }
  // Before anything asks the database, because compiling its schemas takes the event loop for seconds on a slow machine, and connections would time out.
  let app: App
  if (callers !== undefined && roles.has('api')) {
    const api = createApi(options, shared, { ...callers, past }, receivers, () => mqttPorts.port)
    running.add(...api.parts)
    app = await buildHttp({ ...http, ...api.http })
  } else if (callers !== undefined && receivers !== undefined) {
    const { access, requestLog } = callers
    app = await buildReceiverHttp({ ...http, access, requestLog, ingest: receivers.ingest, database, past, now: options.now })
  } else app = await buildWorkerHttp(http)
  running.add({ name: 'HTTP', stop: () => app.close() })
  history.start()
  const watch = storage.startRounds(database)
  running.add({ name: 'storage', stop: () => watch.stop() })
  running.add(startClockWatch(options, shared))
  if (roles.has('worker')) {
    const worker = startWorker(options, shared, receivers?.pipeline)
    Object.assign(checks, worker.checks)
    running.add(...worker.parts)
  }
  if (receivers !== undefined) {
    running.add(...(await receivers.startBeside()))
    mqttPorts = await receivers.startMqtt()
  }
  const metricsServer = await serveMetrics(metrics, settings.metricsHost, settings.metricsPort)
  running.add({ name: 'metrics', stop: () => metricsServer.close() })
  await app.listen({ host: settings.host, port: settings.port })
  const port = openPortOf(app) ?? settings.port
  baseUrl.known = baseUrlOf(settings, port)
  if (receivers !== undefined) running.add(receivers.startPresence())
  return { http: port, mqtt: mqttPorts.port, mqttTls: mqttPorts.tlsPort, metrics: metricsServer.port }
}

/** Requests of the APIs are traced; a stream of events, which ends when somebody closes a page, is not. */
function watchRequests(app: App, metrics: SharedParts['metrics']): void {
  metrics.timeRequests(app)
  traceRequests(app, (route) => route.startsWith('/api/') && !route.endsWith('/stream'))
}

function startClockWatch({ now, log }: PlatformOptions, { database, metrics }: SharedParts): Part {
  const clock = new ClockWatch({ databaseNow: database.now, now, log })
  const help = "Of the clock of this process from the database's; positive when it is ahead."
  metrics.gauge('fleet_clock_offset_seconds', help, () => clock.offsetMs() / 1_000)
  const rounds = clock.startRounds()
  return { name: 'clock', stop: () => rounds.stop() }
}

function databaseChecks({ database, storage, metrics }: SharedParts): Record<string, ReadinessCheck> {
  metrics.gauge('fleet_data_dir_free_bytes', 'Free space of the file system that holds DATA_DIR.', () => storage.freeBytes())
  return {
    database: async () =>
      (await database.ping()) ? { ok: true, detail: 'answers' } : { ok: false, detail: 'the database does not answer' },
    storage: async () => storage.check(),
  }
}

function openPortOf(app: App): number | undefined {
  const address = app.server.address()
  return address !== null && typeof address === 'object' ? address.port : undefined
}
