import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalValues } from '@roadworthy/signals/registry'
import type { Observation } from '../inputs/observation.ts'
import { predict } from '../predict.ts'

const S = 1000

/** Volts a second: an alternator that rests under load and charges on overrun, on a motorway and in town. */
const cycles = {
  town: [...charge(8, 14.6), ...rest(25, 12.7), ...charge(5, 14.8), ...rest(40, 12.6), ...charge(6, 14.3), ...rest(30, 12.8)],
  motorway: [...charge(10, 14.5), ...rest(170, 12.5), ...charge(6, 14.9), ...rest(230, 12.4)],
} as const

function charge(seconds: number, voltageV: number): number[] {
  return Array.from({ length: seconds }, () => voltageV)
}
/** Wavers by 0.05 V, and no lower than given. */
function rest(seconds: number, voltageV: number): number[] {
  return Array.from({ length: seconds }, (_, second) => voltageV + ((second * 7) % 5) * 0.01)
}

/** Charges for two minutes after the start, as all do, then in cycles for half an hour. */
function drive(cycle: readonly number[]): Observation[] {
  const start = charge(120, 14.2)
  return Array.from({ length: 1800 }, (_, second) => {
    const batteryVoltageV = start[second] ?? cycle[(second - start.length) % cycle.length] ?? 0
    return reading(second, { batteryVoltageV })
  })
}

function reading(second: number, signals: SignalValues): Observation {
  const driving = { engineSpeedRpm: 1800, vehicleSpeedKmh: 60, coolantTempC: 88, engineRunTimeS: second + 60 }
  return { recordedAtMs: second * S, signals: { ...driving, ...signals }, lamps: {}, dtcCodes: undefined }
}

function* alarms(readings: readonly Observation[]): Generator<{ atS: number; alert: string }> {
  for (const [index, observation] of readings.entries()) {
    const history = readings.slice(Math.max(0, index - 120), index)
    const { alerts } = predict({ ...observation, history, ageDays: undefined, previousStatus: undefined })
    for (const { component, type, severity } of alerts) {
      if (severity !== 'info' && component === 'charging') yield { atS: observation.recordedAtMs / S, alert: `${type} ${severity}` }
    }
  }
}
/** As reported by a device with this interval. */
const every = (seconds: number, readings: readonly Observation[]) => readings.filter((_, second) => second % seconds === 0)

for (const everyS of [1, 2, 5]) {
  test(`an alternator that is regulated in town raises nothing above info, at a reading in ${everyS} s`, () => {
    assert.deepEqual([...alarms(every(everyS, drive(cycles.town)))], [])
  })
}

test('nor on the motorway, where it rests for minutes, once the window holds a phase of charging between two rests', () => {
  const raised = [...alarms(every(5, drive(cycles.motorway)))]
  // The first rest of all lasts longer than a dead alternator may go unnoticed.
  const firstCycleEndsS = 120 + 10 + 170 + 6
  assert.deepEqual(
    raised.filter(({ atS }) => atS >= firstCycleEndsS + 20),
    [],
  )
})

for (const everyS of [1, 5]) {
  test(`a regulated alternator that dies is found within 120 s, at a reading in ${everyS} s`, () => {
    for (const diesAtS of [900, 910, 935, 960]) {
      const faulty = drive(cycles.town).map((observation) => {
        const sinceS = observation.recordedAtMs / S - diesAtS
        if (sinceS < 0) return observation
        // The battery feeds the vehicle: 12.5 V at once, 0.3 V less each minute.
        const batteryVoltageV = Math.min(observation.signals.batteryVoltageV ?? 0, 12.5 - sinceS / 200)
        return { ...observation, signals: { ...observation.signals, batteryVoltageV } }
      })
      const found = alarms(every(everyS, faulty)).find(({ atS }) => atS >= diesAtS)
      assert.ok(found !== undefined && found.atS <= diesAtS + 120, `${diesAtS}: ${found?.atS} ${found?.alert}`)
    }
  })
}

test('an ordinary alternator that dies is found within 120 s, whatever the battery holds', () => {
  for (const left of [12.9, 12.6, 12.4, 12.1, 11.7]) {
    const readings = Array.from({ length: 600 }, (_, second) => reading(second, { batteryVoltageV: second < 300 ? 14.2 : left }))
    const found = alarms(readings).find(() => true)
    assert.ok(found !== undefined && found.atS >= 300 && found.atS <= 420, `${left} V: ${found?.atS}`)
  }
})

test('one load that pulls the voltage down for a reading does not make a regulator', () => {
  const readings = Array.from({ length: 600 }, (_, second) => {
    return reading(second, { batteryVoltageV: second >= 300 ? 12.6 : second % 60 === 0 ? 12.9 : 14.2 })
  })
  const found = alarms(readings).find(() => true)
  assert.ok(found !== undefined && found.atS <= 420, String(found?.atS))
})

test('what is below the voltage of a rest is low, also between phases of charging', () => {
  const readings = drive([...charge(8, 14.5), ...rest(40, 12.1)])
  assert.ok(alarms(readings).some(({ alert }) => alert === 'undercharge high'))
})
