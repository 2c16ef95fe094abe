// Goal: nobody meets `device.credentials_rotated` on a page. Method: the actions that the service writes down are read from its sources.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { actionWords } from './audit-words.ts'

const SERVICE = resolve(import.meta.dirname, '../../../../services/platform/src')
/** `action: 'device.updated'`, and the branches of `action: isNew ? 'rate_plan.created' : 'rate_plan.updated'`, and the same of a constant. */
const ACTION = /\baction(?:(?::| =) [^'\n]+\?|:| =) '([a-z0-9_]+\.[a-z0-9_]+)'(?: : (?:[^'\n]+ \? )?'([a-z_]+\.[a-z_]+)')*/g

test('every action that the service writes down has words', () => {
  const actions = new Set<string>()
  for (const path of globSync('**/*.ts', { cwd: SERVICE }).filter((each) => !each.endsWith('.test.ts')))
    for (const [, ...named] of readFileSync(resolve(SERVICE, path), 'utf8').matchAll(ACTION))
      for (const action of named) if (action !== undefined) actions.add(action)
  assert.ok(actions.size > 60, 'the actions are found')
  const without = [...actions].filter((action) => (actionWords[action] ?? '') === '')
  assert.deepEqual(without, [])
})
