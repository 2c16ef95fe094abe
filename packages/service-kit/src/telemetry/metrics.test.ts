import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Histogram, type Metric, Registry } from 'prom-client'
import { addHistogram, requestDurations } from './metrics.ts'

const BUCKETS_S = [0.005, 0.05, 1]

test('durations of requests are exported as by the histogram of prom-client, on a bound and beyond all of them too', async () => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const durations = requestDurations('http_request_duration_seconds', BUCKETS_S)
  ours.registerMetric(durations as unknown as Metric)
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers: [theirs],
  })
  for (const [method, route, status, durationS] of [
    ['POST', '/v1/predict', 200, 0.001],
    ['POST', '/v1/predict', 200, 0.005],
    ['POST', '/v1/predict', 400, 0.3],
    ['GET', 'unknown', 404, 7],
    ['POST', 'unknown', 404, 0.002],
  ] as const) {
    durations.observe(method, route, status, durationS)
    histogram.observe({ method, route, status }, durationS)
  }
  assert.equal(await ours.metrics(), await theirs.metrics())

  ours.resetMetrics()
  theirs.resetMetrics()
  assert.equal(await ours.metrics(), await theirs.metrics())
})

test('a histogram without labels is exported as that of prom-client', async () => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const [name, help] = ['fleet_ingest_lag_seconds', 'From a message to its commit.']
  const observe = addHistogram(ours, name, help, BUCKETS_S)
  const histogram = new Histogram({ name, help, buckets: BUCKETS_S, registers: [theirs] })
  for (const value of [0.001, 0.005, 0.3, 7]) {
    observe(value)
    histogram.observe(value)
  }
  assert.equal(await ours.metrics(), await theirs.metrics())
})
