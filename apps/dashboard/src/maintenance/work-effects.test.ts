import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectsOf } from './work-effects.ts'

test('completing shows which schedules start again: all of a new part, the one that other work is for, or none', () => {
  const of = (renewed: boolean, scheduleId: string | null) => effectsOf({ component: 'brakes', scheduleId, renewed }).join(' ')
  assert.match(of(true, null), /Open alerts about brakes .* begins anew .* Every schedule for brakes/)
  assert.match(of(true, 'msc-1'), /Every schedule for brakes/)
  assert.match(of(false, 'msc-1'), /keeps its age.* The schedule of this work starts again/)
  assert.match(of(false, null), /No schedule starts again/)
})
