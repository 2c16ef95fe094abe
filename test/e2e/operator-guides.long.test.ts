// Goal: an operator who types what the pages for operators show gets what they show. Method: the blocks of each page in their order, by a shell, in the
// folder of an instance that runs; each block of text is compared with what the commands before it printed.

import assert from 'node:assert/strict'
import { existsSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { runSteps, stepsOf } from './guide-blocks.ts'
import { type OwnInstance, startOwnInstance } from './own-instance.ts'

let instance: OwnInstance

before(async () => {
  instance = await startOwnInstance()
  // Where the pages expect it.
  symlinkSync(instance.dataDir, path.join(instance.folder, '.data'))
})

after(async () => {
  await instance.stop()
})

async function runPage(page: string): Promise<string> {
  const steps = stepsOf(page)
  assert.ok(steps.length >= 3 && steps.filter(({ shown }) => shown !== undefined).length >= 3)
  return (await runSteps(instance, steps)).join('\n')
}

test('every command of the page about upgrading does what it describes', async () => {
  const output = await runPage('upgrading.md')
  assert.match(output, /^skip +backup +nothing is to be changed$/m)
  assert.match(output, /Nothing was left to do\./)
  assert.equal(existsSync(path.join(instance.folder, 'before-upgrade', 'secret-key')), true)
  assert.equal(existsSync(path.join(instance.dataDir, 'last-backup.json')), true)
})

test('every command of the page for every day does what it describes', async () => {
  const output = await runPage('operations.md')
  assert.match(output, /^ok +api +http/m)
  assert.match(output, /rows of \d+ tables/)
  assert.match(output, /"status":"ready"|"ready"/)
  assert.match(output, /^mqtt +40 +0 .*PUBACK: 40$/m)
})
