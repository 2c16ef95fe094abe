// What Prometheus reads at `/metrics`. Labels never name a vehicle.

import type { App } from '@roadworthy/service-kit/http/http'
import { addGauge, addVersion, timeRequests } from '@roadworthy/service-kit/telemetry/metrics'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, type MetricObject, Registry } from 'prom-client'
import type { LicenseGate } from '../license/license-gate.ts'
import { canPredict, countModels, type Models } from '../models/model-set.ts'

export type EngineMetrics = {
  readonly registry: Registry
  readonly countReload: (outcome: string) => void
  readonly countRefusal: (code: string) => void
  /** Times every request of the app by its route template. */
  readonly timeRequests: (app: App) => void
  /** Reads these whenever Prometheus asks. */
  readonly watch: (watched: Watched) => void
}

export type Watched = {
  readonly models: Models
  readonly license: LicenseGate
  readonly isDraining: () => boolean
  readonly predictionCount: () => number
  readonly openBodyBytes: () => number
}

const DURATION_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export function createEngineMetrics(version: string, { hasDefaults }: { hasDefaults: boolean }): EngineMetrics {
  const registry = new Registry()
  const registers = [registry]
  if (hasDefaults) collectDefaultMetrics({ register: registry })
  addVersion(registry, 'engine_build_info', version)
  const reloads = new Counter({
    name: 'engine_model_reloads_total',
    help: 'Attempts to load a model, by outcome: loaded, refused, or a folder that was unreadable.',
    labelNames: ['outcome'],
    registers,
  })
  const refusals = new Counter({
    name: 'engine_refused_total',
    help: 'Requests that were not taken on, by code.',
    labelNames: ['code'],
    registers,
  })
  return {
    registry,
    countReload: (outcome) => reloads.inc({ outcome }),
    countRefusal: (code) => refusals.inc({ code }),
    timeRequests: (app) => timeRequests(app, registry, DURATION_BUCKETS_S),
    watch: (watched) => watchEngine(registry, watched),
  }
}

/** One text of what several processes have counted. Constants and what is alike in all are reported once. */
export async function sumMetrics(all: readonly (readonly MetricObject[])[]): Promise<string> {
  return await AggregatorRegistry.aggregate(all.map((metrics) => [...metrics])).metrics()
}

function watchEngine(registry: Registry, { models, license, isDraining, predictionCount, openBodyBytes }: Watched): void {
  const registers = [registry]
  const loadedCount = () => countModels(models.current())
  const refusedCount = () => models.current().refused.size
  addGauge(registry, 'fleet_models_loaded', 'Models that answer, those of knowledge included.', loadedCount, 'min')
  addGauge(registry, 'engine_models_refused', 'Models of which the newest version was refused.', refusedCount, 'max')
  const isReady = () => Number(canPredict(models.current()) && !isDraining())
  addGauge(registry, 'engine_ready', '1 while it takes predictions on.', isReady, 'min')
  addGauge(registry, 'engine_workers', 'Processes of this engine that take requests.', () => 1)
  addGauge(registry, 'engine_open_body_bytes', 'Bodies of requests that are not answered yet.', openBodyBytes)
  new Counter({
    name: 'engine_predictions_total',
    help: 'Vehicles that were judged.',
    registers,
    collect() {
      this.reset()
      this.inc(predictionCount())
    },
  })
  new Gauge({
    name: 'engine_model_info',
    help: 'Constant 1 for each trained model that is served.',
    labelNames: ['model', 'version', 'kind'],
    aggregator: 'max',
    registers,
    collect() {
      this.reset()
      for (const { manifest } of models.current().learned.values()) {
        this.set({ model: manifest.name, version: manifest.version, kind: manifest.kind }, 1)
      }
    },
  })
  new Gauge({
    name: 'engine_license_expiry_timestamp_seconds',
    help: 'When the licence expires, its grace not counted. Absent where there is none.',
    aggregator: 'max',
    registers,
    collect() {
      this.remove()
      const judgement = license.judge()
      if (judgement !== undefined && 'license' in judgement) this.set(Date.parse(judgement.license.expires_at) / 1000)
    },
  })
}
