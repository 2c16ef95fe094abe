import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkExcusedNumbers, checkNumbers, TABLE_FILES } from './numbers.ts'
import { repositoryOf } from './repository.ts'

const FILE = 'packages/prognostics/src/boiling.ts'
const check = (text: string, { file = FILE, table = '...boilingNumbers' } = {}) =>
  checkNumbers(repositoryOf({ [file]: text, [TABLE_FILES[0]]: `export const numbers = [${table}]` })).map(
    ({ line, message }) => `${line} ${message}`,
  )
const stating = (constant: string) => `export const boilingNumbers = statedIn('boiling', [[{ ${constant} }, '°C', 'data', 'Etios']])`

test('a constant with a number has to state where it comes from', () => {
  for (const text of [
    'const BOILS_AT_C = 120',
    'export const BOILS_AT_C: number = 2 * 60',
    "const LIMITS = { mild: 100, hot: 120 } as const\nconst other = 'x'",
    'const RELEASE = 0',
    'const LIMITS: readonly { readonly at: number }[] = [{ at: 100 }]',
  ]) {
    const name = /[A-Z]+_?[A-Z_]+/.exec(text)?.[0] ?? ''
    assert.deepEqual(check(text), [`1 ${name} has no source: state it with statedIn`])
    assert.deepEqual(check(`${text}\n${stating(name)}`), [])
  }
})

test('what another constant states does not count for this one', () => {
  assert.deepEqual(check(`const BOILS_AT_C = 120\nconst FREEZES_AT_C = -37\n${stating('BOILS_AT_C')}`), [
    '2 FREEZES_AT_C has no source: state it with statedIn',
  ])
})

test('a table whose rows have sources states itself', () => {
  assert.deepEqual(check("const rules = [{ at: 120, origin: 'data', source: 'Etios' }]"), [])
})

test('a number in the middle of the code needs a name, unless it is arithmetic', () => {
  assert.deepEqual(check('export function isHot(c: number) {\n  return c > 118\n}'), ['2 118 needs a name and a source'])
  assert.deepEqual(check('const isHot = (c: number) => c > 118'), ['1 118 needs a name and a source'])
  assert.deepEqual(check('const round = (c: number) => Math.round(c * 100) / 100'), [])
})

test('what a file states has to be in the table', () => {
  assert.deepEqual(check(`const BOILS_AT_C = 120\n${stating('BOILS_AT_C')}`, { table: '' }), [
    `2 boilingNumbers is in no table of ${TABLE_FILES.join(' or ')}`,
  ])
})

test('learning, tests and other packages are left alone', () => {
  for (const file of [
    'packages/prognostics/src/learning/gbdt.ts',
    'packages/prognostics/src/boiling.test.ts',
    'packages/prognostics/src/testing/inputs.ts',
    'services/platform/src/fleet/vehicle.ts',
  ]) {
    assert.deepEqual(check('const BOILS_AT_C = 120', { file }), [], file)
  }
  assert.equal(check('const TOLERANCE = 0.07', { file: 'services/engine/src/schema/speed-and-distance.ts' }).length, 1)
})

test('an excuse for a constant that is gone is found', () => {
  assert.match(checkExcusedNumbers(repositoryOf({}))[0]?.message ?? '', /is excused, but no such constant exists/)
})
