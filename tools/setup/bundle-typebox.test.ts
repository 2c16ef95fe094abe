// Goal: what is put together is what it was, once for each version, and typebox itself is. Method: a small package in the form of typebox, and the real bundler.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bundleTypebox } from './bundle-typebox.js'

const ROOT = resolve(import.meta.dirname, '../..')

function folderWithPackage(t: TestContext): { root: string; write: (version: string, word: string) => void } {
  const root = mkdtempSync(join(tmpdir(), 'roadworthy-bundle-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'node_modules/typebox')
  mkdirSync(join(folder, 'build/value'), { recursive: true })
  const exports = { '.': { import: './build/index.mjs' }, './value': { import: './build/value/index.mjs' } }
  const write = (version: string, word: string) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'typebox', type: 'module', version, exports }))
    writeFileSync(join(folder, 'build/shared.mjs'), `export const shared = { word: '${word}' }\n`)
    writeFileSync(join(folder, 'build/index.mjs'), "export { shared } from './shared.mjs'\nexport default 'whole'\n")
    writeFileSync(join(folder, 'build/value/index.mjs'), "import { shared } from '../shared.mjs'\nexport const value = () => shared\n")
  }
  return { root, write }
}

const load = (root: string, path: string, version: string) =>
  import(`${pathToFileURL(join(root, 'node_modules/typebox/build', path)).href}?${version}`)

test('entries give what they gave, share what they have in common, and are put together anew for another version', async (t) => {
  const { root, write } = folderWithPackage(t)
  for (const [version, word] of [
    ['1.0.0', 'first'],
    ['1.0.1', 'second'],
  ] as const) {
    write(version, word)
    assert.equal(await bundleTypebox(root, { tools: ROOT }), 'bundled')
    const [index, value] = [await load(root, 'index.mjs', version), await load(root, 'value/index.mjs', version)]
    assert.equal(index.default, 'whole')
    assert.equal(index.shared.word, word)
    assert.equal(value.value(), index.shared)
    assert.equal(readFileSync(join(root, 'node_modules/typebox/build/index.mjs'), 'utf8').includes('shared.mjs'), false)
    assert.equal(await bundleTypebox(root, { tools: ROOT }), 'already bundled')
  }
})

test('without a bundler everything stays as it is', async (t) => {
  const { root, write } = folderWithPackage(t)
  assert.equal(await bundleTypebox(mkdtempSync(join(root, 'empty-'))), 'no typebox')
  write('1.0.0', 'first')
  assert.equal(await bundleTypebox(root), 'no bundler')
  assert.equal(readFileSync(join(root, 'node_modules/typebox/build/index.mjs'), 'utf8').includes('shared.mjs'), true)
})

test('typebox is put together before the tests run', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/typebox/package.json'), 'utf8'))
  assert.equal(existsSync(join(ROOT, `node_modules/typebox/build/bundled/of-${version}`)), true)
})
