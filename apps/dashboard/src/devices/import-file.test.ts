import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from './import-file.ts'

test('a file is read as UTF-8, and one that is something else shows what to do', async () => {
  assert.deepEqual(await readText(new Blob(['name\nMüller'])), { text: 'name\nMüller' })
  const latin1 = await readText(new Blob([Uint8Array.of(0x4d, 0xfc, 0x6c)]))
  assert.match('problem' in latin1 ? latin1.problem : '', /CSV UTF-8/)
  const large = await readText(new Blob(['x'.repeat(1_000_001)]))
  assert.match('problem' in large ? large.problem : '', /larger than 1 MB/)
})
