import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Lifecycle } from './lifecycle.ts'
import { createLogger } from './log.ts'

test('parts stop in reverse order, and one that fails or hangs keeps no other from it', async () => {
  const events: string[] = []
  const lifecycle = new Lifecycle(createLogger('silent'), (code) => events.push(`exit ${code}`))
  const part = (name: string, stop: () => Promise<void>) => {
    lifecycle.add({ name, stop, boundMs: 50, force: () => events.push(`force ${name}`) })
  }
  part('first', async () => void events.push('first'))
  part('hangs', async () => {
    events.push('hangs')
    await sleep(1000, undefined, { ref: false })
  })
  part('fails', () => Promise.reject(new Error('broken')))
  part('last', async () => void events.push('last'))
  assert.equal(lifecycle.signal.aborted, false)
  await Promise.all([lifecycle.stop(0, 'test'), lifecycle.stop(1, 'again')])
  assert.equal(lifecycle.signal.aborted, true)
  assert.deepEqual(events, ['last', 'force fails', 'hangs', 'force hangs', 'first', 'exit 0'])
})
