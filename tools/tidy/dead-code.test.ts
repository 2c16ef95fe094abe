import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDeadCode } from './dead-code.ts'
import { repositoryOf } from './repository.ts'

const MAIN = 'services/platform/src/main/all.ts'
const check = (files: Record<string, string>) =>
  checkDeadCode(repositoryOf(files)).map(({ path, line, message }) => `${path}:${line} ${message}`)

test('a file that nothing imports or runs is dead', () => {
  const files = { [MAIN]: "import { a } from '../a.ts'\na()", 'services/platform/src/a.ts': 'export const a = () => 1' }
  assert.deepEqual(check(files), [])
  assert.deepEqual(check({ ...files, 'services/platform/src/b.ts': 'run()' }), [
    'services/platform/src/b.ts:1 nothing imports or runs this file',
  ])
})

test('a file that only its test imports is dead too, unless it is there for tests', () => {
  const importing = (name: string) => ({
    [`services/platform/src/${name}.ts`]: 'export const b = 1',
    'services/platform/src/b.test.ts': `import { b } from './${name}.ts'\nb()`,
  })
  assert.deepEqual(check(importing('b')), ['services/platform/src/b.ts:1 only tests import this file'])
  assert.deepEqual(check(importing('test-receiver')), [])
  assert.deepEqual(check(importing('test-support')), [])
})

test('scripts, bin entries and files that other code names are alive', () => {
  const packageJson = JSON.stringify({ private: true, scripts: { start: 'exec node tools/go.ts --fast' }, bin: { it: './bin/it.js' } })
  assert.deepEqual(
    check({
      'package.json': packageJson,
      'tools/go.ts': "spawn(new URL('./worker.ts', import.meta.url))",
      'tools/worker.ts': '',
      'bin/it.js': '',
    }),
    [],
  )
})

test('an export that nothing imports is reported, with its line', () => {
  const exporting = (text: string) => ({ [MAIN]: "import { a } from '../a.ts'\na()", 'services/platform/src/a.ts': text })
  assert.deepEqual(check(exporting('export const a = 1\nexport const b = 2')), [
    'services/platform/src/a.ts:2 exports b, which nothing imports',
  ])
  assert.deepEqual(check(exporting('export const a = () => b\nexport const b = 2')), [
    'services/platform/src/a.ts:2 exports b, which nothing imports; drop the export',
  ])
})

test('a type that the file itself names may be exported, and so may a schema with its type', () => {
  const exporting = (text: string) => ({ [MAIN]: "import { a } from '../a.ts'\na()", 'services/platform/src/a.ts': text })
  assert.deepEqual(check(exporting('export type Deps = { now: Date }\nexport const a = (deps: Deps) => deps')), [])
  assert.deepEqual(check(exporting('export const a = 1\nexport const S = Type.Object({})\nexport type S = Static<typeof S>')), [])
  assert.equal(check(exporting('export const a = 1\nexport type Unused = string')).length, 1)
})

test('a namespace or dynamic import uses everything', () => {
  assert.deepEqual(
    check({ [MAIN]: "import * as a from '../a.ts'\na.x()", 'services/platform/src/a.ts': 'export const x = 1\nexport const y = 2' }),
    [],
  )
  assert.deepEqual(check({ [MAIN]: "await import('../a.ts')", 'services/platform/src/a.ts': 'export const x = 1' }), [])
})

test('a published package is used by people we cannot see', () => {
  const files = { 'packages/client/src/client.ts': 'export const createClient = 1' }
  assert.deepEqual(check({ ...files, 'packages/client/package.json': '{"name":"client"}' }), [])
  assert.equal(check({ ...files, 'packages/client/package.json': '{"name":"client","private":true}' }).length, 2)
})
