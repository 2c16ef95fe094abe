import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkManifests, checkManifestsAreLean } from './manifests.ts'
import { repositoryOf } from './repository.ts'

type Files = Record<string, string>

const check = (manifest: object, files: Files, rule = checkManifests) => {
  const inside = Object.fromEntries(Object.entries(files).map(([name, text]) => [`packages/kit/${name}`, text]))
  const kit = JSON.stringify({ name: '@x/kit', ...manifest })
  const repository = repositoryOf({ 'package.json': '{"name":"root"}', 'packages/kit/package.json': kit, ...inside })
  return rule(repository).map(({ path, message }) => `${path} ${message}`)
}
const checkLean = (manifest: object, files: Files) => check(manifest, files, checkManifestsAreLean)

test('every import is declared in the workspace it stands in', () => {
  const file = { 'src/a.ts': "import pg from 'pg'\nimport { x } from '@x/kit/b'\nimport 'node:fs'\nimport './b.ts'" }
  assert.deepEqual(check({ dependencies: { pg: '8.0.0' } }, file), [])
  assert.deepEqual(check({}, file), ['packages/kit/src/a.ts pg is not declared in packages/kit/package.json'])
  assert.deepEqual(check({ dependencies: { '@a/b': '1.0.0' } }, { 'src/a.ts': "import c from '@a/b/c.js'" }), [])
})

test('a development dependency serves tests and types only', () => {
  const manifest = { devDependencies: { pg: '8.0.0' } }
  assert.deepEqual(check(manifest, { 'src/a.test.ts': "import pg from 'pg'", 'src/b.ts': "import type { Pool } from 'pg'" }), [])
  assert.match(check(manifest, { 'src/a.ts': "import pg from 'pg'" })[0] ?? '', /needed at run time/)
})

test('a declared package that nothing imports is reported', () => {
  assert.deepEqual(checkLean({ dependencies: { pg: '8.0.0' } }, {}), ['packages/kit/package.json pg is declared and nothing imports it'])
  assert.deepEqual(checkLean({ dependencies: { pg: '8.0.0' } }, { 'src/a.ts': "import pg from 'pg'" }), [])
  assert.deepEqual(checkLean({ dependencies: { pg: '8.0.0' }, scripts: { up: 'pg up' } }, {}), [])
  assert.deepEqual(checkLean({ devDependencies: { '@types/pg': '8.0.0' } }, {}), [])
})

test('a script runs a file that is there', () => {
  assert.deepEqual(checkLean({ scripts: { go: 'exec node src/go.ts --fast' } }, { 'src/go.ts': '' }), [])
  assert.match(checkLean({ scripts: { go: 'node src/gone.ts' } }, {})[0] ?? '', /script go runs src\/gone\.ts, which does not exist/)
})

test('versions are pinned exactly', () => {
  const use = { 'src/a.ts': "import pg from 'pg'" }
  assert.deepEqual(check({ dependencies: { pg: '8.0.0-beta.17' } }, use), [])
  for (const version of ['^8.0.0', '~8.0.0', '8', '8.x', '*', 'latest', '>=8.0.0', 'file:../pg']) {
    assert.equal(check({ dependencies: { pg: version } }, use).length, 1, version)
  }
})

test("Node's own modules are named with their prefix", () => {
  assert.deepEqual(check({}, { 'src/a.ts': "import fs from 'fs'" }), ['packages/kit/src/a.ts write node:fs'])
})
