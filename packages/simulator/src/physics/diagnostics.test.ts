import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advanceFleet, createFleet } from '../fleet/fleet.ts'
import { isEngineOn } from '../fleet/vehicle-state.ts'
import { runDiagnostics } from './diagnostics.ts'

test('a code is set when its cause has held without a break, and a break begins its time anew', () => {
  const startAtMs = Date.parse('2026-07-15T12:00:00Z')
  const fleet = createFleet({ seed: 7, vehicleCount: 1, wearFactor: 0, schedule: 'continuous', intervalS: 5, startAtMs })
  advanceFleet(fleet, startAtMs + 600_000, () => {})
  const [{ profile, state } = assert.fail('there is no vehicle')] = fleet.vehicles
  assert.ok(isEngineOn(state))
  const beganMs = state.atMs
  const codesAt = (second: number, coolantC: number) => {
    state.atMs = beganMs + second * 1000
    state.engine.coolantC = coolantC
    runDiagnostics(profile, state, 25)
    return state.codes.map(({ code }) => code)
  }
  for (const [second, coolantC] of [
    [0, 112],
    [6, 112],
    [7, 100],
    [8, 112],
    [17, 112],
  ] as const)
    assert.deepEqual(codesAt(second, coolantC), [], `${second} s`)
  assert.deepEqual(codesAt(18, 112), ['P0217'])
  assert.deepEqual(codesAt(198, 100), ['P0217'])
  assert.deepEqual(codesAt(199, 100), [])
})
