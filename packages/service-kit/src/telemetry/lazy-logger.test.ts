import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttpApp } from '../http/http.ts'
import { createLogger } from './log.ts'

test('what a request logs carries its id, and nothing is logged of one that logs nothing', async (t) => {
  const lines: string[] = []
  const app = createHttpApp({ logger: createLogger('info', { write: (line: string) => lines.push(line) }) })
  t.after(() => app.close())
  app.get('/quiet', async () => 'fine')
  app.get('/loud', async (request) => {
    request.log.child({ part: 'inner' }).warn({ size: 3 }, 'careful')
    request.log.debug('not at this level')
    return 'fine'
  })
  await app.inject('/quiet')
  assert.deepEqual(lines, [])
  await app.inject({ url: '/loud', headers: { 'x-request-id': 'mine-7' } })
  assert.equal(lines.length, 1)
  const { reqId, part, size, msg } = JSON.parse(lines[0] ?? '{}')
  assert.deepEqual({ reqId, part, size, msg }, { reqId: 'mine-7', part: 'inner', size: 3, msg: 'careful' })
})
