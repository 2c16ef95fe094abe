import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mock, test } from 'node:test'
import { type Watched, watchStreets } from './watch-streets.ts'

const WITHIN_MS = 4_000

function watch(t: { after: (done: () => void) => void }) {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const map = new EventEmitter()
  // Without a listener the emitter would throw.
  map.on('error', () => undefined)
  let failures = 0
  watchStreets(map as unknown as Watched, WITHIN_MS, () => failures++)
  return { map, failures: () => failures, pass: (ms: number) => mock.timers.tick(ms) }
}

test('streets that come in time stay, whatever is missing of them later', (t) => {
  const { map, failures, pass } = watch(t)
  map.emit('sourcedata', { sourceId: 'own-vehicles', tile: {} })
  map.emit('sourcedata', { sourceId: 'streets' })
  map.emit('sourcedata', { sourceId: 'streets', tile: {} })
  map.emit('error', { sourceId: 'streets' })
  map.emit('idle')
  pass(WITHIN_MS)
  assert.equal(failures(), 0)
})

test('streets of which nothing comes in time have failed, once', (t) => {
  const { map, failures, pass } = watch(t)
  map.emit('sourcedata', { sourceId: 'own-vehicles', tile: {} })
  pass(WITHIN_MS - 1)
  assert.equal(failures(), 0)
  pass(1)
  pass(WITHIN_MS)
  assert.equal(failures(), 1)
})

test('streets that are refused have failed as soon as the map rests, and a map without anything to load has not', (t) => {
  const refused = watch(t)
  refused.map.emit('error', { sourceId: 'streets' })
  assert.equal(refused.failures(), 0)
  refused.map.emit('idle')
  assert.equal(refused.failures(), 1)
  mock.timers.reset()
  const empty = watch(t)
  empty.map.emit('error', { sourceId: 'own-trail' })
  empty.map.emit('idle')
  empty.pass(WITHIN_MS)
  assert.equal(empty.failures(), 0)
})
