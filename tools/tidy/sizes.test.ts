import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repositoryOf } from './repository.ts'
import { checkSizes, findFunctions } from './sizes.ts'
import { scanTokens, withoutComments } from './tokens.ts'

const lines = (count: number) => 'a()\n'.repeat(count)
const check = (text: string, path = 'packages/a/src/a.ts') => checkSizes(repositoryOf({ [path]: text })).map(({ message }) => message)
const functionsOf = (text: string) => findFunctions(withoutComments(scanTokens(text))).map(({ name, lineCount }) => `${name} ${lineCount}`)

test('files have at most 400 lines, route files 250', () => {
  assert.deepEqual(check(lines(400)), [])
  assert.deepEqual(check(lines(401)), ['has 401 lines; 400 is the most'])
  assert.deepEqual(check(lines(251)), [])
  for (const name of ['routes.external.ts', 'vehicle.routes.external.ts']) {
    assert.deepEqual(check(lines(251), `services/platform/src/fleet/${name}`), ['has 251 lines; 250 is the most'])
  }
})

test('what a program wrote may have any length', () => {
  assert.deepEqual(check(lines(401), 'packages/a/src/generated/a.ts'), [])
})

test('functions have at most 70 lines, from the parameters to the closing brace', () => {
  assert.deepEqual(check(`function f() {\n${lines(68)}}`), [])
  assert.deepEqual(check(`function f() {\n${lines(69)}}`), ['f has 71 lines; 70 is the most'])
  assert.deepEqual(check(`test('x', () => {\n${lines(69)}})`, 'packages/a/src/a.test.ts'), [], 'a test may be a whole story')
})

test('of two long functions, one in the other, the inner one is reported', () => {
  assert.deepEqual(check(`function outer() {\n  return () => {\n${lines(70)}  }\n}`), ['a function has 72 lines; 70 is the most'])
})

test('every way of writing a function is seen', () => {
  assert.deepEqual(functionsOf('async function f<T>(a: T): Promise<Map<string, { b: 1 }>> {\n}'), ['a function 2'])
  assert.deepEqual(functionsOf('function f(a: number): { b: string } | undefined {\n\n}'), ['f 3'])
  assert.deepEqual(functionsOf('function isA(a: unknown): a is { b: 1 } {\n}'), ['isA 2'])
  assert.deepEqual(functionsOf('const f = (a: string): Promise<void> => {\n}'), ['a function 2'])
  assert.deepEqual(functionsOf('class A {\n  async #b(c = { d: 1 }) {\n  }\n}'), ['#b 2'])
  assert.deepEqual(functionsOf('const o = { m() {\n}, n: async () => {\n} }'), ['m 2', 'a function 2'])
})

test('what only looks like a function is none', () => {
  assert.deepEqual(functionsOf('if (a) {\n}\nfor (const b of c) {\n}\nwhile (d(e)) {\n}\nswitch (f) {}\ntry {} catch (g) {}'), [])
  assert.deepEqual(functionsOf('const a = b ? f(c) : { d: 1 }\nconst e = { g: f(h) }'), [])
})
