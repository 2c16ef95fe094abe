// Goal: a load measures readings that are stored. Method: a server that keeps what it is sent, and a clock that stands still.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { restSender } from './load-devices.ts'

test('readings of one device within one millisecond are not alike, so that none is a duplicate', async (t) => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await text(request))
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => server.close())
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-31T12:00:00Z') })
  const { port } = server.address() as AddressInfo
  const device = { deviceId: 'dev-1', username: 'acme/dev-1', password: 'secret', topic: 'topic' }
  const sender = restSender({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key' }, device)
  for (let sent = 0; sent < 200; sent++) assert.equal((await sender.send(AbortSignal.timeout(60_000))).isGood, true)
  assert.equal(new Set(bodies).size, 200)
})
