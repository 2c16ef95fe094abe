import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldWarning } from './inbound.ts'
import { WarnedFields } from './warned-fields.ts'
import { MAX_WARNINGS, toWireWarnings } from './wire-warnings.ts'

const unknown = (field: string): FieldWarning => ({ field, kind: 'unknown' })

test('a warning states why, and which name was probably meant', () => {
  const room = { left: 10 }
  assert.deepEqual(
    toWireWarnings([unknown('coolnt_temp'), unknown('batteryVoltage'), unknown('zzzzzz'), { field: 'rpm', kind: 'implausible' }], room),
    [
      { field: 'coolnt_temp', reason: 'unknown, kept in extra; the closest known name is "coolant_temp"' },
      { field: 'batteryVoltage', reason: 'unknown, kept in extra; the closest known name is "battery_voltage"' },
      { field: 'zzzzzz', reason: 'unknown, kept in extra' },
      { field: 'rpm', reason: 'implausible' },
    ],
  )
  assert.equal(room.left, 6)
  assert.equal(toWireWarnings(undefined, room), undefined)
  assert.equal(toWireWarnings([], room), undefined)
})

test('an answer names so many fields and counts the others, and cuts keys that are no names', () => {
  const room = { left: MAX_WARNINGS }
  const many = Array.from({ length: MAX_WARNINGS + 7 }, (_, i) => unknown(`made_up_${i}`))
  const shown = toWireWarnings(many, room)
  assert.equal(shown?.length, MAX_WARNINGS + 1)
  assert.match(shown.at(-1)?.reason ?? '', /^7 more/)
  assert.deepEqual(toWireWarnings([unknown('late')], room), [
    { field: '*', reason: `1 more; an answer names at most ${MAX_WARNINGS} fields` },
  ])
  assert.equal(toWireWarnings([unknown('k'.repeat(5_000))], { left: 1 })?.[0]?.field.length, 129)
  assert.equal(toWireWarnings([unknown(`${'k'.repeat(127)}🚚🚚`)], { left: 1 })?.[0]?.field, `${'k'.repeat(127)}\ufffd…`)
})

test('a device is warned of a field once an hour', () => {
  const warned = new WarnedFields()
  const take = (deviceId: string, fields: string[], minutes: number) =>
    warned.takeNew(deviceId, fields.map(unknown), minutes * 60_000).map(({ field }) => field)
  assert.deepEqual(take('dev-1', ['a', 'b', 'a'], 0), ['a', 'b'])
  assert.deepEqual(take('dev-1', ['a', 'c'], 59), ['c'])
  assert.deepEqual(take('dev-2', ['a'], 59), ['a'])
  assert.deepEqual(take('dev-1', ['a', 'b'], 60), ['a', 'b'])
})

test('what is remembered of warnings is bounded, whatever keys devices make up', () => {
  const warned = new WarnedFields(1_000)
  for (let i = 0; i < 200; i++) {
    const fields = Array.from({ length: 20 }, (_, n) => unknown(`key_${i}_${n}`))
    for (const nowMs of [0, 1, 2, 3, 4, 5])
      warned.takeNew(
        `dev-${i % 50}`,
        fields.map(({ field }) => unknown(`${field}_${nowMs}`)),
        nowMs,
      )
    assert.ok(warned.fieldCount <= 1_000, String(warned.fieldCount))
  }
  // One device alone hears of 64 fields an hour.
  const alone = new WarnedFields()
  const made = Array.from({ length: 500 }, (_, n) => unknown(`made_up_${n}`))
  assert.equal(alone.takeNew('dev-1', made, 0).length, 64)
  assert.equal(alone.takeNew('dev-1', [unknown('one more')], 1).length, 0)
  assert.equal(alone.fieldCount, 64)
  alone.takeNew('dev-2', [unknown('a')], 3_600_000)
  assert.equal(alone.fieldCount, 1)
})
