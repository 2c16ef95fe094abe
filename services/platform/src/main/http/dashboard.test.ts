// Goal: a person's browser gets pages and a program gets the words of the API. Method: a built dashboard in a folder, entered by inject.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createHttpApp, speakSurface } from '@roadworthy/service-kit/http/http'
import { platformSurface } from '../../surfaces/errors.ts'
import { BUILT_IN_MAP, type ServedMap } from '../settings/map-settings.ts'
import { serveDashboard } from './dashboard.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function openApp(t: TestContext, map?: ServedMap) {
  const dist = mkdtempSync(join(tmpdir(), 'roadworthy-dist-'))
  const app = createHttpApp({ logger: false })
  speakSurface(app, platformSurface)
  await serveDashboard(app, dist, map)
  await app.ready()
  t.after(async () => {
    await app.close()
    rmSync(dist, { recursive: true, force: true })
  })
  const build = () => {
    mkdirSync(join(dist, 'assets'))
    writeFileSync(join(dist, 'index.html'), '<title>built</title>')
    writeFileSync(join(dist, 'assets', 'page-1a2b.js'), 'export {}')
    writeFileSync(join(dist, 'built-from'), 'secret')
    writeFileSync(join(dist, 'push-worker.js'), 'self.x')
  }
  const get = (url: string, headers: Record<string, string> = BROWSER) => app.inject({ method: 'GET', url, headers })
  return { app, build, get }
}

test('every address of the dashboard is the one page, with a policy that lets nothing in from elsewhere', async (t) => {
  const { build, get } = await openApp(t)
  build()
  for (const url of ['/', '/?only=critical', '/alerts', '/vehicles/veh-1', '/apiary']) {
    const { statusCode, body, headers } = await get(url)
    assert.deepEqual([statusCode, body], [200, '<title>built</title>'], url)
    assert.match(String(headers['content-security-policy']), /^default-src 'self'; script-src 'self';/)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.deepEqual([headers['x-frame-options'], headers['x-content-type-options']], ['DENY', 'nosniff'])
    assert.match(String(headers['content-type']), /^text\/html/)
  }
  assert.equal((await get('/', {})).statusCode, 200)
})

test('the worker that shows messages is at the root, is asked for anew, and may load nothing', async (t) => {
  const { build, get } = await openApp(t)
  assert.equal((await get('/push-worker.js', { accept: '*/*' })).statusCode, 404)
  build()
  // As a browser asks for a script, and as a person who types the address.
  for (const accept of ['*/*', 'text/html']) {
    const { statusCode, body, headers } = await get('/push-worker.js', { accept })
    assert.deepEqual([statusCode, body], [200, 'self.x'], accept)
    assert.match(String(headers['content-type']), /^(text|application)\/javascript/)
    assert.deepEqual([headers['cache-control'], headers['content-security-policy']], ['no-cache', "default-src 'none'"])
  }
})

test('assets are kept by the browser for good, and nothing beside them is given out', async (t) => {
  const { build, get } = await openApp(t)
  build()
  const asset = await get('/assets/page-1a2b.js')
  assert.equal(asset.body, 'export {}')
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(asset.headers['x-content-type-options'], 'nosniff')
  for (const url of ['/assets/gone.js', '/assets/', '/assets/../built-from', '/assets/%2e%2e/built-from', '/assets/..%2fbuilt-from']) {
    const { statusCode, body } = await get(url)
    assert.ok(statusCode >= 400 || body.includes('<title>built'), url)
    assert.doesNotMatch(body, /secret/, url)
  }
})

test('what is no page is answered in the words of the API, to browsers too', async (t) => {
  const { app, build, get } = await openApp(t)
  build()
  for (const url of ['/api', '/api/v1/nothing', '/docs/nothing', '/openapi/nothing.json', '/readyz/nothing']) {
    assert.equal((await get(url)).json().error.code, 'not_found', url)
  }
  assert.equal((await get('/vehicles', { accept: '*/*' })).json().error.code, 'not_found')
  assert.equal((await app.inject({ method: 'POST', url: '/alerts', headers: BROWSER })).json().error.code, 'not_found')
})

test('a path that leads out of a folder, or that no file can have, is of nothing', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'roadworthy-map-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const { build, get } = await openApp(t, { ...BUILT_IN_MAP, dir })
  build()
  const paths = ['..%2fbuilt-from', '%00', 'a%00.js', 'a%5c..%5cb', 'x'.repeat(300), 'x/'.repeat(3_000)]
  for (const url of paths.flatMap((each) => [`/assets/${each}`, `/map/${each}`])) {
    const { statusCode, body } = await get(url, { accept: '*/*' })
    assert.equal(statusCode, 404, url.slice(0, 40))
    assert.equal(JSON.parse(body).error.code, 'not_found')
  }
  assert.equal((await get('/assets/page-1a2b.js', { range: 'bytes=90-99' })).statusCode, 416)
})

test('conditions that do not hold are no error of the service, and a page is sent whole', async (t) => {
  const { build, get } = await openApp(t)
  build()
  for (const name of ['if-match', 'if-unmodified-since', 'range']) {
    const condition = { [name]: name === 'range' ? 'bytes=900-' : name === 'if-match' ? '"x"' : 'Thu, 01 Jan 1970 00:00:00 GMT' }
    assert.equal((await get('/', { ...BROWSER, ...condition })).body, '<title>built</title>', name)
    assert.equal((await get('/push-worker.js', condition)).body, 'self.x', name)
    assert.equal((await get('/assets/page-1a2b.js', condition)).statusCode, name === 'range' ? 416 : 412, name)
  }
  const { headers } = await get('/')
  assert.equal((await get('/', { ...BROWSER, 'if-none-match': String(headers.etag) })).statusCode, 304)
})

test('without a build the page explains how to make one, and is there as soon as it is made', async (t) => {
  const { build, get } = await openApp(t)
  const missing = await get('/')
  assert.equal(missing.statusCode, 503)
  assert.match(missing.body, /npm run build --workspace apps\/dashboard/)
  build()
  assert.equal((await get('/')).statusCode, 200)
  assert.equal((await get('/assets/page-1a2b.js')).statusCode, 200)
})

test('a street map opens the policy for its hosts, for data and fonts only, and sends them the origin alone', async (t) => {
  const { build, get } = await openApp(t, { ...BUILT_IN_MAP, origins: ['https://tiles.example.com', 'https://fonts.example.com:8443'] })
  build()
  const { headers } = await get('/')
  assert.equal(
    headers['content-security-policy'],
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
      "img-src 'self' data: blob: https://tiles.example.com https://fonts.example.com:8443; worker-src 'self' blob:; " +
      "connect-src 'self' https://tiles.example.com https://fonts.example.com:8443; " +
      "font-src 'self' https://tiles.example.com https://fonts.example.com:8443; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  )
  assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin')
  const { get: getBuiltIn, build: buildBuiltIn } = await openApp(t)
  buildBuiltIn()
  const builtIn = (await getBuiltIn('/')).headers
  assert.match(String(builtIn['content-security-policy']), /img-src 'self' data: blob:; .*connect-src 'self'; object-src/)
  assert.equal(builtIn['referrer-policy'], 'same-origin')
})

test('files of the map are read in pieces, act as no page, and nothing beside their folder is given out', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'roadworthy-data-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const dir = join(dataDir, 'map')
  mkdirSync(dir)
  writeFileSync(join(dataDir, 'secret-key'), 'secret')
  writeFileSync(join(dir, 'streets.pmtiles'), '0123456789')
  writeFileSync(join(dir, 'page.html'), '<script>alert(1)</script>')
  writeFileSync(join(dir, '.hidden'), 'secret')
  const { get } = await openApp(t, { ...BUILT_IN_MAP, dir })
  const piece = await get('/map/streets.pmtiles', { range: 'bytes=2-4' })
  assert.deepEqual([piece.statusCode, piece.body, piece.headers['content-range']], [206, '234', 'bytes 2-4/10'])
  assert.match(String(piece.headers.etag), /./)
  assert.equal((await get('/map/streets.pmtiles', { range: 'bytes=90-99' })).statusCode, 416)
  assert.equal((await get('/map/page.html')).headers['content-security-policy'], "default-src 'none'; sandbox")
  for (const url of [
    '/map/',
    '/map/gone.pmtiles',
    '/map/.hidden',
    '/map/../secret-key',
    '/map/%2e%2e/secret-key',
    '/map/..%2fsecret-key',
  ]) {
    const { statusCode, body } = await get(url, {})
    assert.ok(statusCode >= 400, url)
    assert.doesNotMatch(body, /secret$/, url)
  }
  assert.equal((await get('/map/gone.pmtiles')).json().error.code, 'not_found', 'no page in place of a file')
})

test('without files of a map there is nothing below its address', async (t) => {
  const { build, get } = await openApp(t)
  build()
  assert.equal((await get('/map/streets.pmtiles')).json().error.code, 'not_found')
})
