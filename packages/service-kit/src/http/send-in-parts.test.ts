// Goal: an answer in parts is whole or visibly is not, never waits in memory for who reads it, and leaves nothing behind. Method: real sockets; the parts
// are larger than what sockets buffer.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createHttpApp } from './http.ts'
import { type Parts, sendInParts } from './send-in-parts.ts'

const PART_BYTES = 1024 * 1024
const PART_COUNT = 64
const made = { count: 0, endedCount: 0 }
let ended = Promise.withResolvers<void>()

async function* partsUntil(last: number, atLast: 'end' | 'error'): Parts {
  try {
    for (let nth = 0; nth < last; nth++) {
      made.count++
      yield nth % 2 === 0 ? 'x'.repeat(PART_BYTES) : new Uint8Array(PART_BYTES).fill(121)
    }
    if (atLast === 'error') throw new Error('the rest cannot be read')
  } finally {
    made.endedCount++
    ended.resolve()
  }
}

const app = createHttpApp({ logger: false })
app.get('/whole', (_, reply) => sendInParts(reply, partsUntil(PART_COUNT, 'end')))
app.get('/none', (_, reply) => sendInParts(reply, partsUntil(0, 'end')))
app.get('/refused', (_, reply) => sendInParts(reply, partsUntil(0, 'error')))
app.get('/broken', (_, reply) => sendInParts(reply, partsUntil(2, 'error')))
app.get('/stalling', (_, reply) => sendInParts(reply, partsUntil(PART_COUNT, 'end'), 50))
const begun = Promise.withResolvers<void>()
const firstPart = Promise.withResolvers<void>()
app.get('/slow', (_, reply) => {
  async function* slowly(): Parts {
    begun.resolve()
    await firstPart.promise
    yield* partsUntil(PART_COUNT, 'end')
  }
  return sendInParts(reply, slowly())
})
const throwAway = async (_request: unknown, _reply: unknown, payload: unknown) => {
  ;(payload as Readable).destroy()
  throw new Error('the call could not be counted')
}
app.get('/thrown-away', { onSend: throwAway }, (_, reply) => {
  ended = Promise.withResolvers()
  return sendInParts(reply, partsUntil(PART_COUNT, 'end'))
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
after(() => app.close())

/** Asks, and reads nothing. */
async function ask(path: string): Promise<Socket> {
  Object.assign(made, { count: 0, endedCount: 0 })
  ended = Promise.withResolvers()
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`)
  return socket
}

test('every part arrives, in order', async () => {
  const text = await (await fetch(`${address}/whole`)).text()
  assert.equal(text.length, PART_COUNT * PART_BYTES)
  assert.equal(text.replace(/x+/g, 'x').replace(/y+/g, 'y'), 'xy'.repeat(PART_COUNT / 2))
  assert.equal(await (await fetch(`${address}/none`)).text(), '')
})

test('what fails before the first part is an error like any other', async () => {
  assert.equal((await fetch(`${address}/refused`)).status, 500)
})

test('what fails later cuts the connection: it is not taken for the end', async () => {
  const answer = await fetch(`${address}/broken`)
  assert.equal(answer.status, 200)
  await assert.rejects(answer.text(), /terminated/)
})

test('a caller that goes away in the middle ends the parts', async () => {
  const socket = await ask('/whole')
  await once(socket, 'data')
  socket.destroy()
  await ended.promise
  assert.ok(made.count < PART_COUNT && made.endedCount === 1, `${made.count} parts were made`)
})

test('parts are made no faster than they are taken in, and who takes in nothing is cut off', async () => {
  const socket = await ask('/stalling')
  await ended.promise
  assert.ok(made.count < PART_COUNT / 2, `${made.count} parts were made for nobody`)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.resume()
  await closed
  assert.equal(made.endedCount, 1)
})

test('a caller that goes away before the first part is there ends the parts', async () => {
  const socket = await ask('/slow')
  await begun.promise
  socket.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  firstPart.resolve()
  await ended.promise
  assert.equal(made.endedCount, 1)
})

test('an answer that a hook throws away ends the parts', async () => {
  assert.equal((await fetch(`${address}/thrown-away`)).status, 500)
  await ended.promise
})
