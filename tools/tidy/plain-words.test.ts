import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPlainWords } from './plain-words.ts'
import { repositoryOf } from './repository.ts'

const check = (path: string, text: string) =>
  checkPlainWords(repositoryOf({ [path]: text })).map(({ line, message }) => `${line} ${message}`)

test('a word of our own is refused wherever it stands, with the term of the field', () => {
  assert.deepEqual(check('services/a/src/a.ts', '// Fine.\n// The speaker is known.'), ['2 contains "speaker"; write sender or device'])
  assert.deepEqual(check('docs/a.md', 'At a broker of others'), [
    '1 contains "broker of others"; write external broker, or embedded broker',
  ])
  assert.deepEqual(check('docs/a.md', 'written now and then'), ['1 contains "now and then"; write periodic, or background task'])
  assert.deepEqual(check('services/a/src/a.ts', 'afterwards(() => run())').length, 1)
  for (const said of [
    'cannot be told from a missing one',
    'is told from a missing one',
    'tell two rows apart',
    'is in the log or not there',
  ]) {
    assert.equal(check('docs/a.md', said).length > 0, true, said)
  }
  assert.deepEqual(check('docs/a.md', 'Each change is told.'), ['1 contains "told"; write publish, notify, report, return, send or show'])
  assert.deepEqual(check('services/a/src/a.ts', 'const toldAt = 1'), [])
  assert.deepEqual(check('services/a/src/a.ts', 'const lanes = 2'), ['1 contains "lanes"; write concurrent commits'])
})

test('translations and what never changes are left alone, and so is a word within another', () => {
  assert.deepEqual(check('apps/dashboard/src/text/languages/de/a.json', '{"lanes": "x"}'), [])
  assert.deepEqual(check('services/platform/migrations/0001_a.sql', '-- in one go'), [])
  assert.deepEqual(check('services/a/src/a.ts', 'const planes = outdoors'), [])
})
