// Goal: a chart shades the values without a finding, and no others. Method: the bands of charts beside the rules that judge the same signals.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalBandOf } from '@roadworthy/signals/normal-bands'
import { type SignalName, signals } from '@roadworthy/signals/registry'
import type { Sample } from '../inputs/sample.ts'
import type { SystemVoltage } from '../inputs/system-voltage.ts'
import type { Timeline } from '../inputs/timeline.ts'
import { numbers } from '../numbers.ts'
import { stateless } from '../testing/inputs.ts'
import { traitsOf } from '../vehicle/vehicle-traits.ts'
import { type BandRule, bandRules } from './band-rules.ts'

const ruleOf = (type: string): BandRule => bandRules.find((rule) => rule.type === type) ?? assert.fail(type)
const stated = (name: string) =>
  Object.values(numbers)
    .flat()
    .find((row) => row.name === name)?.value

/** The reading at which the mildest severity of a rule begins, in a vehicle with an engine that drives. */
function beginningOf(type: string, systemVoltage: SystemVoltage = 12): number {
  const { hold, divisor, offset } = ruleOf(type)
  const sample = { engine: 'running', values: { engineSpeedRpm: 1500 } } as unknown as Sample
  const traits = traitsOf(stateless({}), [], systemVoltage)
  const timeline = { systemVoltage, traits, regulatedRests: new Set() } as unknown as Timeline
  const [threshold = Number.NaN] = hold.thresholds
  const reading = (threshold - (offset?.(sample, timeline) ?? 0)) * (divisor?.(sample, timeline) ?? 1)
  return Math.round(reading * 1000) / 1000
}

test('a band ends where the first rule begins', () => {
  assert.deepEqual(normalBandOf('coolantTempC', []), {
    min: stated('cooling-down.FALLEN_BELOW_C'),
    max: beginningOf('coolant_overheat'),
    when: 'engine warm',
  })
  assert.ok(beginningOf('thermostat_stuck_open') < (normalBandOf('coolantTempC', [])?.min ?? 0), 'the other rule begins outside')
  assert.deepEqual(normalBandOf('engineOilTempC', []), { max: beginningOf('oil_overheat') })
  assert.deepEqual(normalBandOf('fuelTempC', []), { max: beginningOf('fuel_overheat'), when: 'diesel engine running' })
  assert.deepEqual(normalBandOf('fuelLevelPct', []), { min: beginningOf('fuel_low') })
  for (const [systemVoltage, readingV] of [
    [12, 14],
    [24, 28],
  ] as const) {
    assert.deepEqual(normalBandOf('batteryVoltageV', [readingV]), {
      min: beginningOf('undercharge', systemVoltage),
      max: beginningOf('overcharge', systemVoltage),
      when: 'engine running',
    })
  }
})

test('every signal that is judged by fixed limits has a band, and no other', () => {
  const judged = new Set(bandRules.map(({ signal }) => signal))
  // Its limit moves with the engine speed.
  judged.delete('oilPressureKpa')
  const banded = (Object.keys(signals) as SignalName[]).filter((signal) => normalBandOf(signal, [14]) !== undefined)
  assert.deepEqual(banded.sort(), [...judged].sort())
})
