// Goal: what is served is always a model that proved itself, whatever happens to the folder. Method: a folder of small linear models, spoilt in
// every way; the models are of the kind `onnx` with a loader of the test's own, since the registry knows no kind.
import assert from 'node:assert/strict'
import { appendFile, chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { StoredModel } from '@roadworthy/model-store/read-model'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { loadBackend } from './load-backend.ts'
import { describeModels } from './model-set.ts'
import { createRegistry, type RegistryOptions } from './registry.ts'
import { linearBackend, writeClassifier, writeLinear } from './testing-models.ts'

const HOLDS_NONE = 'The folder of models holds none: a model lies in <name>/<version>/ of it, beside its manifest.json.'

async function openRegistry(t: TestContext, overrides: Partial<RegistryOptions> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'models-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const modelsDir = path.join(folder, 'models')
  await mkdir(modelsDir)
  const loads: string[] = []
  const outcomes: string[] = []
  const registry = createRegistry({
    modelsDir,
    isRequired: true,
    knowledge: [],
    loadBackend: (model: StoredModel) => {
      loads.push(`${model.manifest.name} ${model.manifest.version}`)
      return linearBackend(model)
    },
    log: createLogger('silent'),
    onReload: (outcome) => outcomes.push(outcome),
    ...overrides,
  })
  const served = () => Object.fromEntries([...registry.current().learned].map(([name, { manifest }]) => [name, manifest.version]))
  const reported = () =>
    describeModels(registry.current()).map(({ name, version, status, reason }) => [name, version, status, ...(reason ? [reason] : [])])
  const at = (...parts: string[]) => path.join(modelsDir, ...parts)
  return { registry, modelsDir, at, served, reported, loads, outcomes }
}

test('the newest version of each model is served, by number and not by text', async (t) => {
  const { registry, modelsDir, served } = await openRegistry(t)
  for (const version of ['1.9.0', '1.10.0', '1.10.0-rc.1']) await writeLinear(modelsDir, { version })
  await writeLinear(modelsDir, { name: 'other', version: '7' })
  await registry.refresh()
  assert.deepEqual(served(), { linear: '1.10.0', other: '7' })
})

test('a model that has not changed is not read again, and is when it is forced', async (t) => {
  const { registry, modelsDir, loads } = await openRegistry(t)
  await writeLinear(modelsDir, {})
  await registry.refresh()
  await registry.refresh()
  assert.deepEqual(loads, ['linear 1.0.0'])
  await registry.refresh({ force: true })
  assert.deepEqual(loads, ['linear 1.0.0', 'linear 1.0.0'])
})

test('a newer version takes over, and removing it brings the older one back', async (t) => {
  const { registry, modelsDir, at, served } = await openRegistry(t)
  await writeLinear(modelsDir, {})
  await registry.refresh()
  const before = registry.current()
  await writeLinear(modelsDir, { version: '1.1.0', factor: 3 })
  await registry.refresh()
  assert.deepEqual(served(), { linear: '1.1.0' })
  assert.equal(before.learned.get('linear')?.manifest.version, '1.0.0', 'who works with the old set goes on with it')
  await rm(at('linear', '1.1.0'), { recursive: true })
  await registry.refresh()
  assert.deepEqual(served(), { linear: '1.0.0' })
})

const spoilt: [what: string, spoil: (dir: string) => Promise<unknown>, reason: RegExp][] = [
  [
    'a file with another hash',
    (dir) => writeFile(path.join(dir, 'model.json'), '{"factor":9}'),
    /^Version 1\.1\.0 was refused: linear\/1\.1\.0\/model\.json has sha256/,
  ],
  ['a directory that is half written', (dir) => rm(path.join(dir, 'model.json')), /model\.json cannot be read \(ENOENT\)/],
  ['a directory without its manifest', (dir) => rm(path.join(dir, 'manifest.json')), /manifest\.json cannot be read/],
  ['a manifest cut short', (dir) => writeFile(path.join(dir, 'manifest.json'), '{"schema_version":1'), /is not JSON/],
  [
    'the folder of another version',
    async (dir) => rename(dir, path.join(path.dirname(dir), '1.2.0')),
    /its folder is linear\/1\.2\.0, but its manifest states linear\/1\.1\.0/,
  ],
]
for (const [what, spoil, reason] of spoilt) {
  test(`of ${what} nothing is served: the last good model stays, and why is reported`, async (t) => {
    const { registry, modelsDir, at, served, reported, outcomes } = await openRegistry(t)
    await writeLinear(modelsDir, {})
    await registry.refresh()
    await writeLinear(modelsDir, { version: '1.1.0', factor: 3 })
    await spoil(at('linear', '1.1.0'))
    await registry.refresh()
    await registry.refresh()
    assert.deepEqual(served(), { linear: '1.0.0' })
    const [[name, version, status, why] = []] = reported()
    assert.deepEqual([name, version, status], ['linear', '1.0.0', 'kept'])
    assert.match(String(why), reason)
    assert.doesNotMatch(String(why), /\/tmp|models-/, 'where the folder lies is nobody’s business')
    assert.deepEqual(outcomes, ['loaded', 'refused'], 'it is not tried again before it changes')
  })
}

test('golden rows that are answered otherwise keep a model from being served', async (t) => {
  const { registry, modelsDir, reported } = await openRegistry(t)
  await writeLinear(modelsDir, {})
  await registry.refresh()
  await writeLinear(modelsDir, { version: '2.0.0', factor: 2, golden: [{ features: [1, 1], output: [5] }] })
  await registry.refresh()
  assert.deepEqual(reported(), [
    ['linear', '1.0.0', 'kept', 'Version 2.0.0 was refused: golden row 0 is answered with [4] where the manifest states [5].'],
  ])
})

test('a model whose backend cannot be made, or names other outputs, is refused', async (t) => {
  const { registry, modelsDir, reported } = await openRegistry(t, {
    loadBackend: (model) => {
      if (model.manifest.name === 'a') throw new Error('this engine cannot run it.')
      return { ...linearBackend(model), outputs: ['something else'] }
    },
  })
  await writeLinear(modelsDir, { name: 'a' })
  await writeLinear(modelsDir, { name: 'b' })
  await registry.refresh()
  assert.deepEqual(reported(), [
    ['a', '1.0.0', 'failed', 'this engine cannot run it.'],
    ['b', '1.0.0', 'failed', 'its manifest names the outputs sum; the model gives something else.'],
  ])
  assert.equal(registry.current().lacksModels, true)
})

test('at the start the newest version that is whole is served, and the newer ones are reported', async (t) => {
  const { registry, modelsDir, at, reported, served } = await openRegistry(t)
  for (const version of ['1.0.0', '2.0.0', '3.0.0']) await writeLinear(modelsDir, { version })
  for (const version of ['2.0.0', '3.0.0']) await appendFile(at('linear', version, 'model.json'), ' ')
  await registry.refresh()
  assert.deepEqual(served(), { linear: '1.0.0' })
  assert.match(String(reported()[0]?.[3]), /^Version 3\.0\.0 was refused/)
  await rm(at('linear', '3.0.0'), { recursive: true })
  await registry.refresh()
  assert.match(String(reported()[0]?.[3]), /^Version 2\.0\.0 was refused/)
})

test('a served model that goes bad on disk is kept in memory rather than an older one brought back, and is repaired by new files', async (t) => {
  const { registry, modelsDir, at, served, reported } = await openRegistry(t)
  await writeLinear(modelsDir, { version: '1.0.0' })
  await writeLinear(modelsDir, { version: '1.1.0' })
  await registry.refresh()
  await appendFile(at('linear', '1.1.0', 'model.json'), 'x')
  for (const force of [false, true, false]) {
    await registry.refresh({ force })
    assert.deepEqual(served(), { linear: '1.1.0' })
    assert.equal(reported()[0]?.[2], 'kept')
  }
  await writeLinear(modelsDir, { version: '1.1.0', factor: 5 })
  await registry.refresh()
  assert.equal(reported()[0]?.[2], 'serving')
  assert.deepEqual(
    await registry
      .current()
      .learned.get('linear')
      ?.backend.scoreRows([Float64Array.of(1, 1)]),
    [[10]],
  )
})

test('a folder that goes away, or is empty all at once, takes no model with it', async (t) => {
  const { registry, modelsDir, reported } = await openRegistry(t)
  await writeLinear(modelsDir, {})
  await registry.refresh()
  await rename(modelsDir, `${modelsDir}-away`)
  await registry.refresh()
  assert.deepEqual(reported(), [['linear', '1.0.0', 'kept', 'The folder of models cannot be read (ENOENT).']])
  await mkdir(modelsDir)
  await registry.refresh()
  assert.deepEqual(reported(), [['linear', '1.0.0', 'kept', 'The folder of models holds none.']])
  await rm(modelsDir, { recursive: true })
  await rename(`${modelsDir}-away`, modelsDir)
  await registry.refresh()
  assert.deepEqual(reported(), [['linear', '1.0.0', 'serving']])
})

test('a folder that never held a model is reported as that, also where it is the folder of one model', async (t) => {
  const { registry, modelsDir, reported } = await openRegistry(t)
  await registry.refresh()
  const { lacksModels, unreadable } = registry.current()
  assert.deepEqual([lacksModels, unreadable, reported()], [true, HOLDS_NONE, []])
  await writeLinear(modelsDir, {})
  await registry.refresh()
  assert.equal(registry.current().unreadable, undefined)

  const tooLow = await openRegistry(t, { modelsDir: path.join(modelsDir, 'linear') })
  await tooLow.registry.refresh()
  assert.equal(tooLow.registry.current().unreadable, HOLDS_NONE)

  // One that nobody asked for may well be empty.
  const optional = await openRegistry(t, { isRequired: false })
  await optional.registry.refresh()
  assert.deepEqual([optional.registry.current().unreadable, optional.outcomes], [undefined, []])
})

/** As a service is run: who may not look into a folder cannot. Root may look into every one. */
async function withoutPrivileges(work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.('nobody')
  try {
    await work()
  } finally {
    process.seteuid?.(0)
  }
}

test('what may not be looked into, or is no folder, keeps nothing else from being served', async (t) => {
  const { registry, modelsDir, at, reported } = await openRegistry(t)
  await chmod(path.dirname(modelsDir), 0o755)
  for (const name of ['a', 'b']) await writeLinear(modelsDir, { name })
  await writeLinear(modelsDir, { name: 'b', version: '2.0.0' })
  await writeLinear(modelsDir, { name: 'c' })
  await mkdir(at('lost+found'))
  await symlink('itself', at('itself'))
  await symlink('9.0.0', at('a', '9.0.0'))
  const setModes = (mode: number, folders: string[][]) => Promise.all(folders.map((folder) => chmod(at(...folder), mode)))
  const lookWithClosed = async (...folders: string[][]) => {
    await setModes(0o000, folders)
    await withoutPrivileges(() => registry.refresh()).finally(() => setModes(0o755, folders))
  }
  await lookWithClosed(['lost+found'], ['b', '2.0.0'], ['c'])
  assert.deepEqual(reported(), [
    ['a', '1.0.0', 'serving'],
    ['b', '1.0.0', 'kept', 'Version 2.0.0 was refused: b/2.0.0/manifest.json cannot be read (EACCES).'],
    ['c', '', 'failed', 'Its folder cannot be read (EACCES).'],
  ])

  await lookWithClosed(['a'])
  assert.deepEqual(reported(), [
    ['a', '1.0.0', 'kept', 'Version 1.0.0 was refused: Its folder cannot be read (EACCES).'],
    ['b', '2.0.0', 'serving'],
    ['c', '1.0.0', 'serving'],
  ])
})

test('one model of too many versions is refused, and the others are served', async (t) => {
  const { registry, modelsDir, at, served, reported } = await openRegistry(t)
  await writeLinear(modelsDir, {})
  for (let version = 0; version <= 500; version++) await mkdir(at('many', `${version}`), { recursive: true })
  await registry.refresh()
  assert.deepEqual(served(), { linear: '1.0.0' })
  assert.deepEqual(reported().at(-1), ['many', '', 'failed', 'many holds 501 folders; at most 500 are read.'])
})

test('one of several models can be removed', async (t) => {
  const { registry, modelsDir, at, served } = await openRegistry(t)
  await writeLinear(modelsDir, { name: 'a' })
  await writeLinear(modelsDir, { name: 'b' })
  await registry.refresh()
  await rm(at('a'), { recursive: true })
  await registry.refresh()
  assert.deepEqual(served(), { b: '1.0.0' })
})

test('an engine that was given a folder lacks models until one is there; one that was given none never does', async (t) => {
  const { registry, modelsDir } = await openRegistry(t)
  await registry.refresh()
  assert.equal(registry.current().lacksModels, true)
  await writeLinear(modelsDir, {})
  await registry.refresh()
  assert.equal(registry.current().lacksModels, false)

  const optional = await openRegistry(t, { isRequired: false, modelsDir: '/nowhere/at/all' })
  await optional.registry.refresh()
  assert.equal(optional.registry.current().lacksModels, false)
  assert.deepEqual(optional.outcomes, [], 'that there are none is no failure')
})

test('linked folders are read, as Kubernetes mounts them; hidden ones and plain files are not', async (t) => {
  const { registry, modelsDir, at, served, reported } = await openRegistry(t)
  await writeLinear(path.join(modelsDir, '..', 'mounted'), { version: '3' })
  await symlink(path.join(modelsDir, '..', 'mounted', 'linear'), at('linear'))
  await writeLinear(at('.staged'), {})
  await writeFile(at('README.md'), 'text')
  await registry.refresh()
  assert.deepEqual(served(), { linear: '3' })
  assert.equal(reported().length, 1)
})

test('looks that are asked for while one is under way become one look after it, forced if any of them was', async (t) => {
  const { registry, modelsDir, loads } = await openRegistry(t)
  await writeLinear(modelsDir, {})
  const first = registry.refresh()
  const others = [registry.refresh(), registry.refresh({ force: true }), registry.refresh()]
  assert.equal(new Set(others).size, 1)
  await Promise.all([first, ...others])
  assert.deepEqual(loads, ['linear 1.0.0', 'linear 1.0.0'])
})

test('a trained classifier is served by the engine’s own loader; one whose manifest names other features is not', async (t) => {
  const { registry, modelsDir, reported } = await openRegistry(t, { loadBackend })
  await writeClassifier(modelsDir, { version: '1.0.0', probability: 0.25 })
  await registry.refresh()
  const [answer] =
    (await registry
      .current()
      .learned.get('failure')
      ?.backend.scoreRows([Float64Array.of(1, Number.NaN)])) ?? []
  assert.ok(Math.abs((answer?.[0] ?? 0) - 0.25) < 1e-12)
  await writeClassifier(modelsDir, { version: '1.1.0', probability: 0.5, features: ['b', 'a'] })
  await registry.refresh()
  assert.match(String(reported()[0]?.[3]), /feature 0 is "b" in its manifest and "a" in its files/)
})
