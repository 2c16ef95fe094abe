// Goal: who calls a route under the prefix of the wrong surface is shown the right one, and nothing that is not documented.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type App, createHttpApp, speakSurface } from './http.ts'
import { type ProblemCode, problemCodes } from './problem.ts'

const status = (code: ProblemCode) => ({ status: code === 'not_found' ? 404 : 405, code })
const errors = Object.fromEntries(problemCodes.map((code) => [code, status(code)])) as Record<ProblemCode, ReturnType<typeof status>>
const surface = (name: string) => ({ name, errors, envelope: (error: object) => ({ error }) })

test('an unknown route is answered with the routes of other surfaces that take the call', async (t) => {
  const app = createHttpApp({ logger: false })
  t.after(() => app.close())
  speakSurface(app, surface('root'))
  const add = async (prefix: string, routes: (app: App) => void) => {
    const mount = async (mounted: App) => {
      speakSurface(mounted, surface(prefix))
      routes(mounted)
    }
    await app.register(mount, { prefix })
  }
  await add('/api/one', (one) => {
    one.post('/track', async () => ({}))
    one.get('/devices/:id', async () => ({}))
    one.get('/shared', async () => ({}))
    one.get('/hidden', { schema: { hide: true } }, async () => ({}))
  })
  await add('/api/two', (two) => {
    two.get('/track', async () => ({}))
    two.get('/shared', async () => ({}))
  })
  const table: readonly [method: 'GET' | 'POST' | 'PUT', url: string, status: number, elsewhere: string[] | undefined][] = [
    ['POST', '/api/two/track', 405, ['POST /api/one/track']],
    ['GET', '/api/one/track', 405, ['GET /api/two/track']],
    ['GET', '/api/two/devices/dev-1?limit=1', 404, ['GET /api/one/devices/dev-1']],
    ['PUT', '/api/two/track', 405, undefined],
    ['POST', '/api/two/devices/dev-1', 404, undefined],
    ['GET', '/api/two/hidden', 404, undefined],
    ['POST', '/track', 404, ['POST /api/one/track']],
    ['GET', '/shared', 404, ['GET /api/one/shared', 'GET /api/two/shared']],
    ['GET', '/nothing', 404, undefined],
  ]
  for (const [method, url, expected, elsewhere] of table) {
    const answer = await app.inject({ method, url })
    const { details, message } = answer.json().error
    assert.deepEqual([answer.statusCode, details?.elsewhere], [expected, elsewhere], `${method} ${url}`)
    assert.equal(message.includes('Did you mean'), elsewhere !== undefined, message)
    for (const each of elsewhere ?? []) assert.ok(message.includes(each), message)
  }
})
