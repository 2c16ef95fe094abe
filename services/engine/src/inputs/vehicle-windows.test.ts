import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_HISTORY, type Observation } from '@roadworthy/prognostics/inputs/observation'
import { createVehicleWindows } from './vehicle-windows.ts'

const at = (recordedAtMs: number, coolantTempC = 85): Observation => ({
  recordedAtMs,
  signals: { coolantTempC },
  lamps: {},
  dtcCodes: undefined,
})
const NOW_MS = 1000
const times = (before: { history: readonly Observation[] } | 'duplicate') =>
  before === 'duplicate' ? before : before.history.map(({ recordedAtMs }) => recordedAtMs)

test('a reading gets what came before it, oldest first, at most 120 readings', () => {
  const windows = createVehicleWindows(2)
  assert.deepEqual(times(windows.add('V-1', at(1), NOW_MS)), [])
  assert.deepEqual(times(windows.add('V-1', at(2), NOW_MS)), [1])
  assert.deepEqual(times(windows.add('V-2', at(3), NOW_MS)), [])
  for (let time = 3; time <= MAX_HISTORY + 5; time++) windows.add('V-1', at(time), NOW_MS)
  const history = times(windows.add('V-1', at(1000), NOW_MS))
  assert.equal(history.length, MAX_HISTORY)
  assert.equal(history[0], 6)
})

test('a late reading is sorted in: it sees what was before it, and those after it see it', () => {
  const windows = createVehicleWindows(1)
  for (const time of [10, 30]) windows.add('V', at(time), NOW_MS)
  const late = windows.add('V', at(20), NOW_MS)
  assert.deepEqual([times(late), late !== 'duplicate' && late.isNewest], [[10], false])
  assert.deepEqual(times(windows.add('V', at(40), NOW_MS)), [10, 20, 30])
})

test('a reading far ahead of the clock is forgotten at the next one that is not, which is then the newest', () => {
  const windows = createVehicleWindows(1)
  const [tomorrow, today] = [NOW_MS + 86_400_000, NOW_MS - 500]
  windows.add('V', at(tomorrow), NOW_MS)
  assert.deepEqual(times(windows.add('V', at(tomorrow + 1), NOW_MS)), [tomorrow], 'a clock that is ahead throughout')
  const right = windows.add('V', at(today), NOW_MS)
  assert.deepEqual([times(right), right !== 'duplicate' && right.isNewest], [[], true])
  assert.deepEqual(times(windows.add('V', at(today + 1), NOW_MS)), [today])
})

test('a reading older than a full window gets nothing and pushes nothing out', () => {
  const windows = createVehicleWindows(1)
  for (let time = 1; time <= MAX_HISTORY; time++) windows.add('V', at(time), NOW_MS)
  assert.deepEqual(times(windows.add('V', at(0), NOW_MS)), [])
  assert.equal(times(windows.add('V', at(500), NOW_MS))[0], 1)
})

test('the same reading again is a duplicate, also a late one; another reading of the same instant is not', () => {
  const windows = createVehicleWindows(1)
  for (const time of [1, 2, 3]) windows.add('V', at(time), NOW_MS)
  assert.equal(windows.add('V', at(2), NOW_MS), 'duplicate')
  assert.deepEqual(times(windows.add('V', at(2, 90), NOW_MS)), [1, 2])
  assert.equal(windows.add('V', at(2), NOW_MS), 'duplicate')
  assert.equal(windows.add('V', at(2, 90), NOW_MS), 'duplicate')
})

test('the vehicle that was heard of the longest ago leaves for a new one', () => {
  const windows = createVehicleWindows(2)
  for (const vehicle of ['A', 'B', 'A', 'C']) windows.add(vehicle, at(windows.vehicleCount() + 10 * Number(vehicle === 'A')), NOW_MS)
  assert.equal(windows.vehicleCount(), 2)
  assert.equal(windows.forgottenCount(), 1)
  assert.equal(times(windows.add('A', at(100), NOW_MS)).length > 0, true, 'A was heard of after B')
  assert.deepEqual(times(windows.add('B', at(100), NOW_MS)), [])
})

test('the status last reported is remembered', () => {
  const windows = createVehicleWindows(1)
  windows.add('V', at(1), NOW_MS)
  windows.noteStatus('V', 'warning')
  windows.noteStatus('W', 'critical')
  const before = windows.add('V', at(2), NOW_MS)
  assert.ok(before !== 'duplicate')
  assert.equal(before.status, 'warning')
})
