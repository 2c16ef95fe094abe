import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from './clock.ts'

test('a sleep ends by its time or with the reason of its signal, and leaves nothing behind', async () => {
  const { signal } = new AbortController()
  await systemClock.sleep(1, signal)
  assert.equal(getEventListeners(signal, 'abort').length, 0)

  const leaving = new AbortController()
  const reason = new Error('left')
  const sleeping = systemClock.sleep(600_000, leaving.signal)
  leaving.abort(reason)
  await assert.rejects(sleeping, (error) => error === reason)
  await assert.rejects(systemClock.sleep(1, leaving.signal), (error) => error === reason)
})

test('a time that no timer can wait for does not end at once', async () => {
  const leaving = new AbortController()
  let isOver = false
  const sleeping = systemClock.sleep(2 ** 40, leaving.signal).then(() => {
    isOver = true
  })
  const until = Date.now() + 20
  while (Date.now() < until) await turn()
  assert.equal(isOver, false)
  leaving.abort(new Error('left'))
  await assert.rejects(sleeping, /left/)
})
