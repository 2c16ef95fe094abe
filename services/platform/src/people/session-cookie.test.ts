import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameOrigin, sessionTokenOf, setCookieOf } from './session-cookie.ts'

const TOKEN = 'A'.repeat(43)
const [http, https] = [{ protocol: 'http' }, { protocol: 'https' }]

test('the token is read from among other cookies, and only when there is one of its form', () => {
  const read = (cookie: string | undefined, protocol = 'http') => sessionTokenOf({ headers: { cookie }, protocol })
  assert.equal(read(`theme=dark; rw_session=${TOKEN};lang=de`), TOKEN)
  assert.equal(read(`__Host-rw_session=${TOKEN}`, 'https'), TOKEN)
  for (const header of [
    undefined,
    '',
    'rw_session=',
    `rw_session=${TOKEN}x`,
    `xrw_session=${TOKEN}`,
    `rw_session=${TOKEN}; rw_session=${'B'.repeat(43)}`,
    `__Host-rw_session=${TOKEN}`,
  ]) {
    assert.equal(read(header), undefined, header)
  }
  // Over https a neighbouring host could have planted a cookie of the plain name.
  assert.equal(read(`rw_session=${TOKEN}`, 'https'), undefined)
  assert.equal(read(`rw_session=${TOKEN}; __Host-rw_session=${'B'.repeat(43)}`, 'https'), 'B'.repeat(43))
})

test('the cookie is closed to scripts and to other sites, and over https to http and to neighbouring hosts', () => {
  assert.equal(setCookieOf(TOKEN, http, 60), `rw_session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60`)
  assert.equal(setCookieOf(TOKEN, https, 60), `__Host-rw_session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure`)
  assert.match(setCookieOf(undefined, http, 60), /^rw_session=; .*Max-Age=0$/)
})

/** What a browser, or a program, can send of where a request comes from; taken (1) or refused (0) over http and over https. */
const origins: readonly [headers: Record<string, string>, overHttp: 0 | 1, overHttps: 0 | 1][] = [
  // No browser: whoever sends this has the token itself.
  [{}, 1, 1],
  [{ 'sec-fetch-site': 'same-origin' }, 1, 1],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://fleet.example.com' }, 1, 1],
  // A proxy may call us by another name than the browser does; the browser knows.
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://outside.example.com' }, 1, 1],
  [{ 'sec-fetch-site': 'none' }, 1, 1],
  [{ 'sec-fetch-site': 'none', origin: 'https://fleet.example.com' }, 0, 0],
  [{ 'sec-fetch-site': 'same-site' }, 0, 0],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://fleet.example.com' }, 0, 0],
  [{ 'sec-fetch-site': 'cross-site' }, 0, 0],
  [{ 'sec-fetch-site': '' }, 0, 0],
  [{ 'sec-fetch-site': 'same-origin, cross-site' }, 0, 0],
  // Browsers without Sec-Fetch-Site.
  [{ origin: 'https://fleet.example.com' }, 1, 1],
  [{ origin: 'http://fleet.example.com' }, 1, 0],
  [{ origin: 'https://FLEET.example.com' }, 1, 1],
  [{ origin: 'https://fleet.example.com:8443' }, 0, 0],
  [{ origin: 'https://other.fleet.example.com' }, 0, 0],
  [{ origin: 'https://example.com' }, 0, 0],
  [{ origin: 'https://fleet.example.com.evil.example' }, 0, 0],
  [{ origin: 'https://fleet.example.com@evil.example' }, 0, 0],
  [{ origin: 'https://evil.example' }, 0, 0],
  [{ origin: 'ftp://fleet.example.com' }, 0, 0],
  // Sandboxed frames, local files, redirects across origins, and pages that send no referrer.
  [{ origin: 'null' }, 0, 0],
  [{ origin: '' }, 0, 0],
  [{ origin: 'file://' }, 0, 0],
]

test('a change is taken from our own pages and from no other', () => {
  for (const [headers, overHttp, overHttps] of origins) {
    const taken = (protocol: string) => (isSameOrigin({ headers, host: 'fleet.example.com', protocol }) ? 1 : 0)
    assert.deepEqual([taken('http'), taken('https')], [overHttp, overHttps], JSON.stringify(headers))
  }
})

test('host and port count together, written in whatever way', () => {
  const taken = (host: string, origin: string) => isSameOrigin({ headers: { origin }, host, protocol: 'http' })
  assert.equal(taken('fleet.example.com:8080', 'http://fleet.example.com:8080'), true)
  assert.equal(taken('fleet.example.com:8080', 'http://fleet.example.com'), false)
  assert.equal(taken('fleet.example.com:80', 'http://fleet.example.com'), true)
  assert.equal(taken('Fleet.Example.com', 'http://fleet.example.com'), true)
  assert.equal(taken('[::1]:8080', 'http://[::1]:8080'), true)
  assert.equal(taken('', 'http://fleet.example.com'), false)
  assert.equal(taken('fleet.example.com/x', 'http://evil.example'), false)
})
