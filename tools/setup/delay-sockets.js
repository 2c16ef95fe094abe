// `npm test -- --delayed FILE…`: what comes in over a socket of any process of the tests waits for a while, by chance and in its order. On a machine that has
// nothing else to do a database answers within the same millisecond, and an order that nothing holds is never seen to be another.

import { Socket } from 'node:net'

/** Of the chunks that come in. Assumption: enough that each test has some, and few enough that none of its own limits of time is reached. */
const SHORT_SHARE = 0.05
const SHORT_MAX_MS = 60
/** Now and again one is later than the timers that run each second allow for. */
const LONG_SHARE = 0.003
const LONG_MAX_MS = 600

function randomWaitMs() {
  const share = Math.random()
  if (share < LONG_SHARE) return LONG_MAX_MS * Math.random()
  return share < LONG_SHARE + SHORT_SHARE ? SHORT_MAX_MS * Math.random() : 0
}

/** Taken now: tests put clocks of their own in its place. */
const startTimer = setTimeout

/** Delays what sockets of this process receive from now on. Returns what takes it back. */
export function delaySockets(waitMs = randomWaitMs, start = startTimer) {
  const { push } = Socket.prototype
  const waiting = new WeakMap()

  function delayedPush(chunk, encoding) {
    const queue = waiting.get(this)
    const ms = waitMs()
    if (queue === undefined && ms === 0) return push.call(this, chunk, encoding)
    // The memory that a chunk came in may be used again for the next.
    const kept = { chunk: chunk === null ? null : Buffer.from(chunk), encoding, ms }
    if (queue === undefined) {
      waiting.set(this, [kept])
      start(deliver, ms, this)
    } else queue.push(kept)
    return true
  }

  function deliver(socket) {
    const queue = waiting.get(socket)
    const { chunk, encoding } = queue.shift()
    if (!socket.destroyed) {
      push.call(socket, chunk, encoding)
      // Without a read nothing notices that the end has come.
      if (chunk === null) socket.read(0)
    }
    if (queue.length === 0) waiting.delete(socket)
    else start(deliver, queue[0].ms, socket)
  }

  Socket.prototype.push = delayedPush
  return () => {
    Socket.prototype.push = push
  }
}
