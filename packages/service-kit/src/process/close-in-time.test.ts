import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { type App, createHttpApp } from '../http/http.ts'
import { closeInTime } from './close-in-time.ts'

async function listen(app: App): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** A connection that is kept alive, and all it has heard. */
async function connect(port: number): Promise<{ socket: Socket; heard: () => string; closed: Promise<void> }> {
  const socket = net.connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  // Also by a reset, with which a server closes where bytes have come that it has not read.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, heard: () => heard, closed }
}

/** Without `closeInTime` the connections below hold the server for 65 s and 30 s. */
const HANGS_AFTER_MS = 25_000

test('a close answers the request under way in full and ends then, though the caller would keep the connection', {
  timeout: HANGS_AFTER_MS,
}, async () => {
  const app = createHttpApp({ logger: false })
  const [arrived, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<{ late: string }>()]
  app.get('/slow', () => {
    arrived.resolve()
    return answer.promise
  })
  const caller = await connect(await listen(app))
  caller.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await arrived.promise
  const closed = app.close()
  answer.resolve({ late: 'but whole' })
  await closed
  await caller.closed
  assert.match(caller.heard(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\{"late":"but whole"\}$/)
})

test('a request that comes over an open connection during the close is served, and is the last one there', {
  timeout: HANGS_AFTER_MS,
}, async () => {
  const app = createHttpApp({ logger: false })
  const [arrived, first] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()]
  app.get('/first', () => {
    arrived.resolve()
    return first.promise
  })
  app.get('/second', async () => ({ served: true }))
  const caller = await connect(await listen(app))
  caller.socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n')
  await arrived.promise
  const closed = app.close()
  await new Promise(setImmediate)
  caller.socket.write('GET /second HTTP/1.1\r\nHost: x\r\n\r\n')
  first.resolve({})
  await closed
  await caller.closed
  const answers = caller.heard().split('HTTP/1.1 ').slice(1)
  assert.ok(
    answers.every((answer) => answer.startsWith('200 OK')),
    caller.heard(),
  )
  assert.match(answers.at(-1) ?? '', /connection: close/i)
  assert.match(answers.at(-1) ?? '', /\{"served":true\}$/)
})

test('a close does not wait for callers who send nothing or do not finish what they began', { timeout: HANGS_AFTER_MS }, async () => {
  const app = createHttpApp({ logger: false })
  app.post('/', async () => ({}))
  closeInTime(app, 100)
  const port = await listen(app)
  const callers = await Promise.all([connect(port), connect(port), connect(port)])
  callers[1]?.socket.write('POST / HTTP/1.1\r\nHost: x\r\n')
  callers[2]?.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half":')
  await once(app.server, 'request')
  await app.close()
  await Promise.all(callers.map(({ closed }) => closed))
})
