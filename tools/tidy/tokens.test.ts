import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closingIndex, scanTokens, withoutComments } from './tokens.ts'

/** How a template's hole reads in its text. */
const HOLE = '$' + '{}'

const scan = (text: string) => scanTokens(text).map(({ kind, text: value }) => `${kind} ${value}`)

test('strings, comments and regular expressions hide what looks like code', () => {
  assert.deepEqual(scan(`a = 'import x' // import y`), ['word a', 'punctuation =', 'string import x', 'comment // import y'])
  assert.deepEqual(scan('/* export */ b'), ['comment /* export */', 'word b'])
  assert.deepEqual(scan(`"it's \\" so"`), [`string it's \\" so`])
  assert.deepEqual(scan('x = /[/"]`/g.test(y)').slice(2, 3), ['regex /[/"]`/g'])
})

test('a slash divides after a value and starts a regular expression elsewhere', () => {
  assert.deepEqual(
    scan('a / b / c').filter((token) => token.startsWith('regex')),
    [],
  )
  assert.deepEqual(
    scan('(a) / 2 / c').filter((token) => token.startsWith('regex')),
    [],
  )
  assert.deepEqual(
    scan('return /x/').filter((token) => token.startsWith('regex')),
    ['regex /x/'],
  )
  assert.deepEqual(
    scan('f(/x/)').filter((token) => token.startsWith('regex')),
    ['regex /x/'],
  )
})

test('a template is one text with holes, and the code in the holes is seen', () => {
  assert.deepEqual(scan('`a #{b({ c: `d#{e}` })} f`'.replaceAll('#', '$')), [
    `template a ${HOLE} f`,
    'word b',
    'punctuation (',
    'punctuation {',
    'word c',
    'punctuation :',
    `template d${HOLE}`,
    'word e',
    'punctuation }',
    'punctuation )',
  ])
})

test('lines are counted through comments, templates and escapes', () => {
  const tokens = scanTokens('/*\n*/ a\n`\n#{b}\n` c\n'.replace('#', '$'))
  assert.deepEqual(
    tokens.map(({ text, line }) => [text.trim(), line]),
    [
      ['/*\n*/', 1],
      ['a', 2],
      [HOLE, 3],
      ['b', 4],
      ['c', 5],
    ],
  )
})

test('an apostrophe in JSX text spoils its own line only', () => {
  assert.ok(scan("<p>don't</p>\nexport const a = 1").includes('word export'))
})

test('brackets are matched across kinds', () => {
  const tokens = withoutComments(scanTokens('f({ a: [")"] /* ) */ }, 1) + 2'))
  assert.equal(tokens[closingIndex(tokens, 1)]?.text, ')')
  assert.equal(tokens[closingIndex(tokens, 1) + 1]?.text, '+')
})
