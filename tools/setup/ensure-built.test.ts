import assert from 'node:assert/strict'
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ensureBuilt } from './ensure-built.js'

function folderWithSources(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'roadworthy-build-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'apps/dashboard/src/fleet'), { recursive: true })
  writeFileSync(join(root, 'apps/dashboard/src/fleet/page.tsx'), 'one')
  writeFileSync(join(root, 'package-lock.json'), '{}')
  return root
}

/** A build that leaves one page, named so that it can be distinguished from others. */
const building = (page: string) => async (_root: string, outDir: string) => {
  mkdirSync(outDir)
  writeFileSync(join(outDir, 'index.html'), page)
}
const quiet = { log: () => {} }
const pageOf = (root: string) => readFileSync(join(root, 'apps/dashboard/dist/index.html'), 'utf8')

test('the dashboard is built once, and again when a source or the packages change', async (t) => {
  const root = folderWithSources(t)
  const logged: string[] = []
  assert.equal(await ensureBuilt(root, { log: (line) => logged.push(line), build: building('first') }), 'built')
  assert.equal(logged.length, 1)
  assert.equal(await ensureBuilt(root, { log: assert.fail, build: assert.fail }), 'already built')
  for (const path of ['apps/dashboard/src/fleet/page.tsx', 'package-lock.json', 'apps/dashboard/src/new.ts']) {
    writeFileSync(join(root, path), 'changed')
    assert.equal(await ensureBuilt(root, { ...quiet, build: building(path) }), 'built', path)
    assert.equal(pageOf(root), path)
  }
  assert.deepEqual(readdirSync(join(root, 'apps/dashboard')).sort(), ['dist', 'src'], 'nothing is left over')
})

test('a build that fails is reported, leaves what was there, and is tried again', async (t) => {
  const root = folderWithSources(t)
  const logged: string[] = []
  const failing = async (_root: string, outDir: string) => {
    mkdirSync(outDir)
    throw new Error('no such plugin')
  }
  assert.equal(await ensureBuilt(root, { log: (line) => logged.push(line), build: failing }), 'failed')
  assert.match(logged.join('\n'), /starts without it\. no such plugin/)
  assert.equal(existsSync(join(root, 'apps/dashboard/dist')), false)
  assert.equal(await ensureBuilt(root, { ...quiet, build: building('good') }), 'built')
  writeFileSync(join(root, 'apps/dashboard/src/new.ts'), 'changed')
  assert.equal(await ensureBuilt(root, { ...quiet, build: failing }), 'failed')
  assert.equal(pageOf(root), 'good')
})

test('a build ends well though another one is put in place just while it is', async (t) => {
  const root = folderWithSources(t)
  const dist = join(root, 'apps/dashboard/dist')
  await ensureBuilt(root, { ...quiet, build: building('old') })
  writeFileSync(join(root, 'package-lock.json'), 'changed')
  const rename = fs.renameSync
  let hasBeenThere = false
  t.mock.method(fs, 'renameSync', (from: string, to: string) => {
    rename(from, to)
    if (from !== dist || hasBeenThere) return
    hasBeenThere = true
    mkdirSync(dist)
    writeFileSync(join(dist, 'index.html'), 'of another process')
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  assert.equal(await ensureBuilt(root, { ...quiet, build: building('new') }), 'built')
  assert.ok(hasBeenThere)
  assert.equal(pageOf(root), 'new')
  assert.deepEqual(readdirSync(join(root, 'apps/dashboard')).sort(), ['dist', 'src'], 'nothing is left over')
})
