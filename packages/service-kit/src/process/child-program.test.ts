import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '../telemetry/log.ts'
import { ChildProgram } from './child-program.ts'
import { isAlive } from './process-identity.ts'

/** A child that writes its process id to a file, then does what its test asks for. */
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

/** Longer than the pause before a first restart. */
const RESTART_IS_OVER_MS = 500

/** `restarts` are the lines that report one; it is decided, and reported, in the moment a child ends. */
function service(script: string, isReady?: () => Promise<boolean>): { child: ChildProgram; restarts: string[] } {
  const restarts: string[] = []
  const log = createLogger('warn', { write: (line) => restarts.push(line) })
  const options = { name: 'child', script, env: process.env, log }
  return { child: new ChildProgram(isReady === undefined ? options : { ...options, isReady }), restarts }
}

/** Never 0, which is every process of the test's own group. */
function firstOf(pids: readonly number[]): number {
  return pids[0] ?? assert.fail('no child has begun')
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 6_000 && !isTrue(); turn++) await sleep(20)
  assert.ok(isTrue())
}

test('a child that dies is started again, and a stop ends it for good', async (t) => {
  const { script, pids } = childThat(t, 'setInterval(() => {}, 1000)')
  const { child, restarts } = service(script, async () => pids().length > 0)
  t.after(() => child.kill())
  await child.start()
  process.kill(firstOf(pids()), 'SIGKILL')
  await until(() => pids().length === 2)
  await child.stop(2000)
  assert.deepEqual(pids().map(isAlive), [false, false])
  assert.equal(restarts.length, 1)
})

test('a child that cannot be started again at once is tried again, and the service lives on', async (t) => {
  const { script, pids } = childThat(t, 'setInterval(() => {}, 1000)')
  const lines: string[] = []
  let startCount = 0
  const child = new ChildProgram({
    ...{ name: 'child', script, env: process.env, isReady: async () => pids().length > 0 },
    log: createLogger('warn', { write: (line) => lines.push(JSON.parse(line).msg) }),
    args: () => {
      // As the system does that has no memory for another process.
      if (++startCount === 2) throw new Error('spawn ENOMEM')
      return []
    },
  })
  t.after(() => child.kill())
  await child.start()
  const { execPath } = process
  process.kill(firstOf(pids()), 'SIGKILL')
  await until(() => startCount === 2)
  // And then the program is not there, as while it is installed anew.
  process.execPath = `${execPath}-gone`
  await until(() => lines.some((line) => /could not be started$/.test(line)))
  process.execPath = execPath
  await until(() => pids().length === 2)
  await child.stop(2000)
  assert.ok(lines.some((line) => /it is tried again/.test(line)))
})

test('a child that dies before it is ready makes the start fail', async (t) => {
  const { script } = childThat(t, 'process.exit(3)')
  await assert.rejects(service(script, async () => false).child.start(), /child ended while starting \(3\)/)
})

test('a child that somebody else asked to end is started again, though it ended in good order', async (t) => {
  const { script, pids } = childThat(t, "process.on('SIGTERM', () => process.exit(0))\nconsole.log('ready')\nsetInterval(() => {}, 1000)")
  const restarts: string[] = []
  const lines: string[] = []
  const log = createLogger('warn', { write: (line) => restarts.push(line) })
  const child = new ChildProgram({ name: 'child', script, env: process.env, log, onLine: (line) => lines.push(line) })
  t.after(() => child.kill())
  await child.start()
  await until(() => lines.length === 1)
  process.kill(firstOf(pids()), 'SIGTERM')
  await until(() => lines.length === 2)
  assert.deepEqual(
    restarts.map((line) => JSON.parse(line).exit),
    [0],
  )
  await child.stop(2000)
})

test('a child that ignores SIGTERM is killed when the bound is over', async (t) => {
  const { script, pids } = childThat(t, "process.on('SIGTERM', () => {})\nsetInterval(() => {}, 1000)")
  const { child } = service(script, async () => pids().length > 0)
  await child.start()
  await child.stop(200)
  assert.equal(isAlive(pids()[0] ?? 0), false)
})

test('a stop between death and restart starts nothing more', async (t) => {
  const { script, pids } = childThat(t, 'setInterval(() => {}, 1000)')
  const { child, restarts } = service(script, async () => pids().length > 0)
  t.after(() => child.kill())
  await child.start()
  const firstPid = child.pid
  process.kill(firstPid ?? assert.fail('it runs'), 'SIGKILL')
  await until(() => restarts.length === 1)
  await child.stop(1000)
  await sleep(RESTART_IS_OVER_MS)
  assert.equal(child.pid, firstPid)
})

test('what a child prints is handed on line by line, also after it was started again', async (t) => {
  const { script, pids } = childThat(
    t,
    "console.log('ready http://127.0.0.1:1')\nconsole.log('{\"level\":30}')\nsetInterval(() => {}, 1000)",
  )
  const lines: string[] = []
  const log = createLogger('silent', { write: () => true })
  const child = new ChildProgram({ name: 'child', script, env: process.env, log, onLine: (line) => lines.push(line) })
  t.after(() => child.kill())
  await child.start()
  await until(() => lines.length === 1)
  process.kill(firstOf(pids()), 'SIGKILL')
  await until(() => lines.length === 2)
  await child.stop(2000)
  assert.deepEqual(lines, ['ready http://127.0.0.1:1', 'ready http://127.0.0.1:1'], 'lines of its log are no text')
})
