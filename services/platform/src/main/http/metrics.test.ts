import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Ingest, Outcome } from '../../ingest/inbound.ts'
import { addIngestCounts, countOutcomes, createMetrics, NO_INGEST_COUNTS } from './metrics.ts'

const of = (status: 'stored' | 'duplicate', readingId: string): Outcome => {
  const about = { deviceId: undefined, vehicleId: undefined, subClientId: undefined, receivedAtMs: 0 }
  return { status, readingId, ...about }
}

test('readings are counted by outcome, and those that were stored as track points beside it; of another process alike', async () => {
  const outcomes = [of('stored', 'tel-1'), of('stored', 'trk-1'), of('duplicate', 'trk-2')]
  const refused: Outcome = { status: 'refused', problem: new Problem('invalid_request', 'refused') }
  const { registry, countIngest, addIngested } = createMetrics('1.2.3')
  const ingest: Ingest = async () => [...outcomes, refused]
  await countIngest('rest', ingest)([])
  const counts = countOutcomes(outcomes)
  addIngested('stream', addIngestCounts(addIngestCounts(NO_INGEST_COUNTS, counts), counts))
  const lines = (await registry.metrics()).split('\n')
  assert.ok(lines.includes('fleet_track_points_total 3'))
  assert.ok(lines.includes('fleet_ingest_messages_total{source="rest",outcome="stored"} 2'))
  assert.ok(lines.includes('fleet_ingest_messages_total{source="stream",outcome="duplicate"} 2'))
  assert.ok(lines.includes('fleet_ingest_rejected_total{reason="invalid_request"} 1'))
})
