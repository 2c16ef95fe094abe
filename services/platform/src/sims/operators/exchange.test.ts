// Goal: whatever a host that a tenant chose does, a request goes to allowed addresses only, ends in time, and reports whether it may have been
// read. Method: real servers on loopback, and resolvers that answer as a stranger's name server would.

import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { type Address, createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { RequestLimits } from '@roadworthy/service-kit/network/guarded-request'
import { onceTimeIsOver } from '../../test-time-over.ts'
import { baseUrlProblem, createExchange, ExchangeError, type ExchangeRequest } from './exchange.ts'

const signal = new AbortController().signal
const limits: RequestLimits = { connectMs: 20_000, totalMs: 30_000, maxAnswerBytes: 10_000 }
const request: ExchangeRequest = { method: 'GET', path: 'devices', query: { q: 'a b&c' }, headers: { accept: 'application/json' } }

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function exchangeTo(
  baseUrl: string,
  { allowCidrs = '127.0.0.0/8', addresses = [] as Address[], change = {} as Partial<RequestLimits> } = {},
) {
  const guard = createAddressGuard({ allowCidrs, resolveName: async () => addresses })
  return createExchange({ baseUrl, guard, limits: { ...limits, ...change } })
}

async function failureOf(work: Promise<unknown>): Promise<ExchangeError> {
  const error = await work.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ExchangeError, String(error))
  return error
}

describe('where it goes', () => {
  test('under the base URL, with the query escaped', async (t) => {
    const urls: (string | undefined)[] = []
    const port = await serve(t, ({ url }, response) => {
      urls.push(url)
      response.setHeader('retry-after', '3').end('{"a":1}')
    })
    const answer = await exchangeTo(`http://127.0.0.1:${port}/rws/api/v1/`)(request, signal)
    assert.deepEqual(urls, ['/rws/api/v1/devices?q=a+b%26c'])
    assert.deepEqual([answer.status, answer.text, answer.retryAfterMs], [200, '{"a":1}', 3_000])
    assert.ok(answer.date instanceof Date)
  })

  test('nowhere private, unless the installation allows the network', async (t) => {
    let calls = 0
    const port = await serve(t, (_request, response) => {
      calls++
      response.end('{}')
    })
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.1.2.3', '169.254.169.254', '2130706433', '0x7f.1']) {
      const failure = await failureOf(exchangeTo(`http://${host}:${port}`, { allowCidrs: '' })(request, signal))
      assert.equal(failure.hasLeft, false, host)
      assert.match(failure.message, /public address|internal/, host)
    }
    assert.equal(calls, 0)
    await exchangeTo(`http://127.0.0.1:${port}`)(request, signal)
    assert.equal(calls, 1)
  })

  test('nowhere private through a name, also when only one of its addresses is', async (t) => {
    const port = await serve(t, (_request, response) => response.end('{}'))
    const loopback = { address: '127.0.0.1', family: 4 } as const
    const publicOne = { address: '93.184.216.34', family: 4 } as const
    for (const addresses of [[loopback], [publicOne, loopback]]) {
      const failure = await failureOf(exchangeTo(`https://operator.example.com:${port}`, { allowCidrs: '', addresses })(request, signal))
      assert.match(failure.message, /not, or not only, a public address/)
    }
    // The address that was looked at is the one that is connected to.
    const answer = await exchangeTo(`http://operator.example.com:${port}`, { addresses: [loopback] })(request, signal)
    assert.equal(answer.status, 200)
  })

  test('over https only, but to a network that is allowed', async () => {
    const addresses = [{ address: '93.184.216.34', family: 4 } as const]
    const failure = await failureOf(exchangeTo('http://operator.example.com', { addresses })(request, signal))
    assert.match(failure.message, /https only/)
  })

  test('where it was configured, and not where a redirect leads', async (t) => {
    let calls = 0
    const port = await serve(t, (_request, response) => {
      calls++
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
    })
    assert.equal((await exchangeTo(`http://127.0.0.1:${port}`)(request, signal)).status, 302)
    assert.equal(calls, 1)
  })

  test('what is wrong with a base URL is reported', () => {
    assert.equal(baseUrlProblem('https://restapi1.jasper.com/rws/api/v1'), undefined)
    const wrong = [
      '',
      'restapi1.jasper.com',
      'ftp://host',
      'https://user:key@host',
      'https://host/?a=1',
      'https://host:22/',
      `https://h/${'a'.repeat(500)}`,
    ]
    for (const text of wrong) assert.ok(baseUrlProblem(text) !== undefined, text)
  })
})

test('Retry-After is read as seconds and as a date by the clock of whoever sent it, within an hour', async (t) => {
  const waits: [string, number | undefined][] = [
    ['120', 120_000],
    ['Tue, 10 Nov 2026 06:00:30 GMT', 30_000],
    ['Tue, 10 Nov 2026 05:00:00 GMT', 1_000],
    ['0', 1_000],
    ['86400', 3_600_000],
    ['soon', undefined],
    ['-5', undefined],
  ]
  let nth = 0
  const port = await serve(t, (_request, response) => {
    response.setHeader('date', 'Tue, 10 Nov 2026 06:00:00 GMT').setHeader('retry-after', waits[nth]?.[0] ?? '')
    response.writeHead(429).end()
  })
  const exchange = exchangeTo(`http://127.0.0.1:${port}`)
  for (; nth < waits.length; nth++) assert.equal((await exchange(request, signal)).retryAfterMs, waits[nth]?.[1], waits[nth]?.[0])
})

describe('how it ends', () => {
  test('with an error when the answer is longer than the limit', async (t) => {
    const port = await serve(t, (_request, response) => response.end('x'.repeat(10_001)))
    const failure = await failureOf(exchangeTo(`http://127.0.0.1:${port}`)(request, signal))
    assert.match(failure.message, /longer than 10000 bytes/)
    assert.equal(failure.hasLeft, true)
  })

  test('in time when nobody answers, or drop by drop', async (t) => {
    let askedCount = 0
    const silent = await serve(t, () => void askedCount++)
    const dripping = await serve(t, (_request, response) => {
      askedCount++
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(timer))
    })
    for (const [nth, port] of [silent, dripping].entries()) {
      const ask = () => exchangeTo(`http://127.0.0.1:${port}`)(request, signal)
      const failure = await failureOf(onceTimeIsOver(t, limits.totalMs, ask, async () => askedCount > nth))
      assert.match(failure.message, /no complete answer/)
      assert.equal(failure.hasLeft, true)
    }
  })

  test('as never sent when nobody listens or no name server answers', async (t) => {
    const server = createTcpServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    assert.equal((await failureOf(exchangeTo(`http://127.0.0.1:${port}`)(request, signal))).hasLeft, false)
    const guard = createAddressGuard({ allowCidrs: '', resolveName: () => new Promise(() => undefined) })
    const stuck = createExchange({ baseUrl: 'https://operator.example.com', guard, limits: { ...limits, connectMs: 50 } })
    const failure = await failureOf(stuck(request, signal))
    assert.match(failure.message, /no connection within/)
    assert.equal(failure.hasLeft, false)
    t.diagnostic('ended')
  })

  test('as perhaps read when the connection breaks', async (t) => {
    const port = await serve(t, (_request, response) => response.destroy())
    assert.equal((await failureOf(exchangeTo(`http://127.0.0.1:${port}`)(request, signal))).hasLeft, true)
    const cut = await serve(t, (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"devices":[', () => response.destroy())
    })
    assert.equal((await failureOf(exchangeTo(`http://127.0.0.1:${cut}`)(request, signal))).hasLeft, true)
  })

  test('when the caller stops', async (t) => {
    const port = await serve(t, () => undefined)
    const stopping = new AbortController()
    const work = failureOf(exchangeTo(`http://127.0.0.1:${port}`)(request, stopping.signal))
    stopping.abort()
    assert.match((await work).message, /stopped/)
  })
})
