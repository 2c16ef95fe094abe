import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/log'
import { StreamProcess } from './stream-process.ts'

test('a reseller tests its connection once at a time, and four resellers do; what never ends is said to be so when the service stops', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-stream-process-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  // A receiver that answers nothing.
  const script = join(folder, 'receiver.mjs')
  writeFileSync(script, `process.on('message', () => {})`)
  const receiver = new StreamProcess({
    configuration: {
      databaseUrls: { app: 'postgresql://nowhere/', system: 'postgresql://nowhere/' },
      ...{ secretKey: 'x'.repeat(32), streamAllowCidrs: '', readingsMaxAgeDays: 30, readingsMaxFutureS: 300, logLevel: 'silent' },
    },
    env: process.env,
    log: createLogger('silent'),
    isNeeded: async () => false,
    onConnectionChanged: () => () => undefined,
    addIngested: () => undefined,
    countDeadLetter: () => undefined,
    script,
  })
  const tests = ['a', 'b', 'c', 'd', 'a', 'e'].map((resellerId) => receiver.test(resellerId))
  const [settled] = await Promise.all([Promise.allSettled(tests), receiver.stop()])
  const reasons = settled.map((each) => (each.status === 'rejected' ? [each.reason.code, each.reason.retryAfterS] : each.value))
  assert.deepEqual(reasons, [...Array.from({ length: 4 }, () => ['unavailable', 5]), ['conflict', undefined], ['unavailable', 10]])
})
