import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChildProgram } from './child-program.ts'
import { createLogger } from './log.ts'
import { isAlive } from './process-identity.ts'

/** A child that writes its process id to a file, then does as it is told. */
function childThat(t: TestContext, does: string): { script: string; pids: () => number[] } {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-child-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'child.mjs')
  const pidsPath = join(folder, 'pids')
  writeFileSync(pidsPath, '')
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(pidsPath)}, process.pid + '\\n')\n${does}`,
  )
  return { script, pids: () => readFileSync(pidsPath, 'utf8').trim().split('\n').filter(Boolean).map(Number) }
}

function service(script: string, isReady?: () => Promise<boolean>): ChildProgram {
  const options = { name: 'child', script, args: [], env: process.env, log: createLogger('silent') }
  return new ChildProgram(isReady === undefined ? options : { ...options, isReady })
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !isTrue(); turn++) await sleep(20)
  assert.ok(isTrue())
}

test('a child that dies is started again, and a stop ends it for good', async (t) => {
  const { script, pids } = childThat(t, 'setInterval(() => {}, 1000)')
  const child = service(script, async () => pids().length > 0)
  t.after(() => child.kill())
  await child.start()
  process.kill(pids()[0] ?? 0, 'SIGKILL')
  await until(() => pids().length === 2)
  await child.stop(2000)
  assert.deepEqual(pids().map(isAlive), [false, false])
  await sleep(400)
  assert.equal(pids().length, 2)
})

test('a child that dies before it is ready makes the start fail', async (t) => {
  const { script } = childThat(t, 'process.exit(3)')
  await assert.rejects(service(script, async () => false).start(), /child ended while starting \(3\)/)
})

test('a child that ends of its own will is left in peace', async (t) => {
  const { script, pids } = childThat(t, 'setTimeout(() => process.exit(0), 50)')
  const child = service(script)
  await child.start()
  await sleep(800)
  assert.equal(pids().length, 1)
})

test('a child that ignores SIGTERM is killed when the bound is over', async (t) => {
  const { script, pids } = childThat(t, "process.on('SIGTERM', () => {})\nsetInterval(() => {}, 1000)")
  const child = service(script, async () => pids().length > 0)
  await child.start()
  await child.stop(200)
  assert.equal(isAlive(pids()[0] ?? 0), false)
})

test('a stop between death and restart starts nothing more', async (t) => {
  const { script, pids } = childThat(t, 'setInterval(() => {}, 1000)')
  const child = service(script, async () => pids().length > 0)
  await child.start()
  process.kill(pids()[0] ?? 0, 'SIGKILL')
  await until(() => !isAlive(pids()[0] ?? 0))
  await child.stop(1000)
  await sleep(500)
  assert.equal(pids().length, 1)
})
