// What Prometheus reads, on a port of its own: it has no authentication. Labels never name a device, a vehicle, a key or a reseller.

import http from 'node:http'
import type { App } from '@roadworthy/service-kit/http'
import { addGauge, addVersion, timeRequests } from '@roadworthy/service-kit/metrics'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import type { Ingest, Outcome } from '../ingest/inbound.ts'
import type { Receiver } from '../readings/seen-message.ts'
import type { AttemptOutcome } from '../webhooks/delivery.ts'

export type Metrics = {
  readonly registry: Registry
  /** The same ingest, counted under the receiver it is used by. */
  countIngest(receiver: Receiver, ingest: Ingest): Ingest
  /** Of a receiver that is another process. */
  addIngested(receiver: Receiver, counts: IngestCounts): void
  /** Times every request of the app by its route template. */
  timeRequests(app: App): void
  /** Counts an attempt to deliver a webhook by how it ended. */
  countWebhookAttempt(outcome: AttemptOutcome): void
  /** Counts a message of a stream that was set aside, by the code of its reason. */
  countDeadLetter(code: string): void
  /** Counts a step of housekeeping that failed. */
  countHousekeepingFailure(step: string): void
  /** A value that is read when Prometheus asks. */
  gauge(name: string, help: string, read: () => number): void
}

/** How many outcomes of each kind, and how many refusals for each reason. */
export type IngestCounts = {
  readonly outcomes: Readonly<Record<Outcome['status'], number>>
  readonly refusals: Readonly<Record<string, number>>
}

export const NO_INGEST_COUNTS: IngestCounts = { outcomes: { stored: 0, duplicate: 0, refused: 0 }, refusals: {} }

export function countOutcomes(all: readonly Outcome[]): IngestCounts {
  const outcomes = { stored: 0, duplicate: 0, refused: 0 }
  const refusals: Record<string, number> = {}
  for (const outcome of all) {
    outcomes[outcome.status]++
    if (outcome.status === 'refused') refusals[outcome.problem.code] = (refusals[outcome.problem.code] ?? 0) + 1
  }
  return { outcomes, refusals }
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
  }
}

const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(version: string): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  addVersion(registry, 'fleet_build_info', version)
  const readings = new Counter({
    name: 'fleet_ingest_messages_total',
    help: 'Readings by receiver and outcome.',
    labelNames: ['source', 'outcome'],
    registers,
  })
  const rejected = new Counter({
    name: 'fleet_ingest_rejected_total',
    help: 'Refused readings by reason.',
    labelNames: ['reason'],
    registers,
  })
  const webhookAttempts = new Counter({
    name: 'fleet_webhook_attempts_total',
    help: 'Attempts to deliver webhooks by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const deadLetters = new Counter({
    name: 'fleet_stream_dead_letters_total',
    help: 'Messages of streams that were set aside, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const housekeepingFailures = new Counter({
    name: 'fleet_housekeeping_failures_total',
    help: 'Steps of housekeeping that failed and were tried again, by step.',
    labelNames: ['step'],
    registers,
  })
  const addIngested = (receiver: Receiver, { outcomes, refusals }: IngestCounts) => {
    for (const [outcome, count] of Object.entries(outcomes)) if (count > 0) readings.inc({ source: receiver, outcome }, count)
    for (const [reason, count] of Object.entries(refusals)) rejected.inc({ reason }, count)
  }
  const addOutcomes = (receiver: Receiver) => (outcomes: Outcome[]) => {
    addIngested(receiver, countOutcomes(outcomes))
    return outcomes
  }
  return {
    registry,
    // Not async, and counting closes over nothing: the batch as it came must not live until its commit.
    countIngest: (receiver, ingest) => (batch, progress, options) => ingest(batch, progress, options).then(addOutcomes(receiver)),
    addIngested,
    timeRequests: (app) => timeRequests(app, registry, DURATION_BUCKETS_S),
    countWebhookAttempt: (outcome) => webhookAttempts.inc({ outcome }),
    countDeadLetter: (code) => deadLetters.inc({ reason: code }),
    countHousekeepingFailure: (step) => housekeepingFailures.inc({ step }),
    gauge: (name, help, read) => addGauge(registry, name, help, read),
  }
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
