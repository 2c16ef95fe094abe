// Goal: every answer of the two clocks, and which of them is named.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clocks, judgePresence } from './judge-presence.ts'
import { Listening } from './listening.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)
const limits = { offlineAfterMs: 300_000, reconnectWithinMs: 30_000 }
const nothing: Clocks = { isOnline: false, lastSeenAt: undefined, connectedAt: undefined, disconnectedAt: undefined }
const judge = (clocks: Partial<Clocks>) => judgePresence({ ...nothing, ...clocks }, NOW, limits)

test('a device that was offline comes online by the clock that changed first', () => {
  assert.deepEqual(judge({ connectedAt: ago(2) }), { isOnline: true, reason: 'connected' })
  assert.deepEqual(judge({ connectedAt: ago(2), lastSeenAt: ago(1) }), { isOnline: true, reason: 'connected' })
  assert.deepEqual(judge({ connectedAt: ago(2), lastSeenAt: ago(3) }), { isOnline: true, reason: 'data' })
  assert.deepEqual(judge({ connectedAt: ago(2), lastSeenAt: ago(301) }), { isOnline: true, reason: 'connected' })
  assert.deepEqual(judge({ lastSeenAt: ago(100) }), { isOnline: true, reason: 'data', lookAt: new Date(ago(-200).getTime() + 1) })
  assert.deepEqual(judge({ lastSeenAt: ago(300) }), { isOnline: true, reason: 'data', lookAt: new Date(NOW.getTime() + 1) })
})

test('one that is online stays so without a word, and is looked at again when its time to send is over', () => {
  assert.deepEqual(judge({ isOnline: true, connectedAt: ago(90_000) }), { isOnline: true })
  assert.deepEqual(judge({ isOnline: true, lastSeenAt: ago(0) }), { isOnline: true, lookAt: new Date(ago(-300).getTime() + 1) })
})

test('it goes by the clock that gave up last', () => {
  assert.deepEqual(judge({ isOnline: true, lastSeenAt: ago(301) }), { isOnline: false, reason: 'silent' })
  assert.deepEqual(judge({ isOnline: true, disconnectedAt: ago(29) }), { isOnline: true, lookAt: ago(-1) })
  assert.deepEqual(judge({ isOnline: true, disconnectedAt: ago(30) }), { isOnline: false, reason: 'disconnected' })
  assert.deepEqual(judge({ isOnline: true, lastSeenAt: ago(400), disconnectedAt: ago(60) }), { isOnline: false, reason: 'disconnected' })
  assert.deepEqual(judge({ isOnline: true, lastSeenAt: ago(301), disconnectedAt: ago(200) }), { isOnline: false, reason: 'silent' })
})

test('what is offline stays so, and is not looked at until something is heard of it', () => {
  assert.deepEqual(judge({}), { isOnline: false })
  assert.deepEqual(judge({ lastSeenAt: ago(900), disconnectedAt: ago(900) }), { isOnline: false })
})

test('a process listens from its beginning, and anew after a pause in which it could not have heard', () => {
  const listening = new Listening(ago(100))
  assert.equal(listening.hasLasted(30_000, ago(71)), false)
  assert.equal(listening.hasLasted(30_000, ago(70)), true)
  assert.equal(listening.hasLasted(30_000, ago(39)), false)
  assert.equal(listening.hasLasted(30_000, ago(9)), true)
})
