// One engine: settings, models, one HTTP server, one ready line, a clean stop.
import cluster from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { onParentExit } from '@roadworthy/service-kit/process/exit-with-parent'
import { Lifecycle } from '@roadworthy/service-kit/process/lifecycle'
import { createLogger, type Logger } from '@roadworthy/service-kit/telemetry/log'
import { addCounter } from '@roadworthy/service-kit/telemetry/metrics'
import { traceOptionsOf } from '@roadworthy/service-kit/telemetry/trace-settings'
import { startTracing } from '@roadworthy/service-kit/telemetry/tracing'
import { refusalNow } from './admission.ts'
import { buildEngineApp, ENGINE_VERSION, type EngineAppDeps } from './http/build-engine-app.ts'
import { createEngineMetrics, type EngineMetrics, sumMetrics } from './http/engine-metrics.ts'
import { startInput } from './inputs/start-input.ts'
import { createLicenseGate, isLicensed, noLicenseNeeded } from './license/license-gate.ts'
import { knowledgeModels } from './models/knowledge-models.ts'
import { loadBackend } from './models/load-backend.ts'
import { predictorOf } from './models/model-set.ts'
import { createRegistry, type Registry } from './models/registry.ts'
import { watchEventLoop } from './overload.ts'
import { createSchemaStatistics, sumStatistics } from './schema/statistics.ts'
import { score } from './score.ts'
import type { EngineSettings, Run } from './settings.ts'
import { DRAIN_BOUND_MS, INPUT_STOP_BOUND_MS, TRACES_BOUND_MS } from './stop-bounds.ts'
import { createWorkerLink, type WorkerLink } from './workers/worker-link.ts'

/** The models that come with the engine. */
const SHIPPED_MODELS_DIR = join(import.meta.dirname, '../../../models')

/** Alone, or as one of several workers, which then hears what to do from the process that started it. */
export async function serve({ settings, secrets, input: inputPlan }: Run): Promise<void> {
  const link = cluster.isWorker ? createWorkerLink() : undefined
  // Standard output carries the ready line and nothing else.
  const log = createLogger(settings.logLevel, process.stderr)
  const lifecycle = new Lifecycle(log)
  if (link === undefined) lifecycle.listen(['SIGTERM', 'SIGINT'])
  const startedAtMs = performance.now()
  const monotonicMs = () => performance.now() - startedAtMs
  const nowMs = () => Date.now()
  const loop = watchEventLoop(monotonicMs)
  const metrics = createEngineMetrics(ENGINE_VERSION, { hasDefaults: true })
  const statistics = createSchemaStatistics()
  const models = openModels(settings, log, metrics)
  const readModels = ({ force }: { force: boolean }) => {
    if (force) log.info('SIGHUP: the models are read again')
    void models.refresh({ force })
  }
  if (link === undefined) {
    process.on('SIGHUP', () => readModels({ force: true }))
    if (settings.modelsPollIntervalS > 0) setInterval(() => readModels({ force: false }), settings.modelsPollIntervalS * 1000).unref()
  }
  link?.obey({
    stop: () => void lifecycle.stop(0, 'the engine stops'),
    readModels,
    count: async () => ({ statistics: statistics.report(), metrics: await metrics.registry.getMetricsAsJSON() }),
  })
  await Promise.all([models.refresh(), openTracing({ settings, headers: secrets.otlpHeaders, log, metrics, lifecycle })])
  const license =
    settings.engineEdition === 'byol' ? createLicenseGate(secrets.licenseKey, secrets.licensePublicKey, nowMs) : noLicenseNeeded
  const judgement = license.judge()
  if (judgement !== undefined) log[judgement.state === 'valid' ? 'info' : 'warn']({ license: judgement.state }, judgement.message)
  if (!isLicensed(judgement)) log.warn('predictions are answered with 503 license_invalid')
  const admission = { models, license, isDraining: () => lifecycle.signal.aborted, isOverloaded: loop.isOverloaded }
  const input = await startInput(inputPlan, {
    predict: (decoded) => {
      const output = score(decoded, monotonicMs(), monotonicMs, predictorOf(models.current()))
      statistics.count(output)
      return output
    },
    refusalNow: () => refusalNow(admission),
    log,
    nowMs,
    registry: metrics.registry,
  })
  const app = await buildEngineApp({
    ...admission,
    logger: log,
    nowMs,
    monotonicMs,
    metrics,
    statistics,
    inputTrouble: () => input?.trouble(),
    ...(link === undefined ? {} : { reported: sumOfWorkers(link) }),
  })
  lifecycle.add({ name: 'http', stop: () => app.close(), boundMs: DRAIN_BOUND_MS, force: () => app.server.closeAllConnections() })
  if (input !== undefined) lifecycle.add({ name: inputPlan.kind, stop: input.stop, boundMs: INPUT_STOP_BOUND_MS })
  if (settings.exitWithParent && link === undefined) onParentExit(() => void lifecycle.stop(0, 'the parent is gone'))

  const { host, enginePort } = settings
  try {
    await app.listen({ host, port: enginePort })
  } catch (error) {
    process.stderr.write(`${explainListenFailure(error as NodeJS.ErrnoException, host, enginePort)}\n`)
    process.exit(1)
  }
  const { address, port, family } = app.server.address() as AddressInfo
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  if (link === undefined) console.log(`ready engine ${url}`)
  else link.listening(url)
}

type Traced = {
  readonly settings: EngineSettings
  readonly headers: string | undefined
  readonly log: Logger
  readonly metrics: EngineMetrics
  readonly lifecycle: Lifecycle
}

/** Stopped after what makes spans. */
async function openTracing({ settings, headers, log, metrics: { registry }, lifecycle }: Traced): Promise<void> {
  // It asks for no key: its callers are part of the installation.
  const service = { name: 'roadworthy-engine', version: ENGINE_VERSION, trustsCallers: true }
  const options = traceOptionsOf(settings, headers, service)
  if (options === undefined) return
  const tracer = await startTracing(options, log)
  const exported = () => tracer.counts.exported
  addCounter(registry, 'engine_trace_spans_exported_total', 'Spans that the collector of traces has taken.', exported)
  addCounter(registry, 'engine_trace_spans_dropped_total', 'Spans that were not sent.', () => tracer.counts.dropped)
  lifecycle.add({ name: 'traces', stop: () => tracer.stop(), boundMs: TRACES_BOUND_MS })
}

function sumOfWorkers(link: WorkerLink): NonNullable<EngineAppDeps['reported']> {
  return {
    statistics: async () => sumStatistics((await link.collect()).map(({ statistics }) => statistics)),
    metrics: async () => await sumMetrics((await link.collect()).map(({ metrics }) => metrics)),
  }
}

function openModels({ modelsDir, onnxRuntimeDir }: EngineSettings, log: Logger, metrics: EngineMetrics): Registry {
  const backendOptions = onnxRuntimeDir === undefined ? {} : { onnxRuntimeDir: resolve(onnxRuntimeDir) }
  return createRegistry({
    modelsDir: resolve(modelsDir ?? SHIPPED_MODELS_DIR),
    isRequired: modelsDir !== undefined,
    knowledge: knowledgeModels,
    loadBackend: (model) => loadBackend(model, backendOptions),
    log,
    onReload: metrics.countReload,
  })
}

function explainListenFailure({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `ENGINE_PORT is "${port}": it is in use on ${host}. Choose another one, or 0 for a free one.`
  return `HOST is "${host}": the engine cannot listen there (${message}).`
}
