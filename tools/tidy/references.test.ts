import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkReferences } from './references.ts'
import { repositoryOf } from './repository.ts'

const files = { 'docs/errors.md': '', 'services/a/src/ingest/pipeline.ts': '' }
const check = (path: string, text: string) =>
  checkReferences(repositoryOf({ ...files, [path]: text }, ['docs/images/map.png'])).map(({ line, message }) => `${line} ${message}`)

test('links within the repository lead somewhere', () => {
  assert.deepEqual(
    check('README.md', '[a](docs/errors.md#not_found) [b](docs/) [c](https://example.com) [d](#start) ![e](docs/images/map.png)'),
    [],
  )
  assert.deepEqual(check('docs/a.md', '\n[a](../docs/errors.md) [b](gone.md)'), ['2 links to gone.md, which does not exist'])
  assert.equal(check('README.md', '![a](docs/images/gone.png)').length, 1)
})

test('files that a page names by the end of their path exist', () => {
  assert.deepEqual(check('README.md', '`pipeline.ts` `ingest/pipeline.ts` `*.sql.ts` `postgres-*.ts` `NNNN_what.sql`'), [])
  for (const name of ['gone.ts', 'gone.tsx']) {
    assert.deepEqual(check('README.md', `\n\`${name}\``), [`2 names ${name}, which does not exist`])
  }
  assert.equal(check('README.md', 'see `line.ts`').length, 1, 'part of a name is not a name')
})

test('a comment that points at a README has one in its folder or above', () => {
  assert.deepEqual(check('services/b/src/receiver.ts', '\n// README.md has the reason.'), ['2 points at a README.md that does not exist'])
  assert.deepEqual(check('services/b/src/receiver.ts', 'const name = "README.md"'), [])
  const above = repositoryOf({ 'services/b/README.md': '', 'services/b/src/receiver.ts': '// README.md has the reason.' })
  assert.deepEqual(checkReferences(above), [])
})
