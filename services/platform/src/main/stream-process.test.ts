import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { StreamProcess } from './stream-process.ts'

function startReceiver(t: TestContext, code: string, isNeeded = async () => false): StreamProcess {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-stream-process-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const script = join(folder, 'receiver.mjs')
  writeFileSync(script, code)
  return new StreamProcess({
    configuration: {
      isReading: true,
      databaseUrls: { isPooled: false, direct: { app: '', system: '' }, app: 'postgresql://nowhere/', system: 'postgresql://nowhere/' },
      ...{ secretKey: 'x'.repeat(32), streamAllowCidrs: '', readingsMaxAgeDays: 30, readingsMaxFutureS: 300, logLevel: 'silent' },
    },
    env: process.env,
    log: createLogger('silent'),
    isNeeded,
    onConnectionChanged: () => () => undefined,
    addIngested: () => undefined,
    countDeadLetter: () => undefined,
    script,
  })
}

test('a reseller tests its connection once at a time, and four resellers do; what never ends is reported so when the service stops', async (t) => {
  // It answers nothing.
  const receiver = startReceiver(t, `process.on('message', () => {})`)
  const tests = ['a', 'b', 'c', 'd', 'a', 'e'].map((resellerId) => receiver.test(resellerId))
  const [settled] = await Promise.all([Promise.allSettled(tests), receiver.stop()])
  const reasons = settled.map((each) => (each.status === 'rejected' ? [each.reason.code, each.reason.retryAfterS] : each.value))
  assert.deepEqual(reasons, [...Array.from({ length: 4 }, () => ['unavailable', 5]), ['conflict', undefined], ['unavailable', 10]])
})

test('the heap of the receiver is bounded, and may double before all of it is collected', async (t) => {
  const answer = `{ kind: 'tested', id: message.id, result: process.execArgv }`
  const receiver = startReceiver(t, `process.on('message', (message) => { if (message.kind === 'test') process.send(${answer}) })`)
  const flags: unknown = await receiver.test('a')
  await receiver.stop()
  assert.deepEqual(flags, ['--max-old-space-size=384', '--heap-growing-percent=100'])
})

test('a receiver whose first start fails is started by the next who needs it', async (t) => {
  const answer = `{ kind: 'tested', id: message.id, result: 'an answer' }`
  const receiver = startReceiver(t, `process.on('message', (message) => { if (message.kind === 'test') process.send(${answer}) })`)
  const { execPath } = process
  process.execPath = `${execPath}-gone`
  try {
    await assert.rejects(receiver.test('a'), /ended while starting/)
  } finally {
    process.execPath = execPath
  }
  assert.equal(await receiver.test('a'), 'an answer')
  await receiver.stop()
})

// What asks while the service is being put together finds its event loop taken, and its first connection times out.
test('whether anything is to be read is not asked before the start', async (t) => {
  let askedCount = 0
  const receiver = startReceiver(t, '', async () => {
    askedCount++
    return false
  })
  assert.equal(askedCount, 0)
  receiver.start()
  await receiver.stop()
  assert.equal(askedCount, 1)
})
