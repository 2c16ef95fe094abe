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

test('the log has a line for the first failure of an outage, at whichever call, and every line of anything else', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  for (let i = 0; i < 5; i++) {
    log.error({ err: failing('53100') }, 'a request failed')
    log.child({ reqId: String(i) }).warn({ err: failing('53100') }, 'a message was not stored')
    // Of one statement or one row, and of nobody else.
    for (const code of ['40P01', '57014', '23505', '22P02']) log.error({ err: failing(code) }, 'something of its own')
    log.info({ code: '53100' }, 'logged')
  }
  const logged = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  assert.equal(logged.filter((msg) => msg === 'a request failed').length, 1)
  assert.equal(logged.filter((msg) => msg === 'a message was not stored').length, 0)
  assert.equal(logged.filter((msg) => msg === 'something of its own').length, 20)
  assert.equal(logged.length, 26)
})

test('while the database does not answer a line that says nothing else is written once for each way in which it fails', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const refused = (port: number) => Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' })
  for (let i = 0; i < 100; i++) {
    log.child({ reqId: String(i) }).error({ err: refused(5432) }, 'a request failed')
    log.error({ err: new Error('timeout exceeded when trying to connect') }, 'a request failed')
  }
  assert.equal(lines.length, 2)
  log.error({ err: refused(5433) }, 'a request failed')
  log.error({ err: refused(5432) }, 'events wait')
  for (const deviceId of ['a', 'b']) log.warn({ err: refused(5432), deviceId }, 'a session could not be ended')
  assert.equal(lines.length, 6)
})

test('while a table is locked each statement that waits for it has one line, and each row that is locked has its own', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const waited = (more: object) =>
    Object.assign(failing('55P03'), { stack: 'error: canceling statement due to lock timeout\n    at there' }, more)
  for (let i = 0; i < 100; i++) {
    for (const position of ['43', '277']) log.child({ reqId: String(i) }).error({ err: waited({ position }) }, 'a request failed')
    log.error({ err: waited({ position: '43', stack: 'error: the same\n    at another place' }) }, 'a request failed')
  }
  assert.equal(lines.length, 3)
  for (const row of ['(0,1)', '(0,2)'])
    log.error({ err: waited({ where: `while locking tuple ${row} in relation "devices"` }) }, 'a request failed')
  log.warn({ err: waited({ position: '43' }), deviceId: 'a' }, 'a request failed')
  assert.equal(lines.length, 6)
})

test('what is remembered of addresses is bounded', () => {
  const outages = new OutageLog()
  const logged = Array.from({ length: 3_000 }, (_, i) => outages.isWorthALine(new Error(`Connection terminated ${i}`), 0, 'it failed'))
  assert.ok(logged.every(Boolean))
  assert.equal(outages.isWorthALine(new Error('Connection terminated 2999'), 0, 'it failed'), false)
})
