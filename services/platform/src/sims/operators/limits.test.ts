// Goal: who waits in a process is called in order, and a platform that is down is left alone. Method: a clock that stands still unless a test moves
// it, calls that the test ends, and turns that nobody waits for (they are tested with the database, in `call-turns.db.test.ts`).

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ExchangeAnswer, ExchangeError } from './exchange.ts'
import { CallGate, CallGates, type CallLimits } from './limits.ts'
import { freeTurns } from './test-turns.ts'

const signal = new AbortController().signal
const answer = (status: number, retryAfterMs?: number): ExchangeAnswer => ({ status, retryAfterMs, date: undefined, text: '{}' })
const unreachable = () => Promise.reject(new ExchangeError('refused', { hasLeft: false }))

class TestClock {
  #nowMs = 0

  nowMs = (): number => this.#nowMs

  async move(ms: number): Promise<void> {
    await settle()
    this.#nowMs += ms
    await settle()
  }
}

/** Everything that was ready to run has run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

const depsOf = ({ nowMs }: TestClock) => ({ turns: freeTurns, nowMs })

function gateWith(limits: Partial<CallLimits> = {}) {
  const clock = new TestClock()
  return { clock, gate: new CallGate(depsOf(clock), 'one', { maxPerSecond: 5, maxConcurrent: 1, ...limits }) }
}

async function refusalOf(work: Promise<unknown>): Promise<ExchangeError> {
  const error = await work.then(
    () => assert.fail('it was let through'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ExchangeError)
  return error
}

describe('calls at once', () => {
  test('one waits for the other, in the order they came', async () => {
    const { clock, gate } = gateWith()
    const begun: number[] = []
    const ends: (() => void)[] = []
    const calls = [1, 2, 3].map((nth) =>
      gate.run(() => {
        begun.push(nth)
        const { promise, resolve } = Promise.withResolvers<ExchangeAnswer>()
        ends.push(() => resolve(answer(200)))
        return promise
      }, signal),
    )
    await clock.move(10_000)
    assert.deepEqual(begun, [1])
    ends[0]?.()
    await clock.move(10_000)
    assert.deepEqual(begun, [1, 2])
    ends[1]?.()
    await clock.move(10_000)
    ends[2]?.()
    await Promise.all(calls)
    assert.deepEqual(begun, [1, 2, 3])
    assert.equal(gate.isIdle, true)
  })

  test('who stops waiting is not called, and holds up nobody', async () => {
    const { clock, gate } = gateWith()
    const { promise: first, resolve } = Promise.withResolvers<ExchangeAnswer>()
    const under = gate.run(() => first, signal)
    const stopping = new AbortController()
    let isCalled = false
    const second = refusalOf(
      gate.run(async () => {
        isCalled = true
        return answer(200)
      }, stopping.signal),
    )
    const third = gate.run(async () => answer(200), signal)
    await settle()
    stopping.abort()
    assert.equal((await second).hasLeft, false)
    resolve(answer(200))
    await clock.move(1_000)
    await Promise.all([under, third])
    assert.equal(isCalled, false)
  })

  test('more than the queue holds are turned away', async () => {
    const { gate } = gateWith()
    const stopping = new AbortController()
    const under = gate.run(() => new Promise(() => undefined), signal)
    const waiting = Array.from({ length: 200 }, () => gate.run(async () => answer(200), stopping.signal).catch(() => undefined))
    const { kind, retryAfterMs } = await refusalOf(gate.run(async () => answer(200), signal))
    assert.equal(kind, 'busy')
    assert.ok((retryAfterMs ?? 0) > 0)
    stopping.abort()
    await Promise.all(waiting)
    assert.ok(under instanceof Promise)
  })
})

describe('the circuit breaker', () => {
  test('opens after five failures in a row, tries once after 30 s and then after growing pauses, and closes when that is answered', async () => {
    const { clock, gate } = gateWith({ maxPerSecond: 1_000 })
    let calls = 0
    const failing = () => {
      calls++
      return unreachable()
    }
    const tryOnce = async (call: () => Promise<ExchangeAnswer>) => {
      const work = gate.run(call, signal)
      work.catch(() => undefined)
      await clock.move(1)
      return work
    }
    for (let nth = 1; nth <= 5; nth++) await refusalOf(tryOnce(failing))
    const open = await refusalOf(tryOnce(failing))
    assert.equal(calls, 5)
    assert.equal(open.kind, 'unsent')
    assert.ok((open.retryAfterMs ?? 0) > 29_000 && (open.retryAfterMs ?? 0) <= 30_000)
    await clock.move(30_000)
    // Each try that fails: twice as long, and five minutes at most.
    for (const [nth, restMs] of [60_000, 120_000, 240_000, 300_000, 300_000].entries()) {
      await refusalOf(tryOnce(failing))
      assert.equal(calls, 6 + nth)
      const { retryAfterMs = 0 } = await refusalOf(tryOnce(failing))
      assert.ok(retryAfterMs > restMs - 1_000 && retryAfterMs <= restMs, `${retryAfterMs} of ${restMs}`)
      assert.equal(calls, 6 + nth)
      await clock.move(restMs)
    }
    assert.equal((await tryOnce(async () => answer(404))).status, 404)
    await refusalOf(tryOnce(failing))
    assert.equal((await tryOnce(async () => answer(200))).status, 200)
  })

  test('lets one try at a time, however many may call at once', async () => {
    const { clock, gate } = gateWith({ maxPerSecond: 1_000, maxConcurrent: 10 })
    for (let nth = 1; nth <= 5; nth++) {
      const work = refusalOf(gate.run(unreachable, signal))
      await clock.move(1)
      await work
    }
    await clock.move(30_000)
    let calls = 0
    const { promise, resolve } = Promise.withResolvers<ExchangeAnswer>()
    const call = () => {
      calls++
      return promise
    }
    const probe = gate.run(call, signal)
    await clock.move(1)
    const second = refusalOf(gate.run(call, signal))
    await clock.move(1)
    assert.equal((await second).kind, 'unsent')
    resolve(answer(200))
    await probe
    assert.equal(calls, 1)
  })

  test('does not open because callers stop waiting', async () => {
    const { clock, gate } = gateWith({ maxPerSecond: 1_000 })
    for (let nth = 1; nth <= 10; nth++) {
      const stopping = new AbortController()
      const work = refusalOf(
        gate.run(() => {
          stopping.abort()
          return unreachable()
        }, stopping.signal),
      )
      await clock.move(1)
      await work
    }
    const work = gate.run(async () => answer(200), signal)
    await clock.move(1)
    assert.equal((await work).status, 200)
  })

  test('counts 5xx, and neither refusals nor what it held back itself', async () => {
    const { clock, gate } = gateWith({ maxPerSecond: 1_000 })
    const once = async (status: number) => {
      const work = gate.run(async () => answer(status), signal)
      await clock.move(1)
      return work
    }
    for (const status of [500, 502, 503, 504, 401, 500, 500, 500, 500]) await once(status)
    assert.equal((await once(500)).status, 500)
    await refusalOf(gate.run(async () => answer(200), signal))
  })
})

describe('Retry-After', () => {
  test('holds every call back for so long, a minute where 429 names no time, and the last one decides', async () => {
    const { clock, gate } = gateWith({ maxPerSecond: 1_000 })
    const once = async (given: ExchangeAnswer) => {
      const work = gate.run(async () => given, signal)
      work.catch(() => undefined)
      await clock.move(1)
      return work
    }
    await once(answer(429, 5_000))
    const held = await refusalOf(once(answer(200)))
    assert.equal(held.kind, 'busy')
    assert.ok((held.retryAfterMs ?? 0) > 4_000 && (held.retryAfterMs ?? 0) <= 5_000)
    await clock.move(5_000)
    await once(answer(429))
    await clock.move(59_000)
    await refusalOf(once(answer(200)))
    await clock.move(1_000)
    assert.equal((await once(answer(200))).status, 200)
    await once(answer(503, 2_000))
    await refusalOf(once(answer(200)))
  })
})

test('connections with one credential share a gate, and others have their own', () => {
  const gates = new CallGates(depsOf(new TestClock()))
  const limits = { maxPerSecond: 5, maxConcurrent: 1 }
  assert.equal(gates.gateOf('one', limits), gates.gateOf('one', limits))
  assert.notEqual(gates.gateOf('one', limits), gates.gateOf('other', limits))
})
