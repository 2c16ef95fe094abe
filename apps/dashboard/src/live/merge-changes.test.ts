import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import { withChange } from './merge-changes.ts'

const rest = { id: 'veh-1', healthScore: 90, healthStatus: 'healthy', riskLevel: 'low', scoredAt: null, location: null } as const
const at = (lastReadingAt: string | null, online: boolean): VehicleChange => ({ ...rest, lastReadingAt, online, openAlerts: 0 })
const EARLY = '2026-11-20T12:00:00.000Z'
const LATE = '2026-11-20T12:00:05.000Z'

const merged = (fetched: string | null, streamed: string | null, { isLive = true, receivedAtMs = 2, fetchedAtMs = 1 } = {}) =>
  withChange({ ...at(fetched, false), name: 'Truck 17' }, { change: at(streamed, true), receivedAtMs }, { isLive, fetchedAtMs }).online

test('the newer reading counts, whichever came first', () => {
  assert.equal(merged(EARLY, LATE, { receivedAtMs: 1, fetchedAtMs: 2 }), true)
  assert.equal(merged(LATE, EARLY), false)
  assert.equal(merged(null, EARLY), true)
  assert.equal(merged(EARLY, null), false)
})

test('of the same reading, the stream counts while it stands, and then what came last', () => {
  assert.equal(merged(EARLY, EARLY, { receivedAtMs: 1, fetchedAtMs: 2 }), true)
  assert.equal(merged(EARLY, EARLY, { isLive: false, receivedAtMs: 1, fetchedAtMs: 2 }), false)
  assert.equal(merged(EARLY, EARLY, { isLive: false }), true)
})

test('what the stream does not report stays, and a vehicle without changes is the same object', () => {
  const vehicle = { ...at(EARLY, false), name: 'Truck 17' }
  assert.equal(withChange(vehicle, undefined, { isLive: true, fetchedAtMs: 1 }), vehicle)
  assert.equal(withChange(vehicle, { change: at(LATE, true), receivedAtMs: 2 }, { isLive: true, fetchedAtMs: 1 }).name, 'Truck 17')
})
