// Goal: everything that is encrypted goes by a key that nobody can guess. Method: data folders as a crash, a full disk and a person leave them.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { resolveSecretKey } from './secret-key.ts'
import { StartError } from './start-error.ts'

function dataFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-secret-key-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a key is made once and kept, and one that is given is used as it is', (t) => {
  const folder = dataFolder(t)
  const made = resolveSecretKey(folder, undefined)
  assert.equal(made.length, 43)
  assert.equal(resolveSecretKey(folder, undefined), made)
  assert.equal(resolveSecretKey(folder, 'given'), 'given')
  assert.deepEqual(readdirSync(folder), ['secret-key'])
})

test('a kept key that is empty or cut is refused by its path, and stays as it is', (t) => {
  const folder = dataFolder(t)
  const file = join(folder, 'secret-key')
  for (const content of ['', '\n', 'k'.repeat(31)]) {
    writeFileSync(file, content)
    assert.throws(
      () => resolveSecretKey(folder, undefined),
      (error) => error instanceof StartError && error.message.includes(file) && /backup/.test(error.message),
    )
    assert.equal(readFileSync(file, 'utf8'), content)
  }
})
