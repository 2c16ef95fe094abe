import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultMqttLimits } from '../ingest/receivers/mqtt-embedded/limits.ts'
import { CHILD_REAP_MS, STOP_BOUNDS_MS, STOP_WITHIN_MS } from './stop-bounds.ts'

test('all parts together stop within the time that a stop may take', () => {
  const { demo, platform, engine, postgres } = STOP_BOUNDS_MS
  assert.ok(demo + engine + 2 * CHILD_REAP_MS + platform + postgres < STOP_WITHIN_MS)
})

test('the MQTT receiver, however long its commits take, leaves the platform time to drain and to close the database', () => {
  const { closeWaitMs, farewellMs } = defaultMqttLimits
  assert.ok(closeWaitMs + farewellMs <= STOP_BOUNDS_MS.platform - 500)
})
