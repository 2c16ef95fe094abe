import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPassphrase, openKeys, sealKeys } from './passphrase.ts'

const PASSPHRASE = 'correct horse battery staple'
const files = { 'secret-key': 'a secret', 'credentials.json': '{"api_key":"rw_1"}' }

test('what a passphrase sealed it opens, and it signs the manifest', async () => {
  const { box, sign } = await sealKeys(PASSPHRASE, files)
  assert.ok(!JSON.stringify(box).includes('a secret'))
  assert.deepEqual(box.holds, ['secret-key', 'credentials.json'])
  const opened = await openKeys(PASSPHRASE, box)
  assert.deepEqual(opened.files, files)
  assert.equal(opened.isSignatureOf('manifest', sign('manifest')), true)
  assert.equal(opened.isSignatureOf('Manifest', sign('manifest')), false)
  assert.equal(opened.isSignatureOf('manifest', ''), false)
})

test('another passphrase opens nothing; an accent may be typed in two ways', async () => {
  const { box } = await sealKeys('Zürich, Genève, Luzern', files)
  await assert.rejects(openKeys('Zurich, Geneve, Luzern', box), /not the one that this backup was made with/)
  assert.deepEqual((await openKeys('Zürich, Genève, Luzern'.normalize('NFD'), box)).files, files)
})

test('bytes that were changed do not open', async () => {
  const { box } = await sealKeys(PASSPHRASE, files)
  const ciphertext = Buffer.from(box.ciphertext, 'base64')
  ciphertext[0] = (ciphertext[0] ?? 0) ^ 1
  await assert.rejects(openKeys(PASSPHRASE, { ...box, ciphertext: ciphertext.toString('base64') }), /not the one/)
  await assert.rejects(openKeys(PASSPHRASE, { ...box, tag: box.tag.slice(0, 4) }), /not the one/)
})

test('a manifest cannot ask for all memory', async () => {
  const { box } = await sealKeys(PASSPHRASE, files)
  await assert.rejects(openKeys(PASSPHRASE, { ...box, n: 2 ** 22, r: 64 }), /more memory/)
})

test('a short passphrase is refused', () => {
  assert.throws(() => checkPassphrase('fourteen chars'), /fewer than 15/)
  checkPassphrase('fifteen letters')
})
