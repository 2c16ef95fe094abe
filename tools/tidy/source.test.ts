import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredNames, parseSource } from './source.ts'

const importsOf = (text: string) =>
  parseSource('a.ts', text).imports.map(({ specifier, isTypeOnly, names, isReExport }) => [specifier, isTypeOnly, names.join(), isReExport])

test('every form of import is understood', () => {
  assert.deepEqual(importsOf(`import a, { b, type C, d as e } from 'x'`), [['x', false, 'default,b,C,d', false]])
  assert.deepEqual(importsOf(`import type { A } from './a.ts'`), [['./a.ts', true, 'A', false]])
  assert.deepEqual(importsOf(`import { type A, type B } from './a.ts'`), [['./a.ts', true, 'A,B', false]])
  assert.deepEqual(importsOf(`import type Pg from 'pg'`), [['pg', true, 'default', false]])
  assert.deepEqual(importsOf(`import * as all from 'x'\nimport 'side'`), [
    ['x', false, '*', false],
    ['side', false, '', false],
  ])
  assert.deepEqual(importsOf(`const m = await import('./m.ts')`), [['./m.ts', false, '*', false]])
  assert.deepEqual(importsOf(`import {\n  a,\n  b,\n} from 'x'\nexport const c = 1`), [['x', false, 'a,b', false]])
})

test('what only looks like an import is not one', () => {
  assert.deepEqual(importsOf(`const here = import.meta.dirname\nconst text = "import a from 'x'"\n// import b from 'y'`), [])
})

test('re-exports are imports that pass on', () => {
  assert.deepEqual(importsOf(`export { a, b as c } from './a.ts'\nexport * from './b.ts'`), [
    ['./a.ts', false, 'a,b', true],
    ['./b.ts', false, '*', true],
  ])
})

test('exports are named, with what they are', () => {
  const text = `export const a = 1
export async function b() {}
export type C = string
export interface D { x: 1 }
export class E {}
export abstract class F {}
const g = 1, h = 2
export { g, h as i }
export default a`
  assert.deepEqual(
    parseSource('a.ts', text).exports.map(({ name, kind, line }) => `${name} ${kind} ${line}`),
    ['a value 1', 'b value 2', 'C type 3', 'D type 4', 'E value 5', 'F value 6', 'g value 8', 'i value 8', 'default value 9'],
  )
})

test('declared names are found, and words that are only keys are not', () => {
  const { code } = parseSource(
    'a.ts',
    `const a = { type: 1, class: 2 }\ntype B = string\nfunction c() {}\nimport { type D } from 'd'\nx.type`,
  )
  assert.deepEqual(
    declaredNames(code).map(({ keyword, name }) => `${keyword} ${name}`),
    ['const a', 'type B', 'function c'],
  )
})
