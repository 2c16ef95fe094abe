import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Alarm, alarmEventOf, foldAlarms } from './alarm.ts'

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, second))
const alarm = (about: Partial<Alarm>, second = 0): Alarm => ({
  ...{ resellerId: 'acme', vehicleId: 'veh-1', deviceId: 'dev-1', event: 'sos', count: 1, position: undefined },
  ...{ firstRecordedAt: at(second), lastRecordedAt: at(second), ...about },
})

test('alarms of one vehicle and event are one, with its newest reading; those of other resellers, subjects and events are others', () => {
  const others: Partial<Alarm>[] = [
    { resellerId: 'rival' },
    { vehicleId: 'veh-2' },
    { vehicleId: undefined },
    { vehicleId: undefined, deviceId: 'dev-2' },
    { vehicleId: undefined, resellerId: 'rival' },
    { event: 'tow' },
  ]
  const newest = { deviceId: 'dev-9', position: { latitude: 28, longitude: 77 } }
  const folded = foldAlarms([alarm({}, 5), alarm(newest, 9), alarm({ count: 3 }, 1), ...others.map((each) => alarm(each))])
  assert.equal(folded.length, 1 + others.length)
  const joined = folded.find(({ count }) => count > 1)
  assert.deepEqual(joined, { ...alarm(newest), count: 5, firstRecordedAt: at(1), lastRecordedAt: at(9) })
})

test('the words of an event are read as devices write them, and no others', () => {
  assert.deepEqual([' SOS ', 'Power_Cut', 'power cut', 'toString', undefined].map(alarmEventOf), [
    'sos',
    'power_cut',
    undefined,
    undefined,
    undefined,
  ])
})
