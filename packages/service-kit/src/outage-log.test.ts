import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './log.ts'
import { OutageLog } from './outage-log.ts'

const failing = (code: string) => Object.assign(new Error('failed'), { code })

test('an outage is logged once, by its code, and again when it comes back after half a minute without it', () => {
  const outages = new OutageLog()
  const logged = [0, 1_000, 29_000, 58_000].map((nowMs) => outages.isWorthALine(failing('53100'), nowMs))
  assert.deepEqual(logged, [true, false, false, false])
  assert.ok(outages.isWorthALine(failing('57P01'), 58_000))
  assert.ok(outages.isWorthALine(failing('53100'), 88_001))
})

test('the log has a line for the first failure of an outage, whoever meets it, and every line of anything else', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  for (let i = 0; i < 5; i++) {
    log.error({ err: failing('53100') }, 'a request failed')
    log.child({ reqId: String(i) }).warn({ err: failing('53100') }, 'a message was not stored')
    // Of one statement or one row, and of nobody else.
    for (const code of ['55P03', '57014', '23505', '22P02']) log.error({ err: failing(code) }, 'something of its own')
    log.info({ code: '53100' }, 'logged')
  }
  const logged = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  assert.equal(logged.filter((msg) => msg === 'a request failed').length, 1)
  assert.equal(logged.filter((msg) => msg === 'a message was not stored').length, 0)
  assert.equal(logged.filter((msg) => msg === 'something of its own').length, 20)
  assert.equal(logged.length, 26)
})
