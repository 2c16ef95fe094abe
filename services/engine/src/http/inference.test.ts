// Goal: `/v2` is the Open Inference Protocol as KServe's clients speak it. Method: a registry over a real folder, through the door.
import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLogger } from '@roadworthy/service-kit/log'
import fc from 'fast-check'
import { createLicenseGate } from '../license/license-gate.ts'
import { knowledgeModels } from '../models/knowledge-models.ts'
import { createRegistry } from '../models/registry.ts'
import { linearBackend, writeLinear } from '../models/testing-models.ts'
import type { EngineAppDeps } from './build-engine-app.ts'
import { startEngine } from './testing-engine.ts'

async function startWithModels(t: TestContext, overrides: Partial<EngineAppDeps> = {}) {
  const modelsDir = await mkdtemp(path.join(tmpdir(), 'inference-'))
  t.after(() => rm(modelsDir, { recursive: true }))
  await writeLinear(modelsDir, {})
  const models = createRegistry({
    modelsDir,
    isRequired: true,
    knowledge: knowledgeModels,
    loadBackend: linearBackend,
    log: createLogger('silent'),
  })
  await models.refresh()
  return { ...(await startEngine(t, { models, ...overrides })), models, modelsDir }
}

const tensor = (change: object = {}) => ({
  inputs: [{ name: 'features', shape: [2, 2], datatype: 'FP64', data: [1, 2, 3, 4], ...change }],
})
const INFER = '/v2/models/linear/infer'

test('server, health and model metadata have the members of the protocol', async (t) => {
  const { get } = await startWithModels(t)
  assert.deepEqual((await get('/v2')).body, { name: 'roadworthy', version: '2.0.0', extensions: [] })
  assert.deepEqual((await get('/v2/health/live')).body, { live: true })
  assert.deepEqual((await get('/v2/health/ready')).body, { ready: true })
  const metadata = {
    name: 'linear',
    versions: ['1.0.0'],
    platform: 'onnxruntime_onnx',
    inputs: [{ name: 'features', datatype: 'FP64', shape: [-1, 2] }],
    outputs: [{ name: 'sum', datatype: 'FP64', shape: [-1, 1] }],
    parameters: { features: ['a', 'b'], created_at: '2026-01-01T00:00:00.000Z' },
  }
  for (const model of ['/v2/models/linear', '/v2/models/linear/versions/1.0.0']) {
    assert.deepEqual((await get(model)).body, metadata)
    assert.deepEqual((await get(`${model}/ready`)).body, { name: 'linear', ready: true })
  }
})

test('rows are scored, flat or nested, in any kind of number, and the id comes back', async (t) => {
  const { post } = await startWithModels(t)
  const answer = {
    model_name: 'linear',
    model_version: '1.0.0',
    outputs: [{ name: 'sum', shape: [2, 1], datatype: 'FP64', data: [6, 14] }],
  }
  assert.deepEqual((await post(INFER, tensor())).body, answer)
  assert.deepEqual((await post('/v2/models/linear/versions/1.0.0/infer', tensor())).body, answer)
  const nested = { data: [[1, 2], [3, 4]] } // biome-ignore format: two rows
  assert.deepEqual((await post(INFER, { id: 'x-1', parameters: { any: 1 }, ...tensor(nested), outputs: [{ name: 'sum' }] })).body, {
    ...answer,
    id: 'x-1',
  })
  for (const datatype of ['FP32', 'INT8', 'INT16', 'INT32', 'INT64', 'UINT8', 'UINT16', 'UINT32', 'UINT64']) {
    assert.deepEqual((await post(INFER, tensor({ datatype }))).body, answer, datatype)
  }
})

test('null is a missing value on the way in, and what is no number on the way out', async (t) => {
  const { post } = await startWithModels(t)
  assert.deepEqual((await post(INFER, tensor({ data: [1, null, null, 4] }))).body.outputs[0].data, [2, 8])
  assert.deepEqual((await post(INFER, tensor({ data: [1.7e308, 1.7e308, 1, 1] }))).body.outputs[0].data, [null, 4])
})

test('what does not fit the model is refused by its place, in the form of the protocol', async (t) => {
  const { post } = await startWithModels(t)
  const refused: [unknown, RegExp][] = [
    [null, /body must be an object/],
    [[], /body must be an object/],
    [{}, /inputs must be an array of one tensor/],
    [{ inputs: [] }, /inputs must be/],
    [{ inputs: [tensor().inputs[0], tensor().inputs[0]] }, /inputs must be/],
    [{ ...tensor(), id: 7 }, /id must be a string/],
    [{ ...tensor(), outputs: [{ name: 'product' }] }, /outputs\[0\]\.name is "product"; there are sum/],
    [{ ...tensor(), outputs: [] }, /outputs must be/],
    [tensor({ name: 'x' }), /inputs\[0\]\.name is "x"/],
    [tensor({ name: undefined }), /inputs\[0\]\.name is missing/],
    [tensor({ datatype: 'BYTES' }), /inputs\[0\]\.datatype is "BYTES"; it must be one of FP32/],
    [tensor({ datatype: 'toString' }), /inputs\[0\]\.datatype is "toString"/],
    [tensor({ shape: [4] }), /inputs\[0\]\.shape is \[4\]; this model takes \[rows, 2\]/],
    [tensor({ shape: [1, 4] }), /takes \[rows, 2\]/],
    [tensor({ shape: [-1, 2] }), /whole numbers/],
    [tensor({ shape: [1e9, 2] }), /1000000000 rows; from 1 to 10000/],
    [tensor({ shape: [0, 2], data: [] }), /0 rows/],
    [tensor({ shape: [2.5, 2] }), /whole numbers/],
    [tensor({ data: [1, 2, 3] }), /data has 3 values where its shape says 4/],
    [tensor({ data: [[1, 2]] }), /data has 1 rows where its shape says 2/],
    [tensor({ data: [[1, 2], [3]] }), /1 values in row 1/], // biome-ignore format: one case a line
    [tensor({ data: 'AAAA' }), /data must be an array/],
    [tensor({ data: [1, 2, 3, '4'] }), /data has "4" in row 1, column 1/],
    [tensor({ data: [1, 2, 3, [4]] }), /data has \[4\] in row 1/],
    [JSON.stringify(tensor()).replace('[1,2,3,4]', '[1,2,3,1e999]'), /data has Infinity in row 1, column 1/],
    [tensor({ datatype: 'INT8', data: [1, 2, 3, 128] }), /data has 128 in row 1, column 1/],
    [tensor({ datatype: 'INT32', data: [1, 2, 3, 0.5] }), /data has 0\.5/],
    [tensor({ datatype: 'UINT8', data: [1, 2, 3, -1] }), /data has -1/],
    [tensor({ datatype: 'FP32', data: [1, 2, 3, 1e39] }), /data has 1e\+39/],
  ]
  for (const [payload, message] of refused) {
    const { status, body } = await post(INFER, payload)
    assert.equal(status, 400, JSON.stringify(payload))
    assert.deepEqual(Object.keys(body), ['error'])
    assert.match(body.error, /^invalid_input: /)
    assert.match(body.error, message)
  }
})

test('no body makes it fail: each is answered or refused', async (t) => {
  const { post } = await startWithModels(t)
  const anyJson = fc.jsonValue({ maxDepth: 4 })
  const change = fc.record(
    {
      name: fc.oneof(fc.constant('features'), anyJson),
      shape: fc.oneof(fc.array(fc.integer({ min: -2, max: 5 }), { maxLength: 4 }), anyJson),
      datatype: fc.oneof(fc.constantFrom('FP64', 'INT8', '__proto__', 'constructor'), anyJson),
      data: fc.oneof(fc.array(fc.oneof(fc.double(), fc.constant(null), fc.array(fc.integer())), { maxLength: 8 }), anyJson),
    },
    { requiredKeys: [] },
  )
  const more = fc.record({ id: anyJson, outputs: fc.array(fc.record({ name: anyJson })) }, { requiredKeys: [] })
  const body = fc.oneof(
    anyJson,
    fc.tuple(change, more).map(([changes, members]) => ({ ...tensor(changes), ...members })),
  )
  await fc.assert(
    fc.asyncProperty(body, async (payload) => {
      const { status, body: answer } = await post(INFER, payload)
      assert.ok(status === 200 || status === 400, `${status} ${JSON.stringify(answer)}`)
    }),
    { numRuns: 400 },
  )
})

test('unknown models, versions, paths and methods are told in the form of the protocol too', async (t) => {
  const { get, post, app } = await startWithModels(t)
  for (const [url, message] of [
    ['/v2/models/other', /not_found: There is no model "other"/],
    ['/v2/models/linear/versions/2', /served in version 1\.0\.0; there is no version "2"/],
    ['/v2/models/other/ready', /There is no model/],
    ['/v2/nothing', /not_found/],
  ] as const) {
    const { status, body } = await get(url)
    assert.equal(status, 404)
    assert.match(body.error, message)
  }
  assert.equal((await post('/v2/models/linear/versions/2/infer', tensor())).status, 404)
  const wrongMethod = await get(INFER)
  assert.deepEqual([wrongMethod.status, wrongMethod.headers['allow']], [405, 'POST'])
  assert.match((await get('/v2/models/linear?x=1')).body.error, /^invalid_input: There is no query parameter "x"/)
  const broken = await app.inject({ method: 'POST', url: INFER, payload: '{', headers: { 'content-type': 'application/json' } })
  assert.match(broken.json().error, /^invalid_input: /)
  const binary = await app.inject({ method: 'POST', url: INFER, payload: 'x', headers: { 'content-type': 'application/octet-stream' } })
  assert.equal(binary.statusCode, 415)
  assert.match(binary.json().error, /^unsupported_media_type: /)
})

test('what keeps /v1 from answering keeps /v2 from it as well', async (t) => {
  for (const [code, overrides] of [
    ['draining', { isDraining: () => true }],
    ['overloaded', { isOverloaded: () => true }],
    ['license_invalid', { license: createLicenseGate(undefined, undefined, () => 0) }],
  ] as const) {
    const { post, get } = await startWithModels(t, overrides)
    const { status, body } = await post(INFER, tensor())
    assert.equal(status, 503)
    assert.match(body.error, new RegExp(`^${code}: `))
    assert.equal((await get('/v2/health/live')).status, 200)
    assert.equal((await get('/v2/health/ready')).status, code === 'draining' ? 503 : 200)
    assert.equal((await get('/v2/models/linear/ready')).status, code === 'draining' ? 503 : 200)
  }
})

test('a model that was refused is told as not loaded, and the server is not ready while it has none', async (t) => {
  const { get, post, models, modelsDir } = await startWithModels(t)
  await mkdir(path.join(modelsDir, 'broken', '1'), { recursive: true })
  await appendFile(path.join(modelsDir, 'broken', '1', 'manifest.json'), '{')
  await models.refresh()
  const { status, body } = await post('/v2/models/broken/infer', tensor())
  assert.equal(status, 503)
  assert.match(body.error, /^models_not_loaded: Model "broken" could not be loaded: broken\/1\/manifest\.json is not JSON/)
  assert.equal((await get('/v2/models/broken/ready')).status, 503)

  const set = { ...models.current(), learned: new Map(), lacksModels: true }
  const without = await startEngine(t, { models: { current: () => set } })
  assert.equal((await without.get('/v2/health/ready')).status, 503)
  assert.match((await without.post(INFER, tensor())).body.error, /^models_not_loaded: /)
})

test('while models are swapped under load no request fails and no answer is of two models', async (t) => {
  const { post, models, modelsDir } = await startWithModels(t)
  const rowCount = 50
  const data = Array.from({ length: rowCount * 2 }, () => 1)
  const factors = new Map([['1.0.0', 2]])
  let isDone = false
  const seen = new Set<string>()
  const callers = Array.from({ length: 4 }, async () => {
    while (!isDone) {
      const { status, body } = await post(INFER, tensor({ shape: [rowCount, 2], data }))
      assert.equal(status, 200)
      const expected = 2 * (factors.get(body.model_version) ?? Number.NaN)
      assert.deepEqual(new Set(body.outputs[0].data), new Set([expected]), body.model_version)
      seen.add(body.model_version)
      await nextTurn()
    }
  })
  for (let swap = 1; swap <= 20; swap++) {
    const version = `1.${swap}.0`
    factors.set(version, 2 + swap)
    await writeLinear(modelsDir, { version, factor: 2 + swap })
    if (swap % 5 === 0) await appendFile(path.join(modelsDir, 'linear', version, 'model.json'), ' ')
    await models.refresh({ force: swap % 3 === 0 })
    const servedNow = models.current().learned.get('linear')?.manifest.version ?? ''
    assert.equal(servedNow, swap % 5 === 0 ? `1.${swap - 1}.0` : version)
    while (!seen.has(servedNow)) await nextTurn()
  }
  isDone = true
  await Promise.all(callers)
  assert.equal(seen.size, 17)
})
