import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkGuides } from './guides.ts'
import { repositoryOf } from './repository.ts'

const check = (path: string, text: string) => checkGuides(repositoryOf({ [path]: text })).map(({ line, message }) => `${line} ${message}`)
const shell = (lines: string) => `\n\`\`\`sh\n${lines}\n\`\`\`\n`

test('calls use the two variables that all pages share', () => {
  assert.deepEqual(check('docs/a.md', shell('curl "$BASE_URL/x" -H "X-API-Key: $KEY"')), [])
  assert.match(check('docs/a.md', shell('curl "$URL/x"')).join(), /^2 uses \$URL in a call/)
  assert.deepEqual(
    check('docs/a.md', `${shell('OTHER=$(cat other)')}${shell('curl "$BASE_URL/x" -H "X-API-Key: $OTHER"')}`),
    [],
    'set before',
  )
  assert.match(
    check('docs/a.md', `${shell('curl "$BASE_URL/x" -H "X-API-Key: $OTHER"')}${shell('OTHER=1')}`).join(),
    /uses \$OTHER/,
    'set after',
  )
  assert.match(check('README.md', shell('curl -s localhost:8080/api')).join(), /^2 calls a fixed address/)
  assert.deepEqual(check('docs/a.md', shell('curl -s localhost:8090/v1/predict')), [], 'the engine has an address of its own')
})

test('every guide has something to paste; what is looked up has not', () => {
  assert.match(check('docs/a.md', 'words').join(), /^1 has no call/)
  assert.deepEqual(check('docs/glossary.md', 'words'), [])
  assert.deepEqual(check('docs/adr/0001-a.md', 'words'), [])
})
