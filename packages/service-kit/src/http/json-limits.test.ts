import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_JSON_DEPTH, MAX_JSON_KEYS, MAX_JSON_STRING_LENGTH, parseJson } from './json-limits.ts'
import { Problem } from './problem.ts'

/** Twice: keys that are allowed are remembered, and others must not be. */
const refused = (text: string, message: RegExp) => {
  for (let time = 1; time <= 2; time++)
    assert.throws(
      () => parseJson(Buffer.from(text)),
      (error) => error instanceof Problem && error.code === 'invalid_request' && message.test(error.message),
    )
}
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('depth is counted outside strings only, and one level too many is refused before parsing', () => {
  assert.deepEqual(parseJson(Buffer.from('{"a":"[[[[[\\"[[{{{","b":"\\\\"}')), { a: '[[[[["[[{{{', b: '\\' })
  parseJson(Buffer.from(nested(MAX_JSON_DEPTH)))
  refused(nested(MAX_JSON_DEPTH + 1), /deeper than 32/)
  refused(`["\\\\","\\"",${nested(MAX_JSON_DEPTH)}]`, /deeper than 32/)
  refused('['.repeat(100_000), /deeper than 32/)
})

test('the reason that no JSON is quoted with is text, wherever its quotation was cut', () => {
  for (const text of ['🚚', 'x🚚🚚🚚🚚🚚🚚', '{"a":"🚚🚚🚚🚚🚚🚚🚚🚚🚚\n"}']) {
    assert.throws(
      () => parseJson(Buffer.from(text)),
      (error) => error instanceof Problem && String(error.details?.['reason']).isWellFormed(),
    )
  }
})

test('numbers that overflow, NUL, lone surrogates and prototype keys are refused by name', () => {
  refused('{"speed":1e999}', /"speed" is not a finite number/)
  refused('{"a":{"b":[1,-1e999]}}', /"a.b\[1\]" is not a finite number/)
  refused('{"name":"a\\u0000b"}', /NUL/)
  refused('{"a\\u0000":1}', /NUL/)
  refused('{"name":"\\ud800"}', /surrogate/)
  refused('{"metadata":{"__proto__":{"x":1}}}', /"__proto__" is not allowed/)
  refused('{"constructor":1}', /"constructor" is not allowed/)
  assert.deepEqual(parseJson(Buffer.from('{"name":"\\ud83d\\ude9a \\\\u0000"}')), { name: '🚚 \\u0000' })
})

test('too many keys, too long a string, an empty body and broken JSON are refused', () => {
  const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])))
  parseJson(Buffer.from(keys(MAX_JSON_KEYS)))
  refused(keys(MAX_JSON_KEYS + 1), /more than 256 keys/)
  parseJson(Buffer.from(JSON.stringify('x'.repeat(MAX_JSON_STRING_LENGTH))))
  refused(JSON.stringify({ note: 'x'.repeat(MAX_JSON_STRING_LENGTH + 1) }), /"note" is longer/)
  refused('', /empty/)
  refused('{"a":', /not valid JSON/)
  refused('NaN', /not valid JSON/)
})

test('bytes that are not UTF-8 are refused, and not stored as another text', () => {
  const bytes = (name: number[]) => Buffer.from([...Buffer.from('{"name":"Caf'), ...name, ...Buffer.from('"}')])
  assert.deepEqual(parseJson(bytes([0xc3, 0xa9])), { name: 'Café' })
  for (const wrong of [[0xe9], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
    assert.throws(
      () => parseJson(bytes(wrong)),
      (error) => error instanceof Problem && error.code === 'invalid_request' && /not valid UTF-8/.test(error.message),
    )
  }
})

test('one byte order mark before the text is left out, as RFC 8259 allows; it is no body, and nowhere else ignored', () => {
  assert.deepEqual(parseJson(Buffer.from('\ufeff{"name":"\ufeffa"}')), { name: '\ufeffa' })
  refused('\ufeff', /empty/)
  refused('\ufeff\ufeff{}', /not valid JSON/)
  refused('{}\ufeff', /not valid JSON/)
  refused(`\ufeff${'['.repeat(100_000)}`, /deeper than 32/)
})
