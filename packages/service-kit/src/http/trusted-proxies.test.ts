import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttpApp } from './http.ts'
import { readTrustedProxies, wrongTrustedProxies } from './trusted-proxies.ts'

type Seen = { ip: string; protocol: string; host: string }

async function seenBy(trustProxy: string, socket: string, forwarded: Record<string, string>): Promise<Seen> {
  const app = createHttpApp({ logger: false, trustProxy: readTrustedProxies(trustProxy) })
  app.get('/', async ({ ip, protocol, host }) => ({ ip, protocol, host }))
  const response = await app.inject({ url: '/', remoteAddress: socket, headers: { host: 'ours.example', ...forwarded } })
  return response.json()
}

test('the caller is the rightmost address that is no proxy of ours, whatever it puts before that', async () => {
  const cases: [trusted: string, socket: string, forwardedFor: string, caller: string][] = [
    ['10.0.0.0/8', '10.0.0.5', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.0/8', '10.0.0.5', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['10.0.0.0/8', '10.0.0.5', '198.51.100.1, 203.0.113.9, 10.0.0.7', '203.0.113.9'],
    ['10.0.0.0/8', '::ffff:10.0.0.5', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.5', '10.0.0.6', '203.0.113.9', '10.0.0.6'],
    ['fd00::/8', 'fd00::5', '2001:db8::9', '2001:db8::9'],
    ['127.0.0.1', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    // A port does not make a caller another one.
    ['127.0.0.1', '127.0.0.1', '203.0.113.9:5123', '203.0.113.9'],
    ['127.0.0.1', '127.0.0.1', '[2001:db8::9]:443', '2001:db8::9'],
    // Nobody is on this machine who did not come over a socket of it.
    ['10.0.0.0/8', '10.0.0.5', '127.0.0.1', '10.0.0.5'],
    ['10.0.0.0/8,127.0.0.0/8', '10.0.0.5', '203.0.113.9, ::1', '10.0.0.5'],
    ['10.0.0.0/8', '10.0.0.5', 'unknown', '10.0.0.5'],
    ['10.0.0.0/8', '10.0.0.5', `203.0.113.9, ${'x'.repeat(2000)}`, '10.0.0.5'],
    ['off', '10.0.0.5', '203.0.113.9', '10.0.0.5'],
    ['', '10.0.0.5', '203.0.113.9', '10.0.0.5'],
  ]
  for (const [trusted, socket, forwardedFor, caller] of cases) {
    const { ip } = await seenBy(trusted, socket, { 'x-forwarded-for': forwardedFor })
    assert.equal(ip, caller, `${trusted} | ${socket} | ${forwardedFor.slice(0, 60)}`)
  }
})

test('scheme and host are believed from the same proxies, and from nobody else', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'brand.example' }
  const { protocol, host } = await seenBy('10.0.0.0/8', '10.0.0.5', forwarded)
  assert.deepEqual([protocol, host], ['https', 'brand.example'])
  for (const trusted of ['10.0.0.0/8', '']) {
    const stranger = await seenBy(trusted, '203.0.113.9', forwarded)
    assert.deepEqual([stranger.protocol, stranger.host], ['http', 'ours.example'])
  }
})

test('who came by https gets Strict-Transport-Security, and nobody else does', async () => {
  const answerTo = async (protocol: string, socket: string, url = '/') => {
    const app = createHttpApp({ logger: false, trustProxy: ['10.0.0.0/8'] })
    return (await app.inject({ url, remoteAddress: socket, headers: { 'x-forwarded-proto': protocol } })).headers
  }
  const header = 'strict-transport-security'
  // What is no path is answered before there is a route.
  const early = await answerTo('https', '10.0.0.5', '/%zz')
  assert.equal(early['x-content-type-options'], 'nosniff')
  assert.equal((await answerTo('https', '10.0.0.5'))[header], 'max-age=31536000')
  assert.equal((await answerTo('http', '10.0.0.5'))[header], undefined)
  const stranger = await answerTo('https', '203.0.113.9')
  assert.deepEqual([stranger[header], stranger['x-content-type-options']], [undefined, 'nosniff'])
})

test('a list is checked, and "on" is refused with what to write', () => {
  for (const right of [undefined, '', 'off', 'false', '127.0.0.1', '10.0.0.0/8, fd00::/8', '::1 192.0.2.0/24']) {
    assert.equal(wrongTrustedProxies(right), undefined, right)
  }
  for (const on of ['on', 'true', 'YES', '1'])
    assert.match(wrongTrustedProxies(on) ?? '', /list of networks.*127\.0\.0\.1 for one on this machine/)
  for (const everybody of ['0.0.0.0/0', '10.0.0.0/8,::/0']) assert.match(wrongTrustedProxies(everybody) ?? '', /believe everybody/)
  for (const wrong of ['10.0.0.0/33', 'proxy.example', 'loopback', '10.0.0.0/8,off', '10.0.0']) {
    assert.match(wrongTrustedProxies(wrong) ?? '', /not a network\. Write/, wrong)
  }
})
