// Goal: what a caller sends twice changes nothing, and what it sends in parts counts as it does in one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Observation } from '../inputs/observation.ts'
import { type Prediction, predict } from '../predict.ts'
import { NOW_MS } from '../testing/inputs.ts'

const MIN = 60_000
const OFF = { engineSpeedRpm: 0, vehicleSpeedKmh: 0, batteryVoltageV: 11.9 }
const WARM = { engineSpeedRpm: 1500, vehicleSpeedKmh: 50, batteryVoltageV: 13.8 }

const at = (minutesAgo: number, signals: Observation['signals']): Observation => ({
  recordedAtMs: NOW_MS - minutesAgo * MIN,
  ...{ signals, lamps: { milLamp: true }, dtcCodes: ['P0420'] },
})

function judge(history: readonly Observation[], current: Observation): Prediction {
  return predict({ ...current, history, ageDays: undefined, previousStatus: undefined })
}

const courses: Readonly<Record<string, readonly Observation[]>> = {
  'a weak battery at rest': Array.from({ length: 12 }, (_, step) => at(10 * (11 - step), OFF)),
  'an engine that gets hot': Array.from({ length: 40 }, (_, step) => at((39 - step) / 6, { ...WARM, coolantTempC: 80 + step })),
  'a device that reports once a day': Array.from({ length: 12 }, (_, step) => at(1440 * (11 - step), { ...WARM, coolantTempC: 108 })),
}

for (const [name, course] of Object.entries(courses)) {
  const current = course.at(-1) ?? assert.fail()
  const earlier = course.slice(0, -1)

  test(`${name} is judged alike where each reading is sent twice, and the one that is judged as well`, () => {
    const once = judge(earlier, current)
    assert.ok(once.alerts.length > 2, 'something is found beside the lamp and its code')
    const copies = earlier.flatMap((reading) => [reading, { ...reading, dtcCodes: ['P0420'] }])
    assert.deepEqual(judge(copies, current), once)
    assert.deepEqual(judge(course, current), once)
    assert.deepEqual(judge([...course, ...copies], current), once)
  })
}

test('a battery at rest is judged alike where the voltage of each instant comes in a message of its own', () => {
  const course = courses['a weak battery at rest'] ?? assert.fail()
  const { batteryVoltageV, ...others } = OFF
  const apart = course.flatMap((reading) => [
    { ...reading, signals: others },
    { ...reading, signals: { batteryVoltageV } },
  ])
  const found = ({ alerts, healthScore }: Prediction) => [healthScore, alerts.map(({ message }) => message)]
  assert.deepEqual(
    found(judge(apart.slice(0, -1), apart.at(-1) ?? assert.fail())),
    found(judge(course.slice(0, -1), course.at(-1) ?? assert.fail())),
  )
})
