import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEnvironment, SETTINGS_FILES } from './environment.ts'
import { repositoryOf } from './repository.ts'

const check = (path: string, text: string) => checkEnvironment(repositoryOf({ [path]: text })).map(({ line }) => line)

test('only settings files and tests read the environment', () => {
  const read = "const a = 1\nconst port = process.env['PORT']"
  assert.deepEqual(check('services/platform/src/fleet/a.ts', read), [2])
  assert.deepEqual(check('services/platform/src/fleet/a.ts', 'const { PORT } = process.env'), [1])
  assert.deepEqual(check('services/platform/src/fleet/a.ts', "import { env } from 'node:process'"), [1])
  assert.deepEqual(check('services/platform/src/fleet/a.test.ts', read), [])
  for (const path of SETTINGS_FILES) assert.deepEqual(check(path, read), [])
})

test('talking about the environment is not reading it', () => {
  assert.deepEqual(
    check('services/platform/src/fleet/a.ts', "// process.env\nconst a = 'process.env'\nprocess.exit(1)\nconst { env } = settings"),
    [],
  )
})
