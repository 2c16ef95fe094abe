// Goal: the address of a caller is never missing where a limit asks for it. Method: real sockets that are reset as soon as they have
// asked, of which some are gone before Node takes them.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { createLogger } from '../telemetry/log.ts'
import { createHttpApp } from './http.ts'

const CALLERS = 300

const lines: string[] = []
const app = createHttpApp({ logger: createLogger('warn', { write: (line) => lines.push(line) }) })
const addresses: unknown[] = []
app.get('/address', async ({ ip }) => {
  addresses.push(ip)
  return { characters: ip.length }
})
await app.listen({ host: '127.0.0.1', port: 0 })
after(() => app.close())
const { port } = app.server.address() as AddressInfo

async function ask(path: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`)
  return socket
}

test('callers that reset their connection at once are answered by their address or not at all', async () => {
  await Promise.all(Array.from({ length: CALLERS }, async () => (await ask('/address')).resetAndDestroy()))
  assert.equal((await fetch(`http://127.0.0.1:${port}/address`)).status, 200)
  assert.deepEqual(new Set(addresses), new Set(['127.0.0.1']))
  assert.deepEqual(lines, [])
})
