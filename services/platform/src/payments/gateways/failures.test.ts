// Goal: whatever goes wrong on the way to a gateway, the error reports whether something may have been done, and nobody but the allowed
// addresses is reached. Method: both adapters against the emulator with faults, and against servers that answer as nobody should.

import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { onceTimeIsOver } from '../../test-time-over.ts'
import { createGateway } from './create-gateway.ts'
import type { GatewayId } from './gateway.ts'
import { AMPLE, connectionTo, eachGateway, emulatedGateways, loopbackDeps, noSignal } from './test-gateways.ts'

const SMALL = { ...AMPLE, maxAnswerBytes: 64 * 1024 }

const connect = emulatedGateways({ before, after })

async function serve(t: CleanUp, listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

for (const id of eachGateway) {
  for (const kind of ['timeout_after_success', 'drop_after_success', 'error_after_success', 'garbage', 'huge']) {
    test(`${id}: after ${kind} of opening nobody knows; it is found, and asked again it is the same`, async (t) => {
      const { gateway, emulator, checkout } = await connect(t, id, kind === 'huge' ? SMALL : AMPLE)
      const request = checkout()
      await emulator.addFault({ kind, operation: 'open' })
      const isOpened = async () => (await emulator.state()).checkouts.length > 0
      const open = () => gateway.openCheckout(request, noSignal())
      const opening = kind === 'timeout_after_success' ? onceTimeIsOver(t, AMPLE.totalMs, open, isOpened) : open()
      await assert.rejects(opening, { kind: 'unknown_outcome' })
      const found = await gateway.findAttempt('pat-7f3a90c2d1', new Date(), noSignal())
      assert.equal(found?.state, 'pending')
      assert.equal((await gateway.openCheckout(request, noSignal())).gatewayRef, found?.gatewayRef)
      assert.equal((await emulator.state()).checkouts.length, 1)
    })
  }

  test(`${id}: an error before anything was done is not known to be one either; nothing is found, and asked again it is made`, async (t) => {
    const { gateway, emulator, checkout } = await connect(t, id)
    await emulator.addFault({ kind: 'error_before', operation: 'open' })
    await assert.rejects(gateway.openCheckout(checkout(), noSignal()), { kind: 'unknown_outcome' })
    assert.equal(await gateway.findAttempt('pat-7f3a90c2d1', new Date(), noSignal()), undefined)
    await gateway.openCheckout(checkout(), noSignal())
    assert.deepEqual(
      (await emulator.state()).checkouts.map(({ reference }) => reference),
      ['pat-7f3a90c2d1'],
    )
  })

  test(`${id}: what is only read is unavailable, however it fails`, async (t) => {
    const { gateway, emulator, checkout } = await connect(t, id, SMALL)
    const { gatewayRef } = await gateway.openCheckout(checkout(), noSignal())
    for (const kind of ['timeout_after_success', 'drop_after_success', 'error_before', 'garbage', 'huge', 'redirect']) {
      await emulator.addFault({ kind, operation: 'state' })
      const isAsked = async () => (await emulator.state()).faults.length === 0
      const read = () => gateway.fetchState(gatewayRef, noSignal())
      const reading = kind === 'timeout_after_success' ? onceTimeIsOver(t, SMALL.totalMs, read, isAsked) : read()
      await assert.rejects(reading, { name: 'GatewayError', kind: 'unavailable' }, kind)
    }
    assert.equal((await gateway.fetchState(gatewayRef, noSignal())).state, 'pending')
  })

  test(`${id}: too many requests and a wrong key are what they are, and nothing was done`, async (t) => {
    const { gateway, emulator, checkout } = await connect(t, id)
    await emulator.addFault({ kind: 'rate_limited' })
    await assert.rejects(gateway.openCheckout(checkout(), noSignal()), { kind: 'rate', retryAfterMs: 7_000 })
    await emulator.addFault({ kind: 'unauthorised' })
    await assert.rejects(gateway.openCheckout(checkout(), noSignal()), { kind: 'auth' })
    await emulator.setState({ accounts: [] })
    await assert.rejects(gateway.testConnection(noSignal()), { kind: 'auth' })
    assert.deepEqual((await emulator.state()).checkouts, [])
  })

  test(`${id}: an expiry that the gateway does not take is rejected, before any checkout is there`, async (t) => {
    const { gateway, emulator, checkout } = await connect(t, id)
    const tooSoon = new Date(Date.now() + gateway.checkoutLifetime.leastMs - 60_000)
    await assert.rejects(gateway.openCheckout(checkout({ expiresAt: tooSoon }), noSignal()), { kind: 'rejected' })
    const inTime = new Date(Date.now() + gateway.checkoutLifetime.leastMs + 60_000)
    await gateway.openCheckout(checkout({ expiresAt: inTime }), noSignal())
    assert.equal((await emulator.state()).checkouts.length, 1)
  })

  test(`${id}: other values under the id of an attempt are not taken for it`, async (t) => {
    const { gateway, emulator, checkout } = await connect(t, id)
    await gateway.openCheckout(checkout(), noSignal())
    await assert.rejects(gateway.openCheckout(checkout({ amountMinor: 1_000 }), noSignal()), { kind: 'unknown_outcome' })
    assert.equal((await emulator.state()).checkouts.length, 1)
  })

  test(`${id}: where nobody listens, nothing was done`, async () => {
    const gateway = createGateway(loopbackDeps(), connectionTo(id, await closedPort()))
    await assert.rejects(gateway.testConnection(noSignal()), { kind: 'unavailable' })
    await assert.rejects(gateway.openCheckout(requestOf(), noSignal()), { kind: 'unavailable' })
  })

  test(`${id}: who stops asking gets the reason of the stop, and the connection ends`, async (t) => {
    let closed: (() => void) | undefined
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const stopping = new AbortController()
    const url = await serve(t, (request) => {
      request.once('close', () => closed?.())
      stopping.abort(new Error('stopped by the test'))
    })
    const gateway = createGateway(loopbackDeps(), connectionTo(id, url))
    await assert.rejects(gateway.testConnection(stopping.signal), /stopped by the test/)
    await isClosed
  })

  test(`${id}: a redirect is not followed, and the key goes nowhere else`, async (t) => {
    const reached: string[] = []
    const elsewhere = await serve(t, (request, response) => {
      reached.push(request.url ?? '')
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { location: `${elsewhere}/v1`, 'content-type': 'application/json' }
      const url = await serve(t, (_request, response) => response.writeHead(status, headers).end('{"data":[],"has_more":false,"items":[]}'))
      const gateway = createGateway(loopbackDeps(), connectionTo(id, url))
      await assert.rejects(gateway.testConnection(noSignal()), { kind: 'unavailable' })
      await assert.rejects(gateway.openCheckout(requestOf(), noSignal()), { name: 'GatewayError' })
    }
    assert.deepEqual(reached, [])
  })

  test(`${id}: an address inside a network is reached only where the installation allows that network`, async (t) => {
    let connectionCount = 0
    const url = await serve(t, (_request, response) => {
      connectionCount++
      response.end('{}')
    })
    const { port } = new URL(url)
    const inside = async () => [{ address: '127.0.0.1', family: 4 as const }]
    for (const allowCidrs of ['', '10.0.0.0/8']) {
      const guard = createAddressGuard({ allowCidrs, resolveName: inside })
      for (const baseUrl of [url, `https://127.0.0.1:${port}`, `https://pay.example.com:${port}`, `http://pay.example.com:${port}`]) {
        const gateway = createGateway({ guard, limits: AMPLE }, connectionTo(id, baseUrl))
        await assert.rejects(gateway.testConnection(noSignal()), { kind: 'unavailable' }, `${baseUrl} with ${allowCidrs}`)
        await assert.rejects(gateway.openCheckout(requestOf(), noSignal()), { kind: 'unavailable' })
      }
    }
    assert.equal(connectionCount, 0)
  })

  test(`${id}: a base URL is a scheme, a host and a port`, () => {
    const wrong = [
      'ftp://127.0.0.1',
      'https://',
      'api.stripe.com',
      'https://a.example/v1',
      'https://u:p@a.example',
      'https://a.example?x=1',
    ]
    for (const baseUrl of [...wrong, 'https://a.example#x', 'https://a.example:22', 'javascript:alert(1)', 'file:///etc/passwd']) {
      assert.throws(() => createGateway(loopbackDeps(), connectionTo(id, baseUrl)), { kind: 'rejected' }, baseUrl)
    }
  })

  test(`${id}: answers that promise something else are not believed`, async (t) => {
    const { gateway: honest, emulator, checkout } = await connect(t, id)
    await honest.openCheckout(checkout(), noSignal())
    const genuine = await genuineAnswer(id, emulator.url)
    const lies: Record<string, unknown>[] = [
      { ...genuine, [id === 'stripe' ? 'amount_total' : 'amount']: 1 },
      { ...genuine, [id === 'stripe' ? 'amount_total' : 'amount']: 1.5 },
      { ...genuine, currency: id === 'stripe' ? 'usd' : 'USD' },
      { ...genuine, currency: 'zzz' },
      { ...genuine, [id === 'stripe' ? 'client_reference_id' : 'reference_id']: 'pat-of-another-one' },
      { ...genuine, [id === 'stripe' ? 'url' : 'short_url']: 'javascript:alert(document.cookie)' },
      { ...genuine, [id === 'stripe' ? 'url' : 'short_url']: 'https://user:pass@a.example/' },
      { ...genuine, id: '../../etc' },
      { ...genuine, status: 'whatever' },
      {},
    ]
    for (const lie of lies) {
      const url = await serve(t, (request, response) => {
        const isSearch = request.method === 'GET' && (request.url ?? '').includes('reference_id')
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(isSearch ? { payment_links: [] } : lie))
      })
      const gateway = createGateway(loopbackDeps(), connectionTo(id, url))
      const opened = gateway.openCheckout(checkout(), noSignal())
      await assert.rejects(opened, { name: 'GatewayError' }, JSON.stringify(lie))
    }
  })
}

test('razorpay: a search that is not by our id proves nothing', async (t) => {
  const { gateway: honest, emulator, checkout } = await connect(t, 'razorpay')
  await honest.openCheckout(checkout({ attemptId: 'pat-somebody-else' }), noSignal())
  const all = JSON.stringify({ payment_links: [await genuineAnswer('razorpay', emulator.url)] })
  const url = await serve(t, (_request, response) => response.setHeader('content-type', 'application/json').end(all))
  const gateway = createGateway(loopbackDeps(), connectionTo('razorpay', url))
  await assert.rejects(gateway.findAttempt('pat-7f3a90c2d1', new Date(), noSignal()), { kind: 'unavailable' })
})

test('the text of a gateway is cleaned before it is shown', async (t) => {
  const url = await serve(t, (_request, response) => {
    const text = `\u001b[31mred\u0000\n${'x'.repeat(5_000)}`
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: text, description: text } }))
  })
  for (const id of eachGateway) {
    const gateway = createGateway(loopbackDeps(), connectionTo(id, url))
    const error: Error = await gateway.testConnection(noSignal()).then(
      () => assert.fail(),
      (reason: Error) => reason,
    )
    assert.match(error.message, /red/)
    assert.doesNotMatch(error.message, /\p{C}/u)
    assert.ok(error.message.length < 400)
  }
})

async function closedPort(): Promise<string> {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return `http://127.0.0.1:${port}`
}

function requestOf() {
  const expiresAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000)
  const money = { amountMinor: 118_050, currency: 'INR' }
  return { attemptId: 'pat-7f3a90c2d1', ...money, description: 'x', customerEmail: undefined, returnUrl: 'http://127.0.0.1:9/', expiresAt }
}

/** What the emulator returns for its only checkout. */
async function genuineAnswer(id: GatewayId, url: string): Promise<Record<string, unknown>> {
  const connection = connectionTo(id, url)
  const authorization =
    connection.gateway === 'stripe'
      ? `Bearer ${connection.secrets.apiKey}`
      : `Basic ${Buffer.from(`${connection.settings.keyId}:${connection.secrets.keySecret}`).toString('base64')}`
  const answer = await fetch(`${url}/v1/${id === 'stripe' ? 'checkout/sessions' : 'payment_links'}`, { headers: { authorization } })
  const body = (await answer.json()) as { data?: Record<string, unknown>[]; payment_links?: Record<string, unknown>[] }
  return (body.data ?? body.payment_links)?.[0] ?? assert.fail('the emulator has no checkout')
}
