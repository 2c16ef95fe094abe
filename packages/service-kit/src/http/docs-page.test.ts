import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveDocsPage } from './docs-page.ts'
import { createHttpApp } from './http.ts'

test('the page and its script are served from here, and name the document', async (t) => {
  const app = createHttpApp({ logger: false })
  t.after(() => app.close())
  serveDocsPage(app, { jsonPath: '/openapi/some.json', docsPath: '/some/docs', title: 'Some API' })
  const bare = await app.inject('/some/docs')
  assert.equal(bare.statusCode, 200)
  assert.match(bare.body, /<base href="\/some\/docs\/">/)
  const page = await app.inject('/some/docs/')
  assert.equal(page.statusCode, 200)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(page.body, /<title>Some API<\/title>/)
  assert.match(page.body, /\/openapi\/some\.json/)
  assert.doesNotMatch(page.body, /(src|href)="https?:/)
  const policy = String(page.headers['content-security-policy'])
  // The one inline script by its hash, and no other.
  assert.match(policy, /^default-src 'self'; script-src 'self' 'sha256-[A-Za-z0-9+/]{43}=';/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline|https?:|\*/)
  const { 'x-frame-options': frames, 'x-content-type-options': types, 'referrer-policy': referrer } = page.headers
  assert.deepEqual([frames, types, referrer], ['DENY', 'nosniff', 'same-origin'])
  const [, script] = page.body.match(/src="([^"]+)"/) ?? []
  const answer = await app.inject(new URL(script ?? '', 'http://localhost/some/docs/').pathname)
  assert.match(String(answer.headers['content-type']), /javascript/)
  assert.ok(answer.rawPayload.length > 1_000_000)
})
