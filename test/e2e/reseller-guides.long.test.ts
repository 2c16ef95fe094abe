// Goal: who types what the guides about resellers and about security show gets the answers that they show. Method: the blocks of each guide in their order,
// by one shell, in the folder of an instance that runs; each block of text is compared with what the commands before it printed.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { runSteps, stepsOf } from './guide-blocks.ts'
import { startGuideInstance } from './guide-instance.ts'
import type { OwnInstance } from './own-instance.ts'

const hasPsql = (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, 'psql')))

let instance: OwnInstance

before(async () => {
  instance = await startGuideInstance()
})

after(async () => {
  await instance.stop()
})

test('a reseller goes from nothing to a paid invoice, and each answer is the one that the guide shows', async () => {
  const steps = stepsOf('resellers.md')
  assert.ok(steps.length >= 18 && steps.filter(({ shown }) => shown !== undefined).length >= 17)
  await runSteps(instance, steps)
  assert.match(readFileSync(path.join(instance.folder, 'invoice.pdf'), 'latin1'), /^%PDF-/)
  assert.match(readFileSync(path.join(instance.folder, 'invoice.xml'), 'utf8'), /<cbc:ID>INV-000001<\/cbc:ID>/)
})

test('what the guide about security claims is so, and what it shows is the answer', async (t) => {
  const steps = stepsOf('security.md')
  const needPsql = steps.filter(({ lines }) => lines.includes('psql '))
  assert.ok(needPsql.length === 1 && steps.length >= 16 && steps.filter(({ shown }) => shown !== undefined).length >= 15)
  if (!hasPsql) t.diagnostic('row-level security was not looked at: apt-get install --no-install-recommends postgresql-client')
  await runSteps(instance, hasPsql ? steps : steps.filter((step) => !needPsql.includes(step)))
})
