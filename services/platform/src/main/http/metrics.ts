// What Prometheus reads, on a port of its own: it has no authentication. Labels never name a device, a vehicle, a key or a reseller.

import http from 'node:http'
import type { App } from '@roadworthy/service-kit/http/http'
import { addCounter, addGauge, addHistogram, addVersion, timeRequests } from '@roadworthy/service-kit/telemetry/metrics'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { BriefOutcome, Outcome } from '../../ingest/inbound.ts'
import { kindOfReadingId } from '../../readings/reading-id.ts'
import type { Receiver } from '../../readings/seen-message.ts'
import type { AttemptOutcome } from '../../webhooks/delivery.ts'

export type Metrics = {
  readonly registry: Registry
  /** The same ingest, counted under the receiver it is used by. */
  countIngest<Asked extends unknown[], T extends BriefOutcome>(
    receiver: Receiver,
    ingest: (...asked: Asked) => Promise<T[]>,
  ): (...asked: Asked) => Promise<T[]>
  /** Of a receiver that is another process. */
  addIngested(receiver: Receiver, counts: IngestCounts): void
  /** Times every request of the app by its route template, and counts those that a limit refused. */
  timeRequests(app: App): void
  /** Counts an attempt to deliver a webhook by how it ended, and how long the receiver took. */
  countWebhookAttempt(outcome: AttemptOutcome, durationS: number): void
  /** Counts what the engine answered to one question: the model of each vehicle that was judged. */
  countPredictions(models: readonly string[], durationS: number): void
  /** Counts a new alert. */
  countAlert(severity: string): void
  /** Counts a message of a stream that was set aside, by the code of its reason. */
  countDeadLetter(code: string): void
  /** Counts a step of housekeeping that failed. */
  countHousekeepingFailure(step: string): void
  /** A value that is read when Prometheus asks. */
  gauge(name: string, help: string, read: () => number): void
  /** A number that something else counts, read when Prometheus asks. */
  counter(name: string, help: string, read: () => number): void
  /** Values by a label, read when Prometheus asks. */
  gaugeBy(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void
}

/** How many outcomes of each kind, and how many refusals for each reason. */
export type IngestCounts = {
  readonly outcomes: Readonly<Record<Outcome['status'], number>>
  readonly refusals: Readonly<Record<string, number>>
  /** Of those that were stored. */
  readonly trackPoints: number
}

export const NO_INGEST_COUNTS: IngestCounts = { outcomes: { stored: 0, duplicate: 0, refused: 0 }, refusals: {}, trackPoints: 0 }

/** What has no id is telemetry. */
export function countOutcomes(all: readonly (Outcome | BriefOutcome)[]): IngestCounts {
  const outcomes = { stored: 0, duplicate: 0, refused: 0 }
  const refusals: Record<string, number> = {}
  let trackPoints = 0
  for (const outcome of all) {
    outcomes[outcome.status]++
    if (outcome.status === 'stored' && 'readingId' in outcome && kindOfReadingId(outcome.readingId) === 'track') trackPoints++
    if (outcome.status === 'refused') refusals[outcome.problem.code] = (refusals[outcome.problem.code] ?? 0) + 1
  }
  return { outcomes, refusals, trackPoints }
}

export function addIngestCounts(one: IngestCounts, other: IngestCounts): IngestCounts {
  const { stored, duplicate, refused } = other.outcomes
  const refusals = { ...one.refusals }
  for (const [reason, count] of Object.entries(other.refusals)) refusals[reason] = (refusals[reason] ?? 0) + count
  return {
    outcomes: {
      stored: one.outcomes.stored + stored,
      duplicate: one.outcomes.duplicate + duplicate,
      refused: one.outcomes.refused + refused,
    },
    refusals,
    trackPoints: one.trackPoints + other.trackPoints,
  }
}

const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Spec §8: one prediction within 500 ms, a hundred within 5 s. */
const PREDICTION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** Up to what the engine takes at once (spec §8). */
const BATCH_BUCKETS = [1, 10, 50, 100, 250, 500, 1000]
/** A receiver has fifteen seconds. */
const WEBHOOK_BUCKETS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

const SURFACES: Readonly<Record<string, string>> = { '/api/external': 'external', '/api/v1': 'platform' }

export function createMetrics(version: string): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addVersion(registry, 'fleet_build_info', version)
  const deadLetters = addCounterBy(
    registry,
    'fleet_stream_dead_letters_total',
    'Messages of streams that were set aside, by reason.',
    'reason',
  )
  const housekeepingFailures = addCounterBy(
    registry,
    'fleet_housekeeping_failures_total',
    'Steps of housekeeping that failed and were tried again, by step.',
    'step',
  )
  const alerts = addCounterBy(registry, 'fleet_alerts_total', 'New alerts by severity.', 'severity')
  const countRefused = countingRefused(registry)
  return {
    registry,
    ...countingIngest(registry),
    timeRequests: (app) => {
      timeRequests(app, registry, DURATION_BUCKETS_S)
      countRefused(app)
    },
    ...countingWebhooks(registry),
    ...countingPredictions(registry),
    countAlert: (severity) => alerts.inc({ severity }),
    countDeadLetter: (code) => deadLetters.inc({ reason: code }),
    countHousekeepingFailure: (step) => housekeepingFailures.inc({ step }),
    gauge: (name, help, read) => addGauge(registry, name, help, read),
    counter: (name, help, read) => addCounter(registry, name, help, read),
    gaugeBy: (name, help, label, read) => addGaugeBy(registry, name, help, label, read),
  }
}

function countingIngest(registry: Registry): Pick<Metrics, 'countIngest' | 'addIngested'> {
  const readings = new Counter({
    name: 'fleet_ingest_messages_total',
    help: 'Readings by receiver and outcome.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  })
  const points = new Counter({ name: 'fleet_track_points_total', help: 'Track points that were stored.', registers: [registry] })
  const rejected = addCounterBy(registry, 'fleet_ingest_rejected_total', 'Refused readings by reason.', 'reason')
  const help = 'From the arrival of a message to the commit of its readings.'
  const observeS = addHistogram(registry, 'fleet_ingest_lag_seconds', help, DURATION_BUCKETS_S)
  const addIngested = (receiver: Receiver, { outcomes, refusals, trackPoints }: IngestCounts) => {
    for (const [outcome, count] of Object.entries(outcomes)) if (count > 0) readings.inc({ source: receiver, outcome }, count)
    for (const [reason, count] of Object.entries(refusals)) rejected.inc({ reason }, count)
    if (trackPoints > 0) points.inc(trackPoints)
  }
  const addOutcomes =
    <T extends BriefOutcome>(receiver: Receiver, startedMs: number) =>
    (outcomes: T[]) => {
      addIngested(receiver, countOutcomes(outcomes))
      observeS((performance.now() - startedMs) / 1000)
      return outcomes
    }
  return {
    // Not async, and counting closes over nothing: the batch as it came must not live until its commit.
    countIngest:
      (receiver, ingest) =>
      (...asked) =>
        ingest(...asked).then(addOutcomes(receiver, performance.now())),
    addIngested,
  }
}

function countingWebhooks(registry: Registry): Pick<Metrics, 'countWebhookAttempt'> {
  const attempts = addCounterBy(registry, 'fleet_webhook_deliveries_total', 'Attempts to deliver webhooks by outcome.', 'outcome')
  const observeS = addHistogram(registry, 'fleet_webhook_delivery_duration_seconds', 'One attempt at a delivery.', WEBHOOK_BUCKETS_S)
  return {
    countWebhookAttempt: (outcome, durationS) => {
      attempts.inc({ outcome })
      observeS(durationS)
    },
  }
}

function countingPredictions(registry: Registry): Pick<Metrics, 'countPredictions'> {
  const predictions = addCounterBy(registry, 'fleet_predictions_total', 'Vehicles that the engine judged, by model.', 'model')
  const help = 'One answer of the engine, repetitions included.'
  const observeS = addHistogram(registry, 'fleet_prediction_duration_seconds', help, PREDICTION_BUCKETS_S)
  const observeSize = addHistogram(registry, 'fleet_prediction_batch_size', 'Vehicles in one question to the engine.', BATCH_BUCKETS)
  return {
    countPredictions: (models, durationS) => {
      for (const [model, each] of Map.groupBy(models, (model) => model)) predictions.inc({ model }, each.length)
      observeS(durationS)
      observeSize(models.length)
    },
  }
}

function countingRefused(registry: Registry): (app: App) => void {
  const help = 'Requests refused because a quota of the plan or the limit of a sub-client is used up, by surface.'
  const counters: Readonly<Record<string, Counter>> = {
    rate_limit_exceeded: addCounterBy(registry, 'fleet_rate_limited_total', 'Requests refused by a limit on calls, by surface.', 'surface'),
    quota_exceeded: addCounterBy(registry, 'fleet_quota_exceeded_total', help, 'surface'),
  }
  return (app) => {
    app.addHook('onResponse', (request, _reply, done) => {
      const { refusedAs } = request
      if (refusedAs !== undefined) counters[refusedAs.code]?.inc({ surface: surfaceOf(request.routeOptions.url ?? '') })
      done()
    })
  }
}

function addCounterBy(registry: Registry, name: string, help: string, label: string): Counter {
  return new Counter({ name, help, labelNames: [label], registers: [registry] })
}

function addGaugeBy(registry: Registry, name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset()
      for (const [value, count] of Object.entries(read())) this.set({ [label]: value }, count)
    },
  })
}

function surfaceOf(route: string): string {
  return Object.entries(SURFACES).find(([prefix]) => route.startsWith(`${prefix}/`))?.[1] ?? 'other'
}

/** Serves `/metrics` and nothing else. Resolves with the port in use. */
export async function serveMetrics(metrics: Metrics, host: string, port: number): Promise<{ port: number; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end()
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
