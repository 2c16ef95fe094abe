// Goal: tests are cheaper, and lose nothing by it. Method: what was left out in the process of this file, and tests that break late or beside their promise.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { cheaperHookCount } from './support/cheaper-test-hooks.ts'

test('node:test keeps no weak reference to each promise', () => {
  assert.equal(
    cheaperHookCount(),
    1,
    'node:test has other hooks than it had: look whether it still has to be helped (test/support/cheaper-test-hooks.ts)',
  )
})

test('what is thrown outside of the promise of a test fails that test, and the others pass', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadworthy-hooks-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'late.test.mjs')
  writeFileSync(
    file,
    `import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
test('before', async () => { await sleep(1) })
test('thrown', async () => { setTimeout(() => { throw new Error('on purpose') }, 1); await sleep(2_000) })
test('rejected', async () => { void sleep(1).then(() => Promise.reject(new Error('on purpose'))); await sleep(2_000) })
test('after', async () => { await sleep(1) })
`,
  )
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env
  const preloaded = path.join(import.meta.dirname, 'support/cheaper-test-hooks.ts')
  const { stdout } = spawnSync(process.execPath, ['--import', preloaded, '--test', '--test-reporter=tap', file], { env, encoding: 'utf8' })
  const results = [...stdout.matchAll(/^(ok|not ok) \d+ - (\w+)$/gm)].map(([, result, name]) => `${name} ${result}`)
  assert.deepEqual(results, ['before ok', 'thrown not ok', 'rejected not ok', 'after ok'], stdout)
})
