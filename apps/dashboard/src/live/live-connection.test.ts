// Goal: a page follows the stream for what it shows, notices each cut, and misses nothing. Method: sources that the test opens, speaks for and
// fails, and a clock that stands until it is moved.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import type { VehicleChange } from '@roadworthy/contracts/platform-v1/live'
import { LiveConnection, type Source } from './live-connection.ts'
import { LiveState } from './live-state.ts'

class FakeSource implements Source {
  readonly url: string
  isClosed = false
  readonly #listeners = new Map<string, (message: { lastEventId: string; data: string }) => void>()

  constructor(url: string) {
    this.url = url
  }

  addEventListener(name: string, listener: (message: { lastEventId: string; data: string }) => void): void {
    this.#listeners.set(name, listener)
  }

  close(): void {
    this.isClosed = true
  }

  send(name: string, data: object = {}, lastEventId = ''): void {
    this.#listeners.get(name)?.({ lastEventId, data: JSON.stringify(data) })
  }
}

const change = (id: string, rest: Partial<VehicleChange> = {}): VehicleChange => ({
  ...{ id, healthScore: 90, healthStatus: 'healthy', riskLevel: 'low', scoredAt: null, lastReadingAt: null, openAlerts: 0 },
  ...{ online: true, location: null },
  ...rest,
})

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

function connect() {
  const state = new LiveState()
  const sources: FakeSource[] = []
  const noted: string[] = []
  const open = (url: string) => {
    const source = new FakeSource(url)
    sources.push(source)
    return source
  }
  const connection = new LiveConnection({
    ...{ state, open, random: () => 1, nowMs: () => 0 },
    onEvent: ({ event }) => noted.push(event),
    onJudged: (id) => noted.push(`judged ${id}`),
    askAnew: () => noted.push('anew'),
  })
  const last = () => {
    const source = sources.at(-1)
    assert.ok(source)
    return source
  }
  return { state, sources, noted, connection, last }
}

test('the first stream asks all anew, for what changed before it stood; one that goes on does not', () => {
  const { state, noted, connection, last, sources } = connect()
  connection.start()
  assert.equal(last().url, '/api/v1/stream')
  assert.equal(state.isLive, false)
  last().send('ready', { watched: 0 }, 'a')
  assert.equal(state.isLive, true)
  last().send('event', { event: 'alert.created', data: {} }, 'b')
  assert.deepEqual(noted, ['anew', 'alert.created'])

  connection.stop()
  assert.equal(state.isLive, false)
  assert.equal(sources[0]?.isClosed, true)
  connection.start()
  assert.equal(last().url, '/api/v1/stream?lastEventId=b')
  last().send('ready', { watched: 0 }, 'b')
  assert.deepEqual(noted, ['anew', 'alert.created'])
  last().send('reset', {}, 'c')
  assert.deepEqual(noted, ['anew', 'alert.created', 'anew'])
})

test('after a cut all is asked anew once, and it connects again after ever longer waits until it stands', () => {
  const { state, noted, connection, last, sources } = connect()
  connection.start()
  last().send('ready', {}, 'a')
  noted.length = 0
  for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const opened = sources.length
    last().send('error')
    assert.equal(last().isClosed, true)
    assert.equal(state.isLive, false)
    mock.timers.tick(waitMs - 1)
    assert.equal(sources.length, opened, `waits ${waitMs}`)
    mock.timers.tick(1)
    assert.equal(sources.length, opened + 1)
  }
  assert.deepEqual(noted, ['anew'])
  last().send('ready', {}, 'a')
  assert.equal(state.isLive, true)
  last().send('error')
  assert.deepEqual(noted, ['anew', 'anew'])
  mock.timers.tick(1_000)
  assert.equal(sources.length, 9)
})

test('it is opened again when more is shown, in a while when less is, and not for what it shows already', () => {
  const { state, connection, last, sources } = connect()
  const hide = state.show({ vehicleIds: ['veh-1', 'veh-2'] })
  connection.start()
  last().send('ready', {}, 'a')
  assert.equal(last().url, '/api/v1/stream?vehicles=veh-1,veh-2')
  state.show({ vehicleIds: ['veh-2'] })
  mock.timers.tick(60_000)
  assert.equal(sources.length, 1)

  state.show({ box: { west: 7, south: 48, east: 9, north: 50 } })
  state.show({ vehicleIds: ['veh-3'] })
  mock.timers.tick(250)
  assert.equal(sources.length, 2, 'once for both')
  assert.equal(last().url, '/api/v1/stream?vehicles=veh-1,veh-2,veh-3&bbox=7,48,9,50&lastEventId=a')
  assert.equal(state.isLive, true, 'nothing is missed between them')
  last().send('ready', {}, 'a')

  hide()
  mock.timers.tick(4_999)
  assert.equal(sources.length, 2)
  mock.timers.tick(1)
  assert.match(last().url, /vehicles=veh-2,veh-3&/)
})

test('the first message of a stream replaces what is known of vehicles, the others add to it', () => {
  const { state, noted, connection, last, sources } = connect()
  connection.start()
  last().send('ready', {}, 'a')
  last().send('vehicles', { vehicles: [change('veh-1'), change('veh-2')] })
  last().send('vehicles', { vehicles: [change('veh-1', { openAlerts: 1 }), change('veh-2', { online: false })] })
  assert.deepEqual([...state.changes.keys()], ['veh-1', 'veh-2'])
  assert.equal(state.changes.get('veh-1')?.change.openAlerts, 1)
  assert.deepEqual(noted, ['anew', 'judged veh-1'])

  state.show({ vehicleIds: ['veh-2'] })
  mock.timers.tick(250)
  sources[0]?.send('vehicles', { vehicles: [change('veh-3')] })
  assert.deepEqual([...state.changes.keys()], ['veh-1', 'veh-2'], 'a source that was closed counts for nothing')
  last().send('vehicles', { vehicles: [change('veh-2')] })
  assert.deepEqual([...state.changes.keys()], ['veh-2'])
})
