import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson, canonicalParts } from './canonical-json.ts'

test('the order of keys does not matter at any depth, and everything else does', () => {
  assert.equal(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true }), canonicalJson({ a: true, b: [1, { c: 'x', d: null }] }))
  const different = [{ a: 1 }, { a: '1' }, { a: null }, {}, { a: [1] }, { a: [1, 2] }, { a: [2, 1] }, { b: 1 }]
  assert.equal(new Set(different.map(canonicalJson)).size, different.length)
})

test('the text is JSON of the same value', () => {
  const value = { z: 'quote " and \\ and \u2028', a: [0.1, -0, 1e21], n: { x: false } }
  assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
})

test('its parts make up the same text, and none holds what lies deeper than was asked for', () => {
  const value = { list: [{ b: 1, a: [2, 3] }, { c: null }, []], absent: undefined, also: { y: { z: 1 }, x: 'text' }, empty: {} }
  for (const depth of [0, 1, 2, 3, 9]) assert.equal([...canonicalParts(value, depth)].join(''), canonicalJson(value), `depth ${depth}`)
  const longest = (depth: number) =>
    Math.max(...[...canonicalParts({ list: Array(1_000).fill('0123456789') }, depth)].map((part) => part.length))
  assert.ok(longest(1) > 10_000 && longest(2) < 20)
})
