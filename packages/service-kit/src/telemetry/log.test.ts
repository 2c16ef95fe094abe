import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './log.ts'

test('secrets are hidden in both forms, and the rest is there', () => {
  for (const isTTY of [true, false]) {
    const lines: string[] = []
    const log = createLogger('info', { isTTY, write: (line) => lines.push(line) })
    log.info(
      { device: 'dev-1', password: 'hunter2', key: { api_key: 'rw_live_x' }, req: { headers: { 'x-api-key': 'rw_live_y' } } },
      'registered',
    )
    log.error({ err: new Error('no disk') }, 'failed')
    log.debug('not at this level')
    const text = lines.join('')
    assert.ok(!/hunter2|rw_live/.test(text), text)
    assert.match(text, /registered/)
    assert.match(text, /dev-1/)
    assert.match(text, /no disk/)
    assert.equal(lines.length, 2)
  }
})
