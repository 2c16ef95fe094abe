// Goal: what a killed process was downloading or writing does not stay. Method: processes of their own, one of which is killed.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openStagingFolder } from './staging-folder.ts'

test('folders of processes that live stay, and what others have left is removed', async (t) => {
  const root = path.join(mkdtempSync(path.join(tmpdir(), 'roadworthy-staging-')), '.staging')
  t.after(() => rmSync(path.dirname(root), { recursive: true }))
  const own = await openStagingFolder(root)
  mkdirSync(own, { recursive: true })
  writeFileSync(path.join(own, 'a.part'), '')

  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { openStagingFolder } from ${JSON.stringify(path.join(import.meta.dirname, 'staging-folder.ts'))}
    const folder = await openStagingFolder(${JSON.stringify(root)})
    mkdirSync(folder, { recursive: true })
    writeFileSync(folder + '/b.part', '')
    console.log(folder)
    process.stdin.resume()`
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => other.kill('SIGKILL'))
  const [line] = await once(other.stdout, 'data')
  const theirs = path.basename(String(line).trim())
  // An id that another process has by now, and a name of no process.
  mkdirSync(path.join(root, `${process.pid}-1`))
  writeFileSync(path.join(root, 'srf-old.part'), '')

  assert.equal(await openStagingFolder(root), own)
  assert.deepEqual(readdirSync(root).sort(), [path.basename(own), theirs].sort())
  assert.deepEqual(readdirSync(own), ['a.part'])
  const ended = once(other, 'exit')
  other.kill('SIGKILL')
  await ended
  await openStagingFolder(root)
  assert.deepEqual(readdirSync(root), [path.basename(own)])
})
