// Goal: whose request it was is known for as long as the request is worked on. Method: a caller that closes its connection before the answer is there.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { createHttpApp } from './http.ts'

for (const trustProxy of [[], ['127.0.0.0/8']])
  test(`the address of a caller that is gone is known, ${trustProxy.length} networks of proxies`, { timeout: 180_000 }, async (t) => {
    const app = createHttpApp({ logger: false, trustProxy })
    t.after(() => app.close())
    const { promise: address, resolve } = Promise.withResolvers<string | undefined>()
    app.get('/slow', async (request) => {
      caller.destroy()
      await once(request.raw.socket, 'close')
      resolve(request.ip)
      return {}
    })
    await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' })
    const caller: Socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    caller.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.equal(await address, '127.0.0.1')
  })
