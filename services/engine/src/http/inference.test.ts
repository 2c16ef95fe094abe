// Goal: `/v2` is the Open Inference Protocol as KServe's clients speak it. Method: a registry over a real folder, through the receiver.
import assert from 'node:assert/strict'
import { appendFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fc } from '../../../../test/support/fast-check.ts'
import { createLicenseGate } from '../license/license-gate.ts'
import { writeLinear } from '../models/testing-models.ts'
import { startEngine, startWithLinear } from './testing-engine.ts'

const tensor = (change: object = {}) => ({
  inputs: [{ name: 'features', shape: [2, 2], datatype: 'FP64', data: [1, 2, 3, 4], ...change }],
})
const INFER = '/v2/models/linear/infer'

test('server, health and model metadata have the members of the protocol', async (t) => {
  const { get } = await startWithLinear(t)
  assert.deepEqual((await get('/v2')).body, { name: 'roadworthy', version: '2.0.0', extensions: ['binary_tensor_data'] })
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
  const { post } = await startWithLinear(t)
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
  const { post } = await startWithLinear(t)
  assert.deepEqual((await post(INFER, tensor({ data: [1, null, null, 4] }))).body.outputs[0].data, [2, 8])
  assert.deepEqual((await post(INFER, tensor({ data: [1.7e308, 1.7e308, 1, 1] }))).body.outputs[0].data, [null, 4])
})

/** JSON and bytes as one body, and how it is sent. */
const withBytes = (
  json: object,
  bytes: Buffer,
  { type = 'application/octet-stream', jsonLength }: { type?: string; jsonLength?: string } = {},
) => {
  const head = Buffer.from(JSON.stringify(json))
  return {
    method: 'POST' as const,
    url: INFER,
    payload: Buffer.concat([head, bytes]),
    headers: { 'content-type': type, 'inference-header-content-length': jsonLength ?? String(head.length) },
  }
}
const binaryTensor = (datatype: string, sizeBytes: number, change: object = {}) =>
  tensor({ datatype, data: undefined, parameters: { binary_data_size: sizeBytes }, ...change })

test('a tensor may come as bytes behind the JSON, in any kind of number, and none of them is a missing value', async (t) => {
  const { app } = await startWithLinear(t)
  const kinds: Record<string, Buffer> = {
    FP32: Buffer.from(new Float32Array([1, 2, 3, 4]).buffer),
    FP64: Buffer.from(new Float64Array([1, 2, 3, 4]).buffer),
    INT8: Buffer.from([1, 2, 3, 4]),
    INT16: Buffer.from(new Int16Array([1, 2, 3, 4]).buffer),
    INT32: Buffer.from(new Int32Array([1, 2, 3, 4]).buffer),
    INT64: Buffer.from(new BigInt64Array([1n, 2n, 3n, 4n]).buffer),
    UINT8: Buffer.from([1, 2, 3, 4]),
    UINT16: Buffer.from(new Uint16Array([1, 2, 3, 4]).buffer),
    UINT32: Buffer.from(new Uint32Array([1, 2, 3, 4]).buffer),
    UINT64: Buffer.from(new BigUint64Array([1n, 2n, 3n, 4n]).buffer),
  }
  for (const [datatype, bytes] of Object.entries(kinds)) {
    const answer = await app.inject(withBytes(binaryTensor(datatype, bytes.length), bytes))
    assert.deepEqual(answer.json().outputs[0].data, [6, 14], datatype)
  }
  const negative = Buffer.from(new Int16Array([-1, -2, -3, 4]).buffer)
  assert.deepEqual((await app.inject(withBytes(binaryTensor('INT16', 8), negative))).json().outputs[0].data, [-6, 2])
  const missing = Buffer.from(new Float64Array([1, Number.NaN, Number.NaN, 4]).buffer)
  assert.deepEqual((await app.inject(withBytes(binaryTensor('FP64', 32), missing))).json().outputs[0].data, [2, 8])
})

test('the header alone, and no type at all, are how clients send JSON too', async (t) => {
  const { app } = await startWithLinear(t)
  assert.deepEqual((await app.inject(withBytes(tensor(), Buffer.alloc(0)))).json().outputs[0].data, [6, 14])
  const untyped = await app.inject({ method: 'POST', url: INFER, payload: Buffer.from(JSON.stringify(tensor())), headers: {} })
  assert.deepEqual(untyped.json().outputs[0].data, [6, 14])
  const empty = await app.inject({ method: 'POST', url: INFER })
  assert.deepEqual([empty.statusCode, empty.json().error.split(':')[0]], [400, 'invalid_input'])
})

test('outputs come as bytes behind the JSON where that is asked for, of all of them or of one', async (t) => {
  const { app, post } = await startWithLinear(t)
  const headers = { 'content-type': 'application/json' }
  const wanted = (binary_data: boolean) => [{ name: 'sum', parameters: { binary_data } }]
  for (const asked of [
    { parameters: { binary_data_output: true } },
    { outputs: wanted(true) },
    { parameters: { binary_data_output: false }, outputs: wanted(true) },
  ]) {
    const answer = await app.inject({ method: 'POST', url: INFER, payload: { id: 'b', ...tensor(), ...asked }, headers })
    assert.equal(answer.headers['content-type'], 'application/octet-stream')
    const jsonLength = Number(answer.headers['inference-header-content-length'])
    assert.deepEqual(JSON.parse(answer.rawPayload.subarray(0, jsonLength).toString()), {
      model_name: 'linear',
      model_version: '1.0.0',
      id: 'b',
      outputs: [{ name: 'sum', shape: [2, 1], datatype: 'FP64', parameters: { binary_data_size: 16 } }],
    })
    const bytes = answer.rawPayload.subarray(jsonLength)
    assert.deepEqual([bytes.length, bytes.readDoubleLE(0), bytes.readDoubleLE(8)], [16, 6, 14])
  }
  const asJson = await post(INFER, { ...tensor(), parameters: { binary_data_output: true }, outputs: wanted(false) })
  assert.deepEqual(asJson.body.outputs[0].data, [6, 14])
  assert.equal(asJson.headers['inference-header-content-length'], undefined)
})

test('bytes that do not fit their description are refused by their place', async (t) => {
  const { app, post } = await startWithLinear(t)
  const four = Buffer.from(new Float64Array([1, 2, 3, 4]).buffer)
  const size = /binary_data_size is/
  const refused: [Parameters<typeof withBytes>, RegExp][] = [
    [[binaryTensor('FP64', 32), four.subarray(8)], /24 bytes follow the JSON where inputs\[0\]\.parameters\.binary_data_size is 32/],
    [[binaryTensor('FP64', 32), Buffer.concat([four, four])], /64 bytes follow/],
    [[binaryTensor('FP32', 32), four], /binary_data_size is 32; by shape and datatype it is 16/],
    [[binaryTensor('FP64', 32, { shape: [1, 2] }), four], size],
    [[binaryTensor('FP64', -32), four], size],
    [[tensor({ parameters: { binary_data_size: '32' }, data: undefined }), four], /binary_data_size is "32"/],
    [[binaryTensor('FP64', 32, { data: [1, 2, 3, 4] }), four], /data and binary_data_size/],
    [[tensor(), four], /32 bytes follow the JSON, but inputs\[0\] has no binary_data_size/],
    [[binaryTensor('BYTES', 32), four], /datatype is "BYTES"/],
    [[binaryTensor('FP64', 32), Buffer.from(new Float64Array([1, 2, 3, Number.POSITIVE_INFINITY]).buffer)], /Infinity in row 1, column 1/],
    [[binaryTensor('INT64', 32), Buffer.from(new BigInt64Array([1n, 2n, 3n, 2n ** 62n]).buffer)], /row 1, column 1/],
    [
      [binaryTensor('FP64', 32), four, { jsonLength: '9999' }],
      /Inference-Header-Content-Length is "9999"; it must be how many of the body's \d+ bytes/,
    ],
    [[binaryTensor('FP64', 32), four, { jsonLength: '-1' }], /Inference-Header-Content-Length is "-1"/],
    [[binaryTensor('FP64', 32), four, { jsonLength: '0' }], /Inference-Header-Content-Length is "0"/],
    [[binaryTensor('FP64', 32), four, { jsonLength: '0x10' }], /Inference-Header-Content-Length is "0x10"/],
    [[binaryTensor('FP64', 32), four, { jsonLength: '20' }], /not valid JSON/],
    [[{ ...tensor(), parameters: { binary_data_output: 'yes' } }, Buffer.alloc(0)], /parameters\.binary_data_output is "yes"/],
    [
      [{ ...tensor(), outputs: [{ name: 'sum', parameters: { binary_data: 1 } }] }, Buffer.alloc(0)],
      /outputs\[0\]\.parameters\.binary_data is 1/,
    ],
  ]
  for (const [request, message] of refused) {
    const answer = await app.inject(withBytes(...request))
    assert.equal(answer.statusCode, 400, String(message))
    assert.match(answer.json().error, message)
  }
  assert.match((await post(INFER, binaryTensor('FP64', 32))).body.error, /then the header Inference-Header-Content-Length must be/)
})

test('what does not fit the model is refused by its place, in the form of the protocol', async (t) => {
  const { post } = await startWithLinear(t)
  const refused: [unknown, RegExp][] = [
    [null, /body must be an object/],
    [[], /body must be an object/],
    [{}, /inputs must be an array of one tensor/],
    [{ inputs: [] }, /inputs must be/],
    [{ inputs: [tensor().inputs[0], tensor().inputs[0]] }, /inputs must be/],
    [{ ...tensor(), id: 7 }, /id must be a string/],
    [{ ...tensor(), outputs: [{ name: 'product' }] }, /outputs\[0\]\.name is "product"; there are sum/],
    [{ ...tensor(), outputs: [{ name: '🚚'.repeat(30) }] }, /🚚\ufffd…; there are sum/],
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
    [tensor({ data: [1, 2, 3] }), /data has 3 values where its shape needs 4/],
    [tensor({ data: [[1, 2]] }), /data has 1 rows where its shape needs 2/],
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
  const { post } = await startWithLinear(t)
  const anyJson = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constant({ toString: 1, valueOf: null }))
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

test('no bytes make it fail either, wherever the JSON is declared to end', async (t) => {
  const { app } = await startWithLinear(t)
  const size = fc.oneof(fc.constantFrom(4, 8, 16, 32), fc.jsonValue({ maxDepth: 1 }))
  const request = fc.record({
    datatype: fc.constantFrom('FP32', 'FP64', 'INT8', 'INT64', 'UINT64', 'BYTES'),
    size,
    bytes: fc.uint8Array({ maxLength: 40 }),
    jsonLength: fc.oneof(fc.constant(undefined), fc.nat(300).map(String), fc.string({ unit: 'grapheme-ascii', maxLength: 4 })),
    isBinaryWanted: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ datatype, size: binary_data_size, bytes, jsonLength, isBinaryWanted }) => {
      const json = tensor({ datatype, data: undefined, parameters: { binary_data_size } })
      const payload = { ...json, parameters: { binary_data_output: isBinaryWanted } }
      const { statusCode, rawPayload } = await app.inject(
        withBytes(payload, Buffer.from(bytes), jsonLength === undefined ? {} : { jsonLength }),
      )
      assert.ok(statusCode === 200 || statusCode === 400, `${statusCode} ${rawPayload}`)
    }),
    { numRuns: 400 },
  )
})

test('unknown models, versions, paths and methods are reported in the form of the protocol too', async (t) => {
  const { get, post, app } = await startWithLinear(t)
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
  assert.match((await get(`/v2/models/linear?x${encodeURIComponent('🚚'.repeat(40))}=1`)).body.error, /"x(🚚){31}\ufffd"/u)
  assert.match((await get(`/v2/models/${encodeURIComponent(`x${'🚚'.repeat(40)}`)}`)).body.error, /"x(🚚){31}\ufffd"/u)
  const broken = await app.inject({ method: 'POST', url: INFER, payload: '{', headers: { 'content-type': 'application/json' } })
  assert.match(broken.json().error, /^invalid_input: /)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const other = await app.inject({ method: 'POST', url: INFER, payload: JSON.stringify(tensor()), headers: { 'content-type': type } })
    assert.equal(other.statusCode, 415)
    assert.match(other.json().error, /^unsupported_media_type: Send the body as application\/json/)
  }
  // KServe's client shows no message of another type.
  assert.equal(broken.headers['content-type'], 'application/json')
})

test('what keeps /v1 from answering keeps /v2 from it as well', async (t) => {
  for (const [code, overrides] of [
    ['draining', { isDraining: () => true }],
    ['overloaded', { isOverloaded: () => true }],
    ['license_invalid', { license: createLicenseGate(undefined, undefined, () => 0) }],
  ] as const) {
    const { post, get } = await startWithLinear(t, overrides)
    const { status, body } = await post(INFER, tensor())
    assert.equal(status, 503)
    assert.match(body.error, new RegExp(`^${code}: `))
    assert.equal((await get('/v2/health/live')).status, 200)
    assert.equal((await get('/v2/health/ready')).status, code === 'draining' ? 503 : 200)
    assert.equal((await get('/v2/models/linear/ready')).status, code === 'draining' ? 503 : 200)
  }
})

test('a model that was refused is reported as not loaded, and the server is not ready while it has none', async (t) => {
  const { get, post, models, modelsDir } = await startWithLinear(t)
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
  const { post, models, modelsDir } = await startWithLinear(t)
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
  while (!seen.has('1.0.0')) await nextTurn()
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
