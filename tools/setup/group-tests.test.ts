// Goal: files that share a process are tested as if each had its own. Method: real files, run by node:test through the groups that are made of them.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { beginFirst, groupFiles } from './group-tests.ts'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'roadworthy-groups-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function runGroups(root: string, contents: Record<string, string>): { code: number | null; output: string } {
  for (const [file, content] of Object.entries(contents)) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(
      join(root, file),
      `import { after, beforeEach, test } from 'node:test'\nimport { appendFileSync } from 'node:fs'\n${content}`,
    )
  }
  const groups = groupFiles(root, Object.keys(contents), root)
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['--test', ...groups], { cwd: root, env, encoding: 'utf8' })
  return { code: status, output: stdout }
}

/** Notes what runs, in its order. */
const note = (what: string) => `appendFileSync('notes', ${JSON.stringify(`${what}\n`)})`

test('hooks of a file are for its own tests; a file that cannot be loaded fails, and the others are tested all the same', (t) => {
  const root = makeFolder(t)
  const { code, output } = runGroups(root, {
    'packages/one/a.test.mjs': `beforeEach(() => ${note('before a')})\nafter(() => ${note('after a')})\ntest('a', () => ${note('a')})`,
    'packages/one/b.test.mjs': `throw new Error('on purpose')`,
    'packages/one/c.test.mjs': `await new Promise((done) => setTimeout(done, 20))\nbeforeEach(() => ${note('before c')})\nafter(() => ${note('after c')})\ntest('c', () => ${note('c')})`,
  })
  assert.equal(code, 1)
  assert.match(output, /✖ packages\/one\/b\.test\.mjs/)
  assert.match(output, /on purpose/)
  assert.match(output, /^ℹ pass 2$/m)
  assert.deepEqual(readFileSync(join(root, 'notes'), 'utf8').trim().split('\n'), ['before a', 'a', 'after a', 'before c', 'c', 'after c'])
})

test('groups keep to a workspace and to a size, and a file that has nobody to share with is run as it is', (t) => {
  const root = makeFolder(t)
  const many = Array.from({ length: 10 }, (_, nth) => `packages/one/${nth}.test.ts`)
  const groups = groupFiles(root, [...many, 'packages/two/a.test.ts', 'test/deeper/b.test.ts', 'test/deeper/c.test.ts'], root)
  const namedIn = (path: string) =>
    readFileSync(path, 'utf8')
      .match(/^describe\("[^"]+"/gm)
      ?.map((line) => line.slice(10, -1))
  const [first = '', second = '', ...others] = groups
  assert.deepEqual([namedIn(first), namedIn(second)], [many.slice(0, 8), many.slice(8)])
  assert.deepEqual(others, ['packages/two/a.test.ts', 'test/deeper/b.test.ts', 'test/deeper/c.test.ts'])
})

test('files that are to begin first do, whatever they are called', (t) => {
  const root = makeFolder(t)
  const folder = makeFolder(t)
  for (const name of ['a', 'b', 'c', 'd'])
    writeFileSync(join(root, `${name}.test.mjs`), `import { appendFileSync } from 'node:fs'\n${note(name)}`)
  const given = beginFirst(
    root,
    ['a.test.mjs', 'b.test.mjs', 'c.test.mjs', 'd.test.mjs'],
    ['d.test.mjs', 'c.test.mjs', 'x.test.mjs'],
    folder,
  )
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env
  const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...given], { cwd: root, env })
  assert.equal(status, 0)
  assert.deepEqual(readFileSync(join(root, 'notes'), 'utf8').trim().split('\n'), ['d', 'c', 'a', 'b'])
})
