// Goal: a caller that goes away with its body half sent is no outage of the service, and no line of its log.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createLogger } from '../telemetry/log.ts'
import { createHttpApp, speakSurface } from './http.ts'
import { type ProblemCode, problemCodes } from './problem.ts'

test('a connection that ends with half a body is refused as invalid, and nothing is logged', { timeout: 180_000 }, async (t) => {
  const lines = new PassThrough()
  const app = createHttpApp({ logger: createLogger('info', lines) })
  t.after(() => app.close())
  const errors = Object.fromEntries(problemCodes.map((code) => [code, { status: 400, code }])) as Record<
    ProblemCode,
    { status: number; code: string }
  >
  speakSurface(app, { name: 'root', errors, envelope: (error) => ({ error }) })
  const { promise: refused, resolve } = Promise.withResolvers<string | undefined>()
  app.addHook('onSend', async (request) => resolve(request.refusedAs?.code))
  app.post('/readings', { schema: { body: { type: 'object' } } }, async () => ({}))
  await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
  const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('POST /readings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half":')
  await once(app.server, 'request')
  socket.destroy()
  assert.equal(await refused, 'invalid_request')
  await app.close()
  lines.end()
  const logged = (await text(lines)).split('\n').filter((line) => /"level":"(warn|error)"/.test(line))
  assert.deepEqual(logged, [])
})
