// Goal: no page is shown with a component that has no style, and no visit loads the styles of a component that no page has.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { stylesOfUsedComponents } from './test-mantine-parts.ts'

test('the style sheets of Mantine that are loaded are those of the components that are used, in their order', () => {
  const loaded = readFileSync(join(import.meta.dirname, 'mantine.css'), 'utf8').match(/(?<=@mantine\/core\/styles\/)[\w-]+\.css/g) ?? []
  const wanted = stylesOfUsedComponents()
  assert.ok(wanted.length > 30, `${wanted.length} sheets`)
  assert.deepEqual(loaded, wanted)
})
