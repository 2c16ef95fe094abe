// Goal: what `npm start` runs is compiled beforehand, under the flags that it runs with, once. Method: two small programs in the places of the
// real ones, which write down how they were started.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ensureCompiled, PROGRAMS } from './ensure-compiled.js'

const WRITES_DOWN = `
import { appendFileSync } from 'node:fs'
import { big } from './big.ts'
const started: object = { flags: process.execArgv, args: process.argv.slice(2), cache: process.env['NODE_COMPILE_CACHE'], big: big() }
appendFileSync('started.jsonl', JSON.stringify(started) + '\\n')
`
const BIG = 'export function big(): number {\n  return 1\n}\n'

function checkout(t: TestContext, { program = WRITES_DOWN } = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'roadworthy-compiled-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const path of PROGRAMS) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), program)
    writeFileSync(join(root, dirname(path), 'big.ts'), BIG)
  }
  writeFileSync(join(root, 'package.json'), manifest('--max-semi-space-size=16'))
  return root
}

const manifest = (flags: string) =>
  JSON.stringify({ type: 'module', scripts: { start: `exec node ${flags} services/platform/src/main/all.ts --` } })
const cacheOf = (root: string) => join(root, 'node_modules/.cache/node')

function startsIn(root: string): { flags: string[]; args: string[]; cache: string }[] {
  const lines = readFileSync(join(root, 'started.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as { flags: string[]; args: string[]; cache: string })
}

test('the Node that npm installed runs them, whichever Node this is', (t) => {
  const root = checkout(t)
  const bin = join(root, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'node'), `#!/bin/sh\necho installed >> '${root}/used'\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  assert.equal(ensureCompiled(root), 'compiled')
  assert.equal(readFileSync(join(root, 'used'), 'utf8'), 'installed\n'.repeat(PROGRAMS.length))
  assert.equal(ensureCompiled(root), 'already compiled')
})

test('each is started once for its help, with the flags of npm start, and leave their modules in the cache', (t) => {
  const root = checkout(t)
  assert.equal(ensureCompiled(root), 'compiled')
  const starts = startsIn(root)
  assert.equal(starts.length, PROGRAMS.length)
  for (const { flags, args, cache } of starts) {
    assert.deepEqual([flags, args, cache], [['--max-semi-space-size=16'], ['--help'], cacheOf(root)])
  }
  assert.notEqual(readdirSync(cacheOf(root), { recursive: true }).length, 0)
  assert.equal(ensureCompiled(root), 'already compiled')
  assert.equal(startsIn(root).length, PROGRAMS.length)
})

test('other flags of npm start, for which Node keeps another cache, are compiled for again', (t) => {
  const root = checkout(t)
  ensureCompiled(root)
  writeFileSync(join(root, 'package.json'), manifest('--max-semi-space-size=32'))
  assert.equal(ensureCompiled(root), 'compiled')
  assert.deepEqual(startsIn(root).at(-1)?.flags, ['--max-semi-space-size=32'])
})

test('sources that have changed since are compiled again', (t) => {
  const root = checkout(t)
  ensureCompiled(root)
  const compiled = startsIn(root).length
  writeFileSync(join(root, dirname(PROGRAMS[0] ?? ''), 'big.ts'), `${BIG}// Changed.\n`)
  assert.equal(ensureCompiled(root), 'compiled')
  assert.equal(startsIn(root).length, compiled + PROGRAMS.length)
  assert.equal(ensureCompiled(root), 'already compiled')
})

test('a program that fails keeps nothing from starting', (t) => {
  const root = checkout(t, { program: "throw new Error('broken')" })
  assert.equal(ensureCompiled(root), 'compiled')
  assert.equal(ensureCompiled(root), 'already compiled')
})
