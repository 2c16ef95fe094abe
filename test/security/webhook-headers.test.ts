// Goal: who may change a webhook, but does not know the secret headers that it sends along, cannot have them sent to an address of their own.
// Method: through the routes and the worker, with a receiver that keeps what it gets.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errorOf } from '@roadworthy/platform/predictions/test-surface'
import { okBody, openBench } from '@roadworthy/platform/webhooks/test-bench'
import { startReceiver } from '@roadworthy/platform/webhooks/test-receiver'

const bench = await openBench({ after })
const headers = { 'X-Gateway-Key': 'k7f3-secret', 'X-Tenant': 'acme' }

test('the headers of a webhook are not sent to another origin by changing its URL', async (t) => {
  const thief = await startReceiver(t)
  const caller = { resellerId: await bench.newReseller() }
  const { webhook } = await bench.create(caller, 'http://127.0.0.1:9000/hook', { headers })
  const change = (given: object) => bench.surface.as(caller).patch<typeof webhook>(`/webhooks/${webhook.id}`, given)
  const thiefPort = new URL(thief.url).port
  for (const url of [thief.url, `http://127.0.0.2:9000/hook`, 'https://127.0.0.1:9000/hook', `http://127.0.0.1:${thiefPort}/hook`]) {
    const refused = await change({ url, description: 'moved' })
    assert.equal(refused.status, 400, url)
    assert.match(String(errorOf(refused)['message']), /moves from http:\/\/127\.0\.0\.1:9000 to .*X-Gateway-Key, X-Tenant/)
    assert.deepEqual(errorOf(refused)['details'], { in: 'body', field: 'headers', header_names: ['X-Gateway-Key', 'X-Tenant'] })
  }
  assert.deepEqual(okBody(await bench.surface.as(caller).get(`/webhooks/${webhook.id}`)), webhook)
  await bench.publish(caller.resellerId, ['dev-1'])
  await bench.deliver()
  assert.equal(thief.received.length, 0)
})

test('who gives the headers anew, or sets none, moves it; a path is no other origin', async (t) => {
  const receiver = await startReceiver(t)
  const caller = { resellerId: await bench.newReseller() }
  const { webhook } = await bench.create(caller, 'http://127.0.0.1:9000/hook', { headers })
  const change = async (given: object) => okBody(await bench.surface.as(caller).patch<typeof webhook>(`/webhooks/${webhook.id}`, given))
  assert.deepEqual((await change({ url: 'http://127.0.0.1:9000/other?path=1' })).headerNames, ['X-Gateway-Key', 'X-Tenant'])
  assert.deepEqual((await change({ url: receiver.url, headers: { 'x-new': 'n3w' } })).headerNames, ['x-new'])
  await bench.publish(caller.resellerId, ['dev-1'])
  await bench.deliver()
  const [got] = receiver.received
  assert.deepEqual([got?.headers['x-new'], got?.headers['x-gateway-key'], got?.headers['x-tenant']], ['n3w', undefined, undefined])
  assert.deepEqual((await change({ url: 'http://127.0.0.1:9000/', headers: {} })).headerNames, [])
  // Of none there is nothing to give again.
  assert.equal((await change({ url: 'http://127.0.0.1:9001/' })).url, 'http://127.0.0.1:9001/')
})
