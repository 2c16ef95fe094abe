// Goal: docs/people.md describes every scope that a key can have, and no other. Method: its table is compared with the list of the contracts.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { scopes } from '@roadworthy/contracts/scopes'

test('the page of people describes every scope', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/people.md'), 'utf8')
  const section = page.split(/^### /m).find((each) => each.startsWith('What each scope opens')) ?? ''
  const described = [...section.matchAll(/^\| `([a-z_]+(?::[a-z]+)?|\*)` /gm)].map(([, scope = '']) => scope)
  assert.deepEqual(described.sort(), [...scopes, '*'].sort())
})
