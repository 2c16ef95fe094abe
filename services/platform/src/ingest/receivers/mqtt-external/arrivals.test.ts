import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Arrivals } from './arrivals.ts'

const message = (packetId: number | undefined, payload: string, isRepeated: boolean) => ({
  topic: 'fleet/acme/devices/dev-aaaaaaaa0001/telemetry',
  payload: Buffer.from(payload),
  isRetained: false,
  isRepeated,
  packetId,
})
const [first, later] = [new Date('2026-11-22T10:00:00Z'), new Date('2026-11-22T11:00:00Z')]

test('a message that comes again is dated as when it came first', () => {
  const arrivals = new Arrivals(10)
  assert.equal(arrivals.receivedAt(message(1, '{}', false), first), first)
  assert.equal(arrivals.receivedAt(message(1, '{}', true), later), first)
  assert.equal(arrivals.receivedAt(message(1, '{}', true), later), first, 'however often')
})

test('another message is not taken for it: without the mark, with another id or content, without an id, of another session', () => {
  const arrivals = new Arrivals(10)
  arrivals.receivedAt(message(1, '{}', false), first)
  assert.equal(arrivals.receivedAt(message(1, '{}', false), later), later)
  arrivals.receivedAt(message(2, '{}', false), first)
  assert.equal(arrivals.receivedAt(message(2, '{ }', true), later), later)
  assert.equal(arrivals.receivedAt(message(3, '{}', true), later), later)
  assert.equal(arrivals.receivedAt(message(undefined, '{}', true), later), later)
  arrivals.receivedAt(message(4, '{}', false), first)
  arrivals.forget()
  assert.equal(arrivals.receivedAt(message(4, '{}', true), later), later)
})

test('only the newest are remembered', () => {
  const arrivals = new Arrivals(2)
  for (const packetId of [1, 2, 3]) arrivals.receivedAt(message(packetId, '{}', false), first)
  assert.equal(arrivals.receivedAt(message(3, '{}', true), later), first)
  assert.equal(arrivals.receivedAt(message(1, '{}', true), later), later)
})
