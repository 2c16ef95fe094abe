import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBuildCommit } from './build-commit.ts'

test('the commit is that of the checkout, packed or not, or what the build of an image wrote down', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-commit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) => {
    const as = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
    return execFileSync('git', [...as, ...args], { cwd: folder, encoding: 'utf8' }).trim()
  }
  assert.equal(readBuildCommit(folder), 'unknown')
  git('init', '--quiet', '--initial-branch', 'release/2')
  assert.equal(readBuildCommit(folder), 'unknown', 'there is no commit yet')
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  const commit = git('rev-parse', 'HEAD')
  assert.equal(readBuildCommit(folder), commit)
  git('pack-refs', '--all')
  assert.equal(readBuildCommit(folder), commit)
  git('checkout', '--quiet', '--detach')
  assert.equal(readBuildCommit(folder), commit)

  writeFileSync(join(folder, 'COMMIT'), `${'0f'.repeat(20)}\n`)
  assert.equal(readBuildCommit(folder), '0f'.repeat(20))
  writeFileSync(join(folder, 'COMMIT'), 'main"}\n')
  assert.equal(readBuildCommit(folder), 'unknown')
})
