// Goal: what looks like a credential is not shown of a message, also of one that is no JSON, and no message takes longer than its length to look through.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownBody, withoutSecrets } from './message-recorder.ts'

const CASES: readonly [sent: string, shown: string][] = [
  ['{"password":"geheim","rpm":900}', '{"password":"[removed]","rpm":900}'],
  ['{"a":{"api_key" : 12, "b":[{"x-token":null}]}}', '{"a":{"api_key" : "[removed]", "b":[{"x-token":"[removed]"}]}}'],
  ['{"Authorization":"Bearer a\\"b","rpm":1', '{"Authorization":"[removed]","rpm":1'],
  ['{"secret":"a","secret":"b"}', '{"secret":"[removed]","secret":"[removed]"}'],
  ['{"client_secret":"never closed, rpm', '{"client_secret":"[removed]"'],
  ['{"note":"the token is lost","rpm":1}', '{"note":"the token is lost","rpm":1}'],
  ['"token"', '"token"'],
  ['{"token":', '{"token":'],
]

test('the value behind a name that looks like a credential is removed, and nothing else', () => {
  for (const [sent, shown] of CASES) assert.equal(withoutSecrets(sent), shown)
})

test('text that looks like names of credentials, and is none, is gone over once', () => {
  // Gone over once more from each of these words, it would not come to an end.
  const note = `"${'passw'.repeat(200_000)}"`
  assert.equal(withoutSecrets(`{"note":${note}}`), `{"note":${note}}`)
})

test('a text is cut to what a person reads, and a secret that begins within is seen to its end', () => {
  const long = `{"note":"${'x'.repeat(4_060)}","password":"${'y'.repeat(1_000)}"}`
  const { text, isCut } = shownBody(long, long.length)
  assert.ok(isCut && text.length <= 4_096 && text.endsWith('"password":"[removed]"}'))
})
