// Goal: lists, lines and the stream of events are read to their end, an item at a time, and never for ever.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { AuthenticationError, ConnectionError, ServerError, UnexpectedAnswerError } from './errors.ts'
import { Roadworthy } from './roadworthy.ts'
import { createTestClock } from './test-clock.ts'
import { type Answer, json, refuse, reset, startTestServer } from './test-server.ts'

async function setUp(t: TestContext) {
  const server = await startTestServer(t)
  const clock = createTestClock()
  return { server, clock, client: new Roadworthy({ baseUrl: server.url, apiKey: 'rw_live_key', clock }) }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const page = (ids: readonly string[], endCursor: string | null, hasNextPage: boolean): Answer =>
  json(200, { total: 9, devices: ids.map((id) => ({ id })), pagination: { endCursor, hasNextPage } })

test('a list is read page by page, with its filters, as far as it is asked for', async (t) => {
  const { server, client } = await setUp(t)
  const pages = [page(['a', 'b'], 'c1', true), page([], 'c2', true), page(['c'], 'c3', false)]
  server.answer(...pages)
  const devices = await collect(client.external.devices.iterate({ status: 'active', limit: 2 }))
  assert.deepEqual(
    devices.map(({ id }) => id),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    [
      '/api/external/devices?status=active&limit=2',
      '/api/external/devices?status=active&limit=2&after=c1',
      '/api/external/devices?status=active&limit=2&after=c2',
    ],
  )
  server.answer(...pages)
  for await (const { id } of client.external.devices.iterate()) if (id === 'b') break
  assert.equal(server.seen.length, 1, 'nobody asks for what nobody reads')
})

test('a cursor from before is where a list begins, also that of a path with an id', async (t) => {
  const { server, client } = await setUp(t)
  server.answer(json(200, { total: 0, history: [{ id: 'h1' }], pagination: { endCursor: 'x', hasNextPage: false } }))
  const history = await collect(client.simBilling.sims.iterateHistory('sim-1', { after: 'w', limit: 1 }))
  assert.deepEqual([history.length, server.seen[0]?.url], [1, '/api/sim-billing/sims/sim-1/history?after=w&limit=1'])
})

test('a list that comes back to a page ends with an error, however long the circle', async (t) => {
  const { server, client } = await setUp(t)
  for (const circle of [
    ['c1', 'c1'],
    ['c1', 'c2', 'c3', 'c1'],
  ]) {
    server.answer(...circle.map((cursor) => page(['a'], cursor, true)))
    await assert.rejects(
      collect(client.external.devices.iterate()),
      (error) => error instanceof UnexpectedAnswerError && error.code === 'repeated_cursor',
    )
    assert.equal(server.seen.length, circle.length)
  }
  for (const body of [{ total: 1 }, null, [], 'devices', { devices: {} }]) {
    server.answer(json(200, body))
    await assert.rejects(collect(client.external.devices.iterate()), /no array "devices"|no object with fields/)
  }
})

test('a list that goes on without saying where is an error, behind the items that came', async (t) => {
  const { server, client } = await setUp(t)
  server.answer(page(['a'], null, true))
  const found: string[] = []
  await assert.rejects(
    async () => {
      for await (const { id } of client.external.devices.iterate()) found.push(id)
    },
    (error) => error instanceof UnexpectedAnswerError && error.code === 'missing_cursor',
  )
  assert.deepEqual(found, ['a'])
})

test('a page that fails is repeated, and its error ends the list where it cannot be', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(page(['a'], 'c1', true), reset, page(['b'], null, false))
  const reading = collect(client.external.devices.iterate())
  await clock.asleep(1000)
  clock.advance(1000)
  assert.equal((await reading).length, 2)
  server.answer(page(['a'], 'c1', true), refuse(401, 'invalid_api_key'))
  await assert.rejects(collect(client.external.devices.iterate()), AuthenticationError)
})

test('CSV and files are answered as text and as bytes', async (t) => {
  const { server, client } = await setUp(t)
  server.answer((response) => response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('period,meter\r\n'))
  const csv: string = await client.external.usage.get({ format: 'csv' })
  assert.equal(csv, 'period,meter\r\n')
  server.answer((response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('id\r\n'))
  const imported: string = await client.platform.devices.import({ devices: [] }, { accept: 'text/csv' })
  assert.deepEqual([imported, server.seen[0]?.headers.accept], ['id\r\n', 'text/csv'])
  server.answer((response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.from([0x25, 0xff, 0x00])))
  assert.deepEqual(await client.simBilling.invoices.getPdf('inv-1'), new Uint8Array([0x25, 0xff, 0x00]))
})

test('lines are read as they come, across every cut between pieces, and an answer that is cut off is an error', async (t) => {
  const { server, client } = await setUp(t)
  const bytes = Buffer.from('{"deviceId":"Müller"}\n{"deviceId":"b"}\n')
  const inPieces: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const sendFrom = (i: number): void => {
      if (i === bytes.length) response.end()
      else response.write(bytes.subarray(i, i + 1), () => sendFrom(i + 1))
    }
    sendFrom(0)
  }
  server.answer(inPieces)
  const positions = await collect(client.platform.fleet.positions({ subClientId: 'acme' }))
  assert.deepEqual(
    positions.map(({ deviceId }) => deviceId),
    ['Müller', 'b'],
  )
  for (const end of ['reset', 'early']) {
    const begun = Promise.withResolvers<ServerResponse>()
    server.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"deviceId":"a"}\n{"devi')
      begun.resolve(response)
    })
    const cutOff = client.platform.fleet.positions()
    // Cut before anything of it was read, it would be a call that is made again.
    assert.equal((await cutOff.next()).value?.deviceId, 'a')
    const response = await begun.promise
    if (end === 'early') response.end()
    else response.socket?.resetAndDestroy()
    await assert.rejects(cutOff.next(), ConnectionError, end)
  }
})

const events =
  (text: string, isOpen = false): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
    if (!isOpen) response.end()
  }

test('the stream goes on after a cut from the last message, and ends when the reader leaves', async (t) => {
  const { server, clock, client } = await setUp(t)
  const ready = 'event: ready\nid: c0\ndata: {"watched":0}\n\n: still there\n\n'
  const one = 'event: event\r\nid: c1\r\ndata: {"id":"evt-1",\r\ndata: "event":"alert.created"}\r\n\r\n'
  server.answer(events(`${ready}${one}event: event\nid: c2\ndata: {"cut":`), events(`id: c2\nevent: event\ndata: {"id":"evt-2"}\n\n`, true))
  const types: string[] = []
  const reading = (async () => {
    for await (const message of client.platform.stream.follow({ bbox: '77,12,78,14' })) {
      types.push(`${message.type} ${message.id}`)
      if (message.id === 'c2') break
    }
  })()
  await clock.asleep(1000)
  clock.advance(1000)
  await reading
  assert.deepEqual(types, ['ready c0', 'event c1', 'event c2'])
  assert.deepEqual(
    server.seen.map(({ url, headers }) => [url, headers.accept]),
    [
      ['/api/v1/stream?bbox=77%2C12%2C78%2C14', 'text/event-stream'],
      ['/api/v1/stream?bbox=77%2C12%2C78%2C14&lastEventId=c1', 'text/event-stream'],
    ],
  )
  assert.equal(clock.sleeperCount(), 0, 'no timer is left')
})

test('a stream that is silent for too long is cut and opened again; one that never stands ends', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(events('id: c1\nevent: ready\ndata: {}\n\n', true), refuse(401, 'invalid_api_key'))
  const follow = client.platform.stream.follow()
  assert.equal((await follow.next()).value?.id, 'c1')
  const next = follow.next()
  await clock.asleep(60_000)
  clock.advance(60_000)
  await clock.asleep(1000)
  clock.advance(1000)
  await assert.rejects(next, AuthenticationError)

  server.answer(events(''))
  const failing = collect(client.platform.stream.follow({}, { maxRetries: 1 }))
  failing.catch(() => undefined)
  await clock.asleep(1000)
  clock.advance(1000)
  await assert.rejects(failing, ConnectionError)
  assert.equal(server.seen.length, 2)
})

test('a proxy that has no service behind it for a while is a cut, and not the end', async (t) => {
  const { server, clock, client } = await setUp(t)
  const away = refuse(503, 'unavailable')
  const ready = (id: string) => events(`id: ${id}\nevent: ready\ndata: {}\n\n`)
  server.answer(ready('c1'), ...Array.from({ length: 6 }, () => away), refuse(502, 'http_502'), ready('c2'), away)
  const follow = client.platform.stream.follow({}, { maxRetries: 3 })
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      await clock.asleep(1000)
      clock.advance(1000)
    }
  }
  assert.equal((await follow.next()).value?.id, 'c1')
  const next = follow.next()
  await pass(8)
  assert.equal((await next).value?.id, 'c2')
  const last = follow.next()
  last.catch(() => undefined)
  // Four attempts each time that it connects again, which is three times.
  await pass(12)
  await assert.rejects(last, (error) => error instanceof ServerError && error.status === 503)
  assert.equal(server.seen.length, 1 + 7 + 1 + 12)
})

test('what sends before its time is up is not silent, however long it goes on', async (t) => {
  const { server, clock, client } = await setUp(t)
  let send = (_: string): void => undefined
  server.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    send = (id) => void response.write(`id: ${id}\nevent: ready\ndata: {}\n\n`)
    send('c0')
  })
  const follow = client.platform.stream.follow()
  await follow.next()
  for (const id of ['c1', 'c2', 'c3']) {
    const next = follow.next()
    await clock.asleep(60_000)
    clock.advance(40_000)
    send(id)
    assert.equal((await next).value?.id, id)
  }
  assert.equal(server.seen.length, 1)
  await follow.return()
})

test('cuts are counted from the last message', async (t) => {
  const { server, clock, client } = await setUp(t)
  server.answer(...['c1', 'c2', 'c3', 'c4'].map((id) => events(`id: ${id}\nevent: ready\ndata: {}\n\n`)))
  const follow = client.platform.stream.follow({}, { maxRetries: 1 })
  for (const id of ['c1', 'c2', 'c3', 'c4']) {
    const next = follow.next()
    if (id !== 'c1') await clock.asleep(1000).then(() => clock.advance(1000))
    assert.equal((await next).value?.id, id)
  }
  await follow.return()
})

test('a signal ends a stream with its reason', async (t) => {
  const { server, client } = await setUp(t)
  const leaving = new AbortController()
  server.answer(events('id: c1\nevent: ready\ndata: {}\n\n', true))
  const follow = client.platform.stream.follow({}, { signal: leaving.signal })
  await follow.next()
  const next = follow.next()
  const reason = new Error('the page was left')
  leaving.abort(reason)
  await assert.rejects(next, (error) => error === reason)

  server.answer((response) => void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"deviceId":"a"}\n'))
  const leavingLines = new AbortController()
  const positions = client.platform.fleet.positions({}, { signal: leavingLines.signal })
  await positions.next()
  const line = positions.next()
  leavingLines.abort(reason)
  await assert.rejects(line, (error) => error === reason)
})
