import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '../telemetry/log.ts'
import { Lifecycle } from './lifecycle.ts'

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

// Goal: a service keeps running when the reader of its log has ended, and stops on SIGTERM. Method: a real process, whose two pipes are closed.
test('a process outlives the readers of its output', async (t) => {
  const child = fork(path.join(import.meta.dirname, 'test-logging-process.ts'), { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  t.after(() => child.kill('SIGKILL'))
  const received: unknown[] = []
  child.on('message', (message) => received.push(message))
  for (const output of [child.stdout, child.stderr]) {
    assert.ok(output)
    await once(output, 'data')
    output.destroy()
  }
  // Each of its timers has logged in between.
  for (let turn = 0; turn < 20; turn++) {
    child.send(turn)
    while (!received.includes(turn)) await once(child, 'message')
    await sleep(5)
  }
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.ok(!received.includes('failed'))
})
