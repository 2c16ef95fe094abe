import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { chooseEncoding, compactAnswers } from './compact-answers.ts'
import { createHttpApp } from './http.ts'

const long = { text: 'vehicle '.repeat(1_000) }

async function openApp() {
  const app = createHttpApp({ logger: false })
  const shown = { ...long }
  compactAnswers(app)
  app.get('/long', async () => shown)
  app.get('/short', async () => ({ a: 1 }))
  app.get('/secret', async (_request, reply) => reply.header('cache-control', 'no-store').send(long))
  app.get('/refused', async (_request, reply) => reply.code(400).send(long))
  app.get('/text', async (_request, reply) => reply.type('text/event-stream').send('data: '.repeat(1_000)))
  app.post('/long', async () => long)
  await app.ready()
  return { app, shown }
}
const encoded = (encoding: string) => ({ 'accept-encoding': encoding })

test('a long answer is compressed as the caller takes it, a short one is not', async () => {
  const { app } = await openApp()
  const brotli = await app.inject({ url: '/long', headers: encoded('gzip, deflate, br') })
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.equal(brotli.headers['vary'], 'accept-encoding')
  assert.deepEqual(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString()), long)
  assert.equal(Number(brotli.headers['content-length']), brotli.rawPayload.length)
  const zipped = await app.inject({ url: '/long', headers: encoded('gzip') })
  assert.deepEqual(JSON.parse(gunzipSync(zipped.rawPayload).toString()), long)
  const plain = await app.inject({ url: '/long' })
  assert.deepEqual(plain.json(), long)
  assert.equal((await app.inject({ url: '/short', headers: encoded('br') })).headers['content-encoding'], undefined)
  await app.close()
})

test('what is not stored, refused, changing or no JSON is sent as it is', async () => {
  const { app } = await openApp()
  for (const url of ['/secret', '/refused', '/text']) {
    const { headers } = await app.inject({ url, headers: encoded('br') })
    assert.deepEqual([headers['content-encoding'], headers['etag']], [undefined, undefined], url)
  }
  const { headers } = await app.inject({ method: 'POST', url: '/long', headers: encoded('br') })
  assert.deepEqual([headers['content-encoding'], headers['etag']], [undefined, undefined])
  await app.close()
})

test('HEAD has the header fields of GET, the length included, and no content', async () => {
  const { app } = await openApp()
  for (const encoding of ['br', 'gzip', 'identity']) {
    const [get, head] = [
      await app.inject({ url: '/long', headers: encoded(encoding) }),
      await app.inject({ method: 'HEAD', url: '/long', headers: encoded(encoding) }),
    ]
    for (const name of ['etag', 'vary', 'cache-control', 'content-encoding', 'content-length', 'content-type'])
      assert.equal(head.headers[name], get.headers[name], `${name} ${encoding}`)
    assert.deepEqual([head.statusCode, head.rawPayload.length], [200, 0])
  }
  const { headers } = await app.inject({ url: '/long' })
  const known = await app.inject({ method: 'HEAD', url: '/long', headers: { 'if-none-match': String(headers['etag']) } })
  assert.deepEqual([known.statusCode, known.headers['content-length'], known.headers['etag']], [304, undefined, headers['etag']])
  await app.close()
})

test('what the caller has already is 304, until it is another', async () => {
  const { app, shown } = await openApp()
  const first = await app.inject({ url: '/long', headers: encoded('br') })
  const etag = String(first.headers['etag'])
  assert.equal(first.headers['cache-control'], 'private, no-cache')
  for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
    const again = await app.inject({ url: '/long', headers: { ...encoded('br'), 'if-none-match': known } })
    assert.deepEqual([again.statusCode, again.rawPayload.length, again.headers['etag']], [304, 0, etag], known)
  }
  shown.text += '!'
  const changed = await app.inject({ url: '/long', headers: { 'if-none-match': etag } })
  assert.equal(changed.statusCode, 200)
  assert.notEqual(changed.headers['etag'], etag)
  await app.close()
})

test('an encoding is chosen of those that are taken', () => {
  const expected = {
    br: 'br',
    'gzip, br': 'br',
    'gzip;q=1.0, br;q=0': 'gzip',
    'br;q=0.0, *': 'gzip',
    '*': 'br',
    identity: undefined,
    'BR;q=0.5': 'br',
  }
  for (const [header, encoding] of Object.entries(expected)) assert.equal(chooseEncoding(header), encoding, header)
  assert.equal(chooseEncoding(undefined), undefined)
})
