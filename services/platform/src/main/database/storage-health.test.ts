import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { StorageHealth } from './storage-health.ts'

test('while statements fail for the disk the service is not ready and reports why; an outage is one line, and the next is another', async () => {
  const lines: { level: string; msg: string }[] = []
  const log = createLogger('error', { write: (line) => lines.push(JSON.parse(line)) })
  const storage = new StorageHealth(tmpdir(), log)
  assert.equal(storage.check().ok, true)
  for (let i = 0; i < 3; i++) storage.failed({ code: '53100', message: 'could not extend file' })
  assert.deepEqual(storage.check(), { ok: false, detail: 'the database cannot write: its disk is full' })
  assert.equal(lines.length, 1)
  let canWrite = false
  const system = async () => {
    if (!canWrite) throw Object.assign(new Error('could not extend file'), { code: '53100' })
    return true
  }
  for (const expected of [false, true]) {
    canWrite = expected
    const rounds = storage.startRounds({ system } as never)
    await rounds.stop()
    assert.equal(storage.check().ok, expected)
  }
  storage.failed({ code: '25006', message: 'read-only' })
  assert.equal(lines.length, 2)
})
