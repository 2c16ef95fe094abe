import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { checkBroker } from './check-others.ts'

/** CONNACK of MQTT 3.1.1: type and flags, length, no session, the return code. */
const CONNACK_UNAVAILABLE = Buffer.from([0x20, 0x02, 0x00, 0x03])

test('a broker that answers and lets nobody in, for its database is away, is not reported as silent', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(CONNACK_UNAVAILABLE))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  const { status, detail } = await checkBroker(`mqtt://127.0.0.1:${port}`)
  assert.equal(status, 'wrong')
  assert.match(detail, /answers, and lets nobody in: it is unavailable/)
})
