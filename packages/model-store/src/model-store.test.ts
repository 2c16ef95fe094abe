// Goal: a model directory is whole and as it was written, or it is refused with what is wrong. Method: write models to a folder, spoil them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkGoldenRows } from './golden-rows.ts'
import { checkManifest, createdAt, type ManifestDraft, type ModelManifest, manifestBytes } from './manifest.ts'
import { ModelError, type ModelErrorCode } from './model-error.ts'
import { readModel } from './read-model.ts'
import { requirePlaceForModel, writeModel } from './write-model.ts'

const files = { 'forest.json': Buffer.from('{"trees":1}'), 'scaling.json': Buffer.from('[]') }
const manifest: ManifestDraft = {
  name: 'turbofan',
  version: '1.0.0',
  kind: 'rul',
  features: ['a', 'b'],
  training_data: { sha256: '0'.repeat(64), rows: 100, units: 4, description: 'Four units.' },
  metrics: { rmse: 0.1 + 0.2 },
  calibration: { quantile: 12.5 },
  seed: 1,
  created_at: '2026-01-02T03:04:05.000Z',
  golden_rows: [{ features: [1, null], output: [0.1 + 0.2] }],
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'model-store-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

async function assertRefused(run: () => Promise<unknown>, code: ModelErrorCode, message: RegExp): Promise<void> {
  await assert.rejects(run, (error) => {
    assert.ok(error instanceof ModelError, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    return true
  })
}

test('a model is read as it was written', async (t) => {
  const dir = path.join(await makeFolder(t), 'turbofan', '1.0.0')
  const written = await writeModel(dir, { manifest, files })
  const read = await readModel(dir)
  assert.deepEqual(read.manifest, written)
  assert.deepEqual(
    Object.fromEntries([...read.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])),
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.toString()])),
  )
  assert.deepEqual(await readdir(path.dirname(dir)), ['1.0.0'], 'nothing is left beside it')
})

test('the bytes of a manifest do not depend on the order its keys were written in', async () => {
  const whole = checkManifest({ ...manifest, schema_version: 1, files: [{ path: 'f', sha256: '0'.repeat(64), bytes: 1 }] })
  const turned = Object.fromEntries(Object.entries(whole).reverse()) as ModelManifest
  assert.deepEqual(manifestBytes(turned), manifestBytes(whole))
  assert.deepEqual(JSON.parse(Buffer.from(manifestBytes(whole)).toString()), whole)
})

test('SOURCE_DATE_EPOCH sets the time of creation, and anything else does not', () => {
  assert.equal(createdAt('1700000000', 0), '2023-11-14T22:13:20.000Z')
  for (const unusable of [undefined, '', 'now', '-1', '1'.repeat(12)]) assert.equal(createdAt(unusable, 5), '1970-01-01T00:00:00.005Z')
})

test('a second model takes the place of the first, and other folders are left alone', async (t) => {
  const folder = await makeFolder(t)
  const dir = path.join(folder, 'model')
  await mkdir(dir)
  await writeModel(dir, { manifest, files })
  await writeModel(dir, { manifest: { ...manifest, version: '1.0.1' }, files: { 'other.json': Buffer.from('1') } })
  assert.equal((await readModel(dir)).manifest.version, '1.0.1')
  assert.deepEqual((await readdir(dir)).sort(), ['manifest.json', 'other.json'])
  assert.deepEqual(await readdir(folder), ['model'])

  await rm(path.join(dir, 'manifest.json'))
  await assertRefused(() => writeModel(dir, { manifest, files }), 'model_exists', /holds other files/)
  assert.deepEqual(await readdir(dir), ['other.json'])
  await assertRefused(() => writeModel(path.join(dir, 'other.json'), { manifest, files }), 'model_exists', /is a file/)
})

test('a place that no model can be written to is refused before there is one, with the reason of the file system', async (t) => {
  const folder = await makeFolder(t)
  await writeFile(path.join(folder, 'file'), '')
  for (const dir of [folder, path.join(folder, 'file'), path.join(folder, 'file', '1.0.0')]) {
    await assertRefused(() => requirePlaceForModel(dir), 'model_exists', /holds other files|is a file or lies below one/)
  }
  await requirePlaceForModel(path.join(folder, 'name', '1.0.0'))
  assert.deepEqual(await readdir(folder), ['file'], 'nothing is made')
  const looped = path.join(folder, 'loop')
  await symlink(looped, looped)
  for (const refused of [requirePlaceForModel, (dir: string) => writeModel(dir, { manifest, files })]) {
    await assertRefused(
      () => refused(path.join(looped, 'name', '1.0.0')),
      'not_writable',
      /loop\/name\/1\.0\.0 cannot be written \(ELOOP\)\.$/,
    )
  }
})

// The recursive mkdir of Node never ends there.
test('a place that no folder can be made in is refused', { skip: process.platform !== 'linux' && 'needs /proc' }, async () => {
  await assertRefused(() => writeModel('/proc/none/name/1.0.0', { manifest, files }), 'not_writable', /cannot be written \(\w+\)/)
})

test('a model that cannot be written leaves nothing behind', async (t) => {
  const folder = await makeFolder(t)
  const unwritable = { 'x.json': 5 as unknown as Uint8Array }
  await assert.rejects(() => writeModel(path.join(folder, 'model'), { manifest, files: unwritable }))
  assert.deepEqual(await readdir(folder), [])
})

const spoilt: { what: string; spoil: (dir: string) => Promise<unknown>; code: ModelErrorCode; message: RegExp }[] = [
  {
    what: 'one byte differs',
    spoil: (dir) => writeFile(path.join(dir, 'forest.json'), '{"trees":2}'),
    code: 'file_hash_differs',
    message: /forest\.json has sha256 [0-9a-f]{64}; its manifest states/,
  },
  {
    what: 'a file is cut short',
    spoil: (dir) => truncate(path.join(dir, 'forest.json'), 5),
    code: 'file_size_differs',
    message: /has 5 bytes; its manifest states 11/,
  },
  {
    what: 'a file grew',
    spoil: (dir) => appendFile(path.join(dir, 'forest.json'), ' '),
    code: 'file_too_large',
    message: /has 12 bytes; at most 11/,
  },
  {
    what: 'a file is missing',
    spoil: (dir) => rm(path.join(dir, 'scaling.json')),
    code: 'file_missing',
    message: /scaling\.json cannot be read \(ENOENT\)/,
  },
  {
    what: 'a folder stands in place of a file',
    spoil: async (dir) => {
      await rm(path.join(dir, 'scaling.json'))
      await mkdir(path.join(dir, 'scaling.json'))
    },
    code: 'file_missing',
    message: /is not a file/,
  },
  {
    what: 'a named pipe stands in place of a file',
    spoil: async (dir) => {
      await rm(path.join(dir, 'scaling.json'))
      execFileSync('mkfifo', [path.join(dir, 'scaling.json')])
    },
    code: 'file_missing',
    message: /is not a file/,
  },
  {
    what: 'the manifest is half written',
    spoil: (dir) => truncate(path.join(dir, 'manifest.json'), 50),
    code: 'manifest_invalid',
    message: /is not JSON/,
  },
  {
    what: 'there is no manifest',
    spoil: (dir) => rm(path.join(dir, 'manifest.json')),
    code: 'model_missing',
    message: /manifest\.json cannot be read/,
  },
  { what: 'there is no folder', spoil: (dir) => rename(dir, `${dir}-away`), code: 'model_missing', message: /cannot be read \(ENOENT\)/ },
]

for (const { what, spoil, code, message } of spoilt) {
  test(`a model is refused when ${what}`, async (t) => {
    const dir = path.join(await makeFolder(t), 'model')
    await writeModel(dir, { manifest, files })
    await spoil(dir)
    await assertRefused(() => readModel(dir), code, message)
  })
}

test('a model that is larger than the reader allows is not read', async (t) => {
  const dir = path.join(await makeFolder(t), 'model')
  await writeModel(dir, { manifest, files })
  await assertRefused(() => readModel(dir, { maxModelBytes: 12 }), 'file_too_large', /13 bytes together; at most 12/)
})

test('a manifest that is not whole or contradicts itself is refused by the name of what is wrong', () => {
  const whole = { ...manifest, schema_version: 1, files: [{ path: 'f', sha256: '0'.repeat(64), bytes: 1 }] }
  const wrong: [object, RegExp][] = [
    [{ schema_version: 2, kind: 'magic' }, /schema_version is 2; this release reads 1\. Use the release that wrote the model/],
    [{ name: '../escape' }, /name/],
    [{ version: '..' }, /version/],
    [{ kind: 'magic' }, /kind is "magic"; this release knows rul, life, /],
    [{ files: [{ path: '../f', sha256: '0'.repeat(64), bytes: 1 }] }, /files\.0\.path/],
    [{ files: [whole.files[0], whole.files[0]] }, /one file twice/],
    [{ files: [{ path: 'manifest.json', sha256: '0'.repeat(64), bytes: 1 }] }, /itself/],
    [{ metrics: { rmse: Number.NaN } }, /metrics/],
    [{ features: ['a', 'a'], golden_rows: [{ features: [1, 1], output: [1] }] }, /one feature twice/],
    [{ golden_rows: [] }, /golden_rows is empty/],
    [{ golden_rows: [{ features: [1], output: [1] }] }, /golden_rows\.0 has 1 features where the model takes 2/],
    [{ outputs: ['days', 'low'] }, /golden_rows\.0 has 1 outputs where 2 are expected/],
    [{ created_at: 'yesterday' }, /created_at/],
  ]
  assert.doesNotThrow(() => checkManifest(whole))
  for (const [change, message] of wrong) {
    assert.throws(() => checkManifest({ ...whole, ...change }), { name: 'ModelError', code: 'manifest_invalid', message }, String(message))
  }
  for (const value of [null, 5, 'x', []]) assert.throws(() => checkManifest(value), { name: 'ModelError' })
})

test('golden rows hold a model to its answers, missing values included', async () => {
  const whole = checkManifest({ ...manifest, schema_version: 1, files: [{ path: 'f', sha256: '0'.repeat(64), bytes: 1 }] })
  await checkGoldenRows(whole, (rows) => rows.map((row) => [row[0] === 1 && Number.isNaN(row[1]) ? 0.3 : 0]))
  for (const answer of [[0.3001], [Number.NaN], [], [0.3, 0.3]]) {
    await assertRefused(() => checkGoldenRows(whole, () => [answer]), 'golden_rows_differ', /golden row 0 is answered with/)
  }
})
