import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProblemCodes, ERRORS_PAGE, PROBLEM_FILE } from './problem-codes.ts'
import { repositoryOf } from './repository.ts'

const codes = "export const problemCodes = [\n  'not_found',\n  'conflict',\n] as const\nconst other = ['no_code']"
const check = (page: string) =>
  checkProblemCodes(repositoryOf({ [PROBLEM_FILE]: codes, [ERRORS_PAGE]: page })).map(
    ({ path, line, message }) => `${path}:${line} ${message}`,
  )

test('every problem code has a heading on the errors page', () => {
  assert.deepEqual(check('# Errors\n### `not_found`\n\nGone.\n\n### `conflict`\n'), [])
  assert.deepEqual(check('### `not_found`\n\n`conflict` is named here only.'), [
    `${PROBLEM_FILE}:3 conflict has no heading in docs/errors.md`,
  ])
})

test('a heading whose code is gone is reported', () => {
  assert.deepEqual(check('## `not_found`\n## `conflict`\n## `teapot`'), [
    `${ERRORS_PAGE}:1 teapot is explained, but no such problem code exists`,
  ])
})
