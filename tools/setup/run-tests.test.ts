import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@roadworthy/service-kit/postgres/db'

/** Only what hangs takes that long: a machine may be slow, and run other tests beside. */
const PATIENCE_MS = 60_000

type Run = { child: ChildProcess; output: () => string; exit: Promise<unknown[]> }

/** Runs a test file of that content, which can find the shared server and leave a note in the file `note`. */
function runTestFile(t: TestContext, content: string): Run & { note: string } {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-runner-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'some.test.mjs')
  const note = join(folder, 'note')
  writeFileSync(
    file,
    `import { test } from 'node:test'\nimport { writeFileSync } from 'node:fs'\nconst note = ${JSON.stringify(note)}\n${content}`,
  )
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run-tests.ts'), file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return { child, output: () => output, exit: once(child, 'close'), note }
}

const NOTE_SERVER = "writeFileSync(note, process.env.TEST_DATABASE_URL ?? '')"

const noted = (note: string) => (existsSync(note) ? readFileSync(note, 'utf8') : '')

/** Whether the server lets in who has its password: the port of one that was stopped may be that of another program by then. */
async function isReachable(databaseUrl: string): Promise<boolean> {
  // When the server is stopped its end of the connection may come as a reset.
  const options = { appConnections: 1, systemConnections: 1, acquireTimeoutMs: PATIENCE_MS, onError: () => undefined }
  const database = openDatabase({ app: databaseUrl, system: databaseUrl }, options)
  try {
    return await database.ping()
  } finally {
    await database.close()
  }
}

test('tests find a database, the last thing printed is the summary, and the server is stopped', async (t) => {
  const { exit, output, note } = runTestFile(t, `test('passes', () => ${NOTE_SERVER})`)
  assert.deepEqual(await exit, [0, null], output())
  assert.match(output().trim().split('\n').at(-1) ?? '', /duration_ms/)
  const url = readFileSync(note, 'utf8')
  assert.match(url, /^postgresql:\/\/.*@127\.0\.0\.1:\d+\//)
  assert.equal(await isReachable(url), false)
})

test('temporary files of tests are removed with the run', async (t) => {
  const leaveOne = "writeFileSync(process.env.TMPDIR + '/left', ''); writeFileSync(note, process.env.TMPDIR)"
  const { exit, output, note } = runTestFile(t, `test('passes', () => { ${leaveOne} })`)
  assert.deepEqual(await exit, [0, null], output())
  assert.equal(existsSync(readFileSync(note, 'utf8')), false)
})

test('what tests choose by chance is the same in each run of what is committed', async (t) => {
  const seeded = JSON.stringify(join(import.meta.dirname, '../../test/support/fast-check.ts'))
  const content = `import { fc } from ${seeded}\ntest('chooses', () => writeFileSync(note, JSON.stringify(fc.sample(fc.integer(), 5))))`
  const [one, other] = [runTestFile(t, content), runTestFile(t, content)]
  assert.deepEqual(
    [await one.exit, await other.exit],
    [
      [0, null],
      [0, null],
    ],
    one.output(),
  )
  assert.equal(JSON.parse(noted(one.note)).length, 5)
  assert.equal(noted(one.note), noted(other.note))
})

test('a failing test makes the run fail', async (t) => {
  const { exit } = runTestFile(t, "test('fails', () => { throw new Error('on purpose') })")
  assert.deepEqual(await exit, [1, null])
})

test('a run that gets a signal stops its tests and its server', async (t) => {
  const { child, exit, note } = runTestFile(
    t,
    `test('hangs', async () => { ${NOTE_SERVER}; await new Promise((done) => setTimeout(done, 60000)) })`,
  )
  // A file that is being written is there before its content.
  for (let turn = 0; turn < 9_000 && noted(note) === ''; turn++) await sleep(20)
  assert.equal(await isReachable(readFileSync(note, 'utf8')), true)
  child.kill('SIGTERM')
  const [code] = await exit
  assert.notEqual(code, 0)
  assert.equal(await isReachable(readFileSync(note, 'utf8')), false)
})
