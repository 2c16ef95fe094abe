import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImportCircles } from './import-circles.ts'
import { repositoryOf } from './repository.ts'

function check(files: Readonly<Record<string, string>>): string[] {
  return checkImportCircles(repositoryOf(files)).map((finding) => `${finding.path}:${finding.line} ${finding.message}`)
}

test('imports that lead away are fine, also to one file by two ways', () => {
  const files = { 'a.ts': "import './b.ts'\nimport './c.ts'", 'b.ts': "import './d.ts'", 'c.ts': "import './d.ts'", 'd.ts': '' }
  assert.deepEqual(check(files), [])
})

test('two files that import each other are one finding, at the import', () => {
  const findings = check({ 'a.ts': "import 'node:fs'\nimport { b } from './b.ts'", 'b.ts': "import { a } from './a.ts'" })
  assert.equal(findings.length, 1)
  assert.match(findings[0] ?? '', /^a\.ts:2 imports itself: a\.ts -> b\.ts -> a\.ts;/)
})

test('a file that imports itself is found', () => {
  assert.match(check({ 'a.ts': "import { a } from './a.ts'" })[0] ?? '', /a\.ts -> a\.ts/)
})

test('types count, re-exports too', () => {
  assert.equal(check({ 'a.ts': "import type { B } from './b.ts'", 'b.ts': "export { type A } from './a.ts'" }).length, 1)
})

test('a long way round is found once, by packages too', () => {
  const manifest = JSON.stringify({ name: '@roadworthy/kit', exports: { './*': './src/*.ts' } })
  const findings = check({
    'packages/kit/package.json': manifest,
    'packages/kit/src/a.ts': "import { b } from '@roadworthy/kit/b'",
    'packages/kit/src/b.ts': "import { c } from './c.ts'",
    'packages/kit/src/c.ts': "import { a } from './a.ts'",
  })
  assert.equal(findings.length, 1)
  assert.match(findings[0] ?? '', /a\.ts -> packages\/kit\/src\/b\.ts -> packages\/kit\/src\/c\.ts -> /)
})

test('two circles are two findings', () => {
  const files = { 'a.ts': "import './b.ts'", 'b.ts': "import './a.ts'", 'c.ts': "import './d.ts'", 'd.ts': "import './c.ts'" }
  assert.equal(check(files).length, 2)
})

test('tests may import what they like', () => {
  assert.deepEqual(check({ 'a.test.ts': "import { b } from './b.test.ts'", 'b.test.ts': "import { a } from './a.test.ts'" }), [])
})
