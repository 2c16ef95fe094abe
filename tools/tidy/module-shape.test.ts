import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkModuleShape } from './module-shape.ts'
import { repositoryOf } from './repository.ts'

const check = (text: string, path = 'packages/a/src/a.ts') => checkModuleShape(repositoryOf({ [path]: text })).map(({ line }) => line)

test('barrels are found by name and by what they do', () => {
  assert.deepEqual(check('export const a = 1', 'packages/a/src/index.ts'), [1])
  assert.deepEqual(check("\nexport * from './b.ts'"), [2])
  assert.deepEqual(check("export { b } from './b.ts'"), [1])
  assert.deepEqual(check("export * from '@roadworthy/signals/registry'"), [1])
  assert.deepEqual(check('const b = 1\nexport { b }'), [])
  assert.deepEqual(check("export type { Logger } from 'pino'"), [], 'a package from elsewhere may be hidden behind one file')
})

test('the entry of a published package passes on what it exports, and no other file does', () => {
  const manifest = (isPrivate: boolean) =>
    JSON.stringify({ name: '@roadworthy/a', private: isPrivate, exports: { '.': { default: './dist/entry.js' } } })
  const passOn = "export { b } from './b.ts'"
  const find = (file: string, isPrivate: boolean) =>
    checkModuleShape(repositoryOf({ 'packages/a/package.json': manifest(isPrivate), [file]: passOn })).length
  assert.equal(find('packages/a/src/entry.ts', false), 0)
  assert.equal(find('packages/a/src/other.ts', false), 1)
  assert.equal(find('packages/a/src/entry.ts', true), 1)
})

test('default exports are found, except where a tool wants one', () => {
  assert.deepEqual(check('export default function a() {}'), [1])
  assert.deepEqual(check('const a = 1\nexport { a as default }'), [2])
  assert.deepEqual(check('export default {}', 'apps/dashboard/vite.config.ts'), [])
  assert.deepEqual(check('const a = { default: 1 }\nType.String({ default: 2 })'), [])
})

test('enums are found, and Type.Enum is none', () => {
  assert.deepEqual(check('export enum Colour { Red }'), [1])
  assert.deepEqual(check('const enum Colour { Red }'), [1])
  assert.deepEqual(check("const a = Type.Enum(['red'])\nconst b = { enum: [1] }"), [])
})

test('a note without an issue number is found in comments only', () => {
  assert.deepEqual(check('const a = 1 // TODO later'), [1])
  assert.deepEqual(check('/* FIXME */'), [1])
  assert.deepEqual(check('// TODO(#12): when the operator answers\nconst a = "TODO"'), [])
})
