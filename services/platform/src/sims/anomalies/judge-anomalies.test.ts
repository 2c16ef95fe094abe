import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeAnomalies, type SimFacts } from './judge-anomalies.ts'

const MB = 1_048_576
const sound: SimFacts = {
  status: 'active',
  statusSince: new Date(0),
  deviceImei: '356938035643809',
  seenImei: '356938035643809',
  dayBytes: 6 * MB,
  earlierDaysBytes: [4 * MB, 5 * MB, 6 * MB, 5 * MB, 7 * MB, 0, 5 * MB],
  custodyBytes: 0,
}
const kindsOf = (facts: Partial<SimFacts>) => judgeAnomalies({ ...sound, ...facts }).map(({ kind }) => kind)

test('nothing is odd about a SIM in its device that uses what it is used to', () => {
  assert.deepEqual(kindsOf({}), [])
})

test('a SIM is in the wrong device where the IMEIs differ in their first 14 digits', () => {
  assert.deepEqual(kindsOf({ seenImei: '356938035643825' }), ['wrong_device'])
  assert.deepEqual(kindsOf({ seenImei: '3569380356438012' }), [], 'the same device, reported with its software version')
  assert.deepEqual(kindsOf({ seenImei: '35693803564380' }), [])
  assert.deepEqual(kindsOf({ seenImei: undefined }), [])
  assert.deepEqual(kindsOf({ deviceImei: undefined }), [], 'it was given to no device')
})

test('use is odd at more than ten times the median day and 50 MB, once there is a week to judge by', () => {
  assert.deepEqual(kindsOf({ dayBytes: 50 * MB }), [], 'ten times')
  assert.deepEqual(kindsOf({ dayBytes: 50 * MB + 1 }), ['usage_above_habit'])
  assert.deepEqual(kindsOf({ dayBytes: 50 * MB - 1, earlierDaysBytes: [1, 1, 1, 1, 1, 1, 1] }), [], 'an update')
  assert.deepEqual(kindsOf({ dayBytes: 500 * MB, earlierDaysBytes: [1, 1, 1, 1, 1, 1] }), [], 'six days')
  assert.deepEqual(kindsOf({ dayBytes: 500 * MB, earlierDaysBytes: [0, 0, 0, 0, 0, 0, 0] }), ['usage_above_habit'])
  const [anomaly] = judgeAnomalies({ ...sound, dayBytes: 80 * MB })
  assert.deepEqual(anomaly?.detail, { day_bytes: 80 * MB, usual_day_bytes: 5 * MB })
})

test('traffic in safe custody is odd, and nowhere else', () => {
  assert.deepEqual(kindsOf({ status: 'safe_custody', custodyBytes: 1 }), ['traffic_in_custody'])
  assert.deepEqual(kindsOf({ status: 'safe_custody', custodyBytes: 0 }), [])
  assert.deepEqual(kindsOf({ status: 'active', custodyBytes: 1 }), [])
})
