import assert from 'node:assert/strict'
import { test } from 'node:test'
import { andThen } from './maybe-promise.ts'

test('what is there is continued at once, what is on its way when it has come', async () => {
  assert.equal(
    andThen(1, (value) => value + 1),
    2,
  )
  const later = andThen(Promise.resolve(1), (value) => value + 1)
  assert.ok(later instanceof Promise)
  assert.equal(await later, 2)
})
