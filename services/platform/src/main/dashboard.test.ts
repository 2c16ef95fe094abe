// Goal: a person's browser gets pages and a program gets the words of the API. Method: a built dashboard in a folder, entered by inject.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createHttpApp, speakSurface } from '@roadworthy/service-kit/http'
import { platformSurface } from '../surfaces/errors.ts'
import { serveDashboard } from './dashboard.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function openApp(t: TestContext) {
  const dist = mkdtempSync(join(tmpdir(), 'roadworthy-dist-'))
  const app = createHttpApp({ logger: false })
  speakSurface(app, platformSurface)
  await serveDashboard(app, dist)
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

test('what is no page is told in the words of the API, to browsers too', async (t) => {
  const { app, build, get } = await openApp(t)
  build()
  for (const url of ['/api', '/api/v1/nothing', '/docs/nothing', '/openapi/nothing.json', '/readyz/nothing']) {
    assert.equal((await get(url)).json().error.code, 'not_found', url)
  }
  assert.equal((await get('/vehicles', { accept: '*/*' })).json().error.code, 'not_found')
  assert.equal((await app.inject({ method: 'POST', url: '/alerts', headers: BROWSER })).json().error.code, 'not_found')
})

test('without a build the page says how to make one, and is there as soon as it is made', async (t) => {
  const { build, get } = await openApp(t)
  const missing = await get('/')
  assert.equal(missing.statusCode, 503)
  assert.match(missing.body, /npm run build --workspace apps\/dashboard/)
  build()
  assert.equal((await get('/')).statusCode, 200)
  assert.equal((await get('/assets/page-1a2b.js')).statusCode, 200)
})
