// Goal: what an operator is promised about models, licences, pressure and stops is true from outside. Method: the process itself, over sockets
// and signals.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { issueLicense } from './license/license.ts'
import { writeClassifier } from './models/testing-models.ts'
import { postPatiently, runEngine, until } from './testing-process.ts'

const TIMEOUT_MS = 600_000
const VEHICLE = { vehicleId: 'V-1', coolant: 90 }

async function makeModelsDir(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'engine-models-'))
  // A test that failed may still write there. Were this clean-up to fail, node:test would leave out the next, which ends the engine, and wait for it for ever.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  return folder
}

async function putBrokenModel(modelsDir: string, name: string): Promise<void> {
  const dir = path.join(modelsDir, name, '1.0.0')
  await mkdir(dir, { recursive: true })
  await writeFile(path.join(dir, 'manifest.json'), '{"schema_version":')
}

test('given a folder without models it is live, not ready, and answers predictions with 503 models_not_loaded', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const engine = await runEngine(t, ['--models-dir', await makeModelsDir(t)])
  assert.equal((await engine.get('/livez')).status, 200)
  assert.deepEqual([(await engine.get('/readyz')).status, (await engine.get('/v2/health/ready')).status], [503, 503])
  const { body: health } = await engine.get('/v1/health')
  assert.deepEqual([health['status'], health['models_loaded'], health['models_count']], ['healthy', false, 0])
  for (const [route, body] of [
    ['/v1/predict', VEHICLE],
    ['/v1/predict/batch', { vehicles: [VEHICLE] }],
  ] as const) {
    const { status, headers, body: answer } = await engine.post(route, body)
    assert.deepEqual([status, answer.error?.code, headers.get('retry-after')], [503, 'models_not_loaded', '1'])
  }
  assert.equal((await engine.get('/v1/schema/input')).status, 200)
})

test('SIGHUP makes it look at its models, and polling does so by itself', { timeout: TIMEOUT_MS }, async (t) => {
  const modelsDir = await makeModelsDir(t)
  const engine = await runEngine(t, ['--models-dir', modelsDir, '--models-poll-interval-s', '0'])
  const polling = await runEngine(t, ['--models-dir', modelsDir, '--models-poll-interval-s', '1'])
  await putBrokenModel(modelsDir, 'broken')
  await until(polling, '/v1/models', ({ body }) => JSON.stringify(body).includes('broken/1.0.0/manifest.json is not JSON'))
  assert.doesNotMatch(JSON.stringify((await engine.get('/v1/models')).body), /broken/, 'without a signal it does not look')
  engine.child.kill('SIGHUP')
  const { body } = await until(engine, '/v1/models', (answer) => JSON.stringify(answer.body).includes('broken'))
  const broken = (body['models'] as Record<string, unknown>[]).find(({ name }) => name === 'broken')
  assert.deepEqual([broken?.['status'], broken?.['version']], ['failed', '1.0.0'])
  assert.match((await engine.get('/metrics')).body['text'] as string, /^engine_model_reloads_total\{outcome="refused"\} 1$/m)
  engine.child.kill('SIGTERM')
  assert.deepEqual(await engine.exited, [0, null])
})

test('under load a newer model takes over on SIGHUP, a spoilt one does not, and no request fails or is answered by two', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const modelsDir = await makeModelsDir(t)
  const probabilities: Readonly<Record<string, number>> = { '1.0.0': 0.1, '1.1.0': 0.2, '1.2.0': 0.4, '1.3.0': 0.8 }
  const write = (version: string) => writeClassifier(modelsDir, { version, probability: probabilities[version] ?? 0 })
  await write('1.0.0')
  const engine = await runEngine(t, ['--models-dir', modelsDir, '--models-poll-interval-s', '0', '--log-level', 'warn'])
  const rowCount = 100
  const rows = { name: 'features', shape: [rowCount, 2], datatype: 'FP64', data: Array.from({ length: rowCount * 2 }, () => 1) }
  let isDone = false
  const answered = new Map<string, number>()
  const callers = Array.from({ length: 4 }, async () => {
    while (!isDone) {
      const { status, body } = await engine.post('/v2/models/failure/infer', { inputs: [rows] })
      // Refused for the sake of a machine that is busy with other tests, as a caller may be.
      if (status === 503 && String(body.error).startsWith('overloaded: ')) continue
      assert.equal(status, 200, JSON.stringify(body))
      const { model_version: version, outputs } = body as unknown as { model_version: string; outputs: { data: number[] }[] }
      const expected = probabilities[version] ?? Number.NaN
      assert.ok(
        outputs[0]?.data.length === rowCount && outputs[0].data.every((value) => Math.abs(value - expected) < 1e-9),
        `${version} ${JSON.stringify(outputs)}`,
      )
      answered.set(version, (answered.get(version) ?? 0) + 1)
    }
  })
  const modelOf = (body: Record<string, unknown>) =>
    (body['models'] as { name: string; version: string; status: string; reason?: string }[]).find(({ name }) => name === 'failure')
  // On a machine with much to do the first of them are refused.
  await until(engine, '/livez', () => answered.has('1.0.0'))
  for (const [version, isSpoilt] of [
    ['1.1.0', false],
    ['1.2.0', true],
    ['1.3.0', false],
  ] as const) {
    const before = modelOf((await engine.get('/v1/models')).body)
    await write(version)
    if (isSpoilt) await appendFile(path.join(modelsDir, 'failure', version, 'forest.json'), ' ')
    engine.child.kill('SIGHUP')
    const { body } = await until(engine, '/v1/models', (answer) => {
      const now = modelOf(answer.body)
      return isSpoilt ? now?.status === 'kept' : now?.version === version
    })
    if (isSpoilt) assert.equal(modelOf(body)?.version, before?.version)
    if (isSpoilt) assert.match(modelOf(body)?.reason ?? '', /^Version 1\.2\.0 was refused: failure\/1\.2\.0\/forest\.json has/)
    const servedNow = modelOf(body)?.version ?? ''
    const seen = answered.get(servedNow) ?? 0
    await until(engine, '/livez', () => (answered.get(servedNow) ?? 0) > seen)
  }
  isDone = true
  await Promise.all(callers)
  assert.deepEqual([...answered.keys()].sort(), ['1.0.0', '1.1.0', '1.3.0'])
  assert.equal((await engine.get('/v1/health')).body['models_count'], 5)
})

test('on SIGTERM what is under way is answered, and what begins then is 503 draining', { timeout: TIMEOUT_MS }, async (t) => {
  const engine = await runEngine(t, [])
  const { child, exited, url } = engine
  assert.equal((await postPatiently(engine, '/v1/predict', VEHICLE)).status, 200)
  const open = () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    t.after(() => socket.destroy())
    return socket
  }
  const body = JSON.stringify(VEHICLE)
  const head = `POST /v1/predict HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const beginning = open()
  beginning.write(head)
  const inference = open()
  inference.write(head.replace('/v1/predict', '/v2/models/any/infer'))
  const underWay = open()
  underWay.write(`${head}\r\n{`)
  // A body that has begun is open, in the length that it was declared with; connections are accepted in their order.
  const isOpen = new RegExp(`^engine_open_body_bytes ${body.length}$`, 'm')
  await until(engine, '/metrics', (answer) => isOpen.test(String(answer.body['text'])))
  child.kill('SIGTERM')
  await new Promise<void>((resolve) => child.stderr.on('data', (chunk) => String(chunk).includes('"stopping"') && resolve()))
  beginning.write(`\r\n${body}`)
  inference.write(`\r\n${body}`)
  const [refused] = (await once(beginning, 'data')) as [Buffer]
  assert.match(refused.toString(), /^HTTP\/1\.1 503 [\s\S]*retry-after: 1[\s\S]*"code":"draining"/i)
  const [refusedInference] = (await once(inference, 'data')) as [Buffer]
  assert.match(refusedInference.toString(), /^HTTP\/1\.1 503 [\s\S]*\{"error":"draining: /)
  underWay.write(body.slice(1))
  const [answer] = (await once(underWay, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
  assert.deepEqual(await exited, [0, null])
})

test('metrics are those of Prometheus, and name no vehicle', { timeout: TIMEOUT_MS }, async (t) => {
  const engine = await runEngine(t, [])
  await postPatiently(engine, '/v1/predict', { vehicleId: 'SECRET-TRUCK' })
  const { headers, body } = await engine.get('/metrics')
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const text = String(body['text'])
  for (const line of [
    /^engine_build_info\{version="2\.0\.0",commit="(?:[0-9a-f]{40}|unknown)"\} 1$/m,
    /^engine_predictions_total 1$/m,
    /^fleet_models_loaded [1-9]\d*$/m,
    /^engine_ready 1$/m,
    /^engine_open_body_bytes 0$/m,
    /^http_request_duration_seconds_count\{method="POST",route="\/v1\/predict",status="200"\} 1$/m,
    /^process_resident_memory_bytes \d+$/m,
  ]) {
    assert.match(text, line)
  }
  assert.doesNotMatch(text, /SECRET-TRUCK|engine_license_expiry_timestamp_seconds \d/)
})

test('byol answers predictions under a good licence only, reports what is wrong with another, and stays open to probes', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = (key: typeof privateKey) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const trusted = { ENGINE_LICENSE_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }
  const licence = (days: number, graceDays: number, key = privateKey) => {
    const at = (dayCount: number) => new Date(Date.now() + dayCount * 86_400_000).toISOString()
    const facts = { id: 'l', licensee: 'North Fleet', issued_at: at(Math.min(0, days) - 1), expires_at: at(days), grace_days: graceDays }
    return issueLicense(facts, pem(key))
  }
  const cases: [state: string, status: 200 | 503, env: Record<string, string>, message: RegExp][] = [
    ['missing', 503, {}, /No licence is set/],
    ['malformed', 503, { ENGINE_LICENSE_KEY: 'letmein' }, /not whole/],
    ['forged', 503, { ENGINE_LICENSE_KEY: licence(30, 0, generateKeyPairSync('ed25519').privateKey) }, /forged or was changed/],
    ['expired', 503, { ENGINE_LICENSE_KEY: licence(-10, 5) }, /expired on .*5 days of grace ended/],
    ['grace', 200, { ENGINE_LICENSE_KEY: licence(-10, 14) }, /expired on .*goes on until/],
    ['valid', 200, { ENGINE_LICENSE_KEY: licence(30, 0) }, /runs until/],
  ]
  for (const [state, status, env, message] of cases) {
    const engine = await runEngine(t, ['--edition', 'byol', '--log-level', 'fatal'], { ...trusted, ...env })
    for (const [route, body] of [
      ['/v1/predict', VEHICLE],
      ['/v1/predict/batch', { vehicles: [VEHICLE] }],
    ] as const) {
      const answer = await postPatiently(engine, route, body)
      assert.equal(answer.status, status, state)
      if (status === 503) assert.equal(answer.body.error?.code, 'license_invalid')
      if (status === 503) assert.match(answer.body.error?.message ?? '', message)
    }
    const inferred = await postPatiently(engine, '/v2/models/any/infer', {})
    assert.equal(inferred.status, status === 503 ? 503 : 404)
    if (status === 503) assert.match(String(inferred.body.error), /^license_invalid: /)
    for (const probe of ['/livez', '/readyz', '/metrics', '/v2/health/live', '/v1/models', '/v1/schema/input']) {
      assert.equal((await engine.get(probe)).status, 200, `${state} ${probe}`)
    }
    const { license } = (await engine.get('/v1/health')).body as { license: { status: string; message: string } }
    assert.equal(license.status, state)
    assert.match(license.message, message)
    engine.child.kill('SIGTERM')
    await engine.exited
  }
})
