import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameOrigin, sessionTokenOf, setCookieOf } from './session-cookie.ts'

const TOKEN = 'A'.repeat(43)

test('the token is read from among other cookies, and only when there is one of its form', () => {
  assert.equal(sessionTokenOf(`theme=dark; rw_session=${TOKEN};lang=de`), TOKEN)
  for (const header of [
    undefined,
    '',
    'rw_session=',
    `rw_session=${TOKEN}x`,
    `xrw_session=${TOKEN}`,
    `rw_session=${TOKEN}; rw_session=${'B'.repeat(43)}`,
  ]) {
    assert.equal(sessionTokenOf(header), undefined, header)
  }
})

test('the cookie is closed to scripts and to other sites, and over https to http', () => {
  assert.equal(setCookieOf(TOKEN, { isSecure: false, maxAgeS: 60 }), `rw_session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60`)
  assert.match(setCookieOf(TOKEN, { isSecure: true, maxAgeS: 60 }), /; Secure$/)
  assert.match(setCookieOf(undefined, { isSecure: false, maxAgeS: 60 }), /^rw_session=; .*Max-Age=0$/)
})

test('a change is taken from our own pages and from no other', () => {
  const host = 'fleet.example.com:8080'
  for (const headers of [
    {},
    { origin: `http://${host}` },
    { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' },
    // A proxy may call us by another name than the browser does.
    { origin: 'https://outside.example.com', 'sec-fetch-site': 'same-origin' },
  ]) {
    assert.equal(isSameOrigin(headers, host), true, JSON.stringify(headers))
  }
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://fleet.example.com' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: `http://${host}`, 'sec-fetch-site': 'same-site' },
  ]) {
    assert.equal(isSameOrigin(headers, host), false, JSON.stringify(headers))
  }
})
