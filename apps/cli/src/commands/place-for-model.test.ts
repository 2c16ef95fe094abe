import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { roadworthy } from '../../../../test/support/command-line.ts'

test('every command that makes a model refuses a folder that it could not be written to before it reads the data', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-place-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'other.txt'), '')
  const commands = [
    ['train', 'normal'],
    ['train', 'rul', '--unit', 'unit', '--time', 'cycle'],
    ['train', 'classifier', '--label', 'failed'],
    ['fit', 'life', '--time', 'age', '--event', 'failed', '--component', 'brakes', '--unit', 'km'],
  ]
  for (const command of commands) {
    const { code, stderr } = await roadworthy([...command, '--data', join(folder, 'nowhere.csv'), '--out', folder])
    assert.match(stderr, /holds other files and no model/, command.join(' '))
    assert.equal(code, 1)
  }
})
