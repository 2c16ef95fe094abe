// Goal: whatever the engine does, a caller learns one of three things: the answer, that it is away, or that it answered nonsense.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { EngineFault } from './engine-answer.ts'
import { createEngineClient } from './engine-client.ts'
import { type Fault, fakePrediction, startFakeEngine } from './test-engine.ts'

/** For an engine that answers: on a busy machine, too, before the client gives it up. */
const patient = { random: () => 0, retryDelayMs: 1 }
/** For an engine that does not; long enough that it is asked before that. */
const quick = { ...patient, singleTimeoutMs: 1_000, batchTimeoutMs: 1_000 }

const isAway = (error: unknown) => error instanceof Problem && error.code === 'unavailable' && error.retryAfterS !== undefined

test('a prediction comes back, single and in a batch in the order asked', async (t) => {
  const engine = await startFakeEngine()
  t.after(engine.stop)
  const client = createEngineClient({ engineUrl: `${engine.url}/`, ...patient })
  const single = await client.predict({ vehicleId: 'veh-1', coolant: 120 })
  assert.equal(single.kind === 'prediction' && single.prediction.alerts[0]?.severity, 'critical')
  const batch = await client.predictBatch([{ vehicleId: 'veh-2' }, { vehicleId: 'refuse-3' }, { vehicleId: 'veh-4' }])
  assert.deepEqual(
    batch.map((answer) => (answer.kind === 'prediction' ? answer.prediction.vehicleId : answer.code)),
    ['veh-2', 'invalid_input', 'veh-4'],
  )
  assert.equal(await client.isHealthy(), true)
})

test('a proxy in front of the engine gets the key, and one that refuses it is named, at once', async (t) => {
  const engine = await startFakeEngine()
  t.after(engine.stop)
  const seen: (string | undefined)[] = []
  const proxy = createServer(async (request, response) => {
    const { authorization } = request.headers
    seen.push(authorization)
    if (authorization !== 'Bearer of-the-proxy') return response.writeHead(401).end('<html>')
    const body = request.method === 'GET' ? {} : { body: await text(request), method: 'POST' }
    const answered = await fetch(`${engine.url}${request.url}`, body)
    return response.writeHead(answered.status).end(await answered.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  const engineUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const client = createEngineClient({ engineUrl, engineKey: 'of-the-proxy', ...patient })
  assert.equal((await client.predict({ vehicleId: 'veh-1' })).kind, 'prediction')
  assert.equal((await client.predictBatch([{ vehicleId: 'veh-1' }])).length, 1)
  assert.deepEqual((await client.models()).models, [])
  assert.equal(await client.isHealthy(), true)
  for (const engineKey of [undefined, 'guessed']) {
    const stranger = createEngineClient({ engineUrl, engineKey, ...patient })
    seen.length = 0
    await assert.rejects(
      stranger.predict({ vehicleId: 'veh-1' }),
      (error) => error instanceof EngineFault && /401.*ENGINE_KEY/.test(error.message),
    )
    assert.equal(seen.length, 1, 'it is not asked again')
    assert.equal(await stranger.isHealthy(), false)
  }
})

test('an engine that hangs up, is busy or is slow once is asked again', async (t) => {
  const engine = await startFakeEngine()
  t.after(engine.stop)
  const client = createEngineClient({ engineUrl: engine.url, ...patient, singleTimeoutMs: 1_000 })
  const faults: Fault[] = ['hang up', 'never answer', { status: 503 }, { status: 502, body: '<html>' }]
  for (const fault of faults) {
    let left = 1
    engine.fault = () => (left-- > 0 ? fault : undefined)
    const answer = await client.predict({ vehicleId: 'veh-1' })
    assert.equal(answer.kind, 'prediction', JSON.stringify(fault))
  }
})

test('an engine that stays away is an outage after three attempts, and nothing hangs', async (t) => {
  const engine = await startFakeEngine()
  const client = createEngineClient({ engineUrl: engine.url, ...patient })
  for (const fault of ['hang up', 'never answer', { status: 503 }, { status: 429 }] satisfies Fault[]) {
    engine.fault = () => fault
    engine.requestCount = 0
    const asked = fault === 'never answer' ? createEngineClient({ engineUrl: engine.url, ...quick }) : client
    await assert.rejects(asked.predict({ vehicleId: 'veh-1' }), isAway)
    assert.equal(engine.requestCount, 3)
  }
  await engine.stop()
  t.diagnostic('nothing listens any more')
  await assert.rejects(client.predictBatch([{ vehicleId: 'veh-1' }]), isAway)
  assert.equal(await client.isHealthy(), false)
})

test('an engine that is away is named in the log with what is wrong, and callers learn neither', async (t) => {
  const engine = await startFakeEngine()
  t.after(engine.stop)
  const look = async (engineUrl: string, patience: Partial<typeof quick> = patient) => {
    const lines: string[] = []
    const log = createLogger('error', { write: (line) => lines.push(line) })
    const client = createEngineClient({ engineUrl, ...patient, ...patience })
    await assert.rejects(client.predict({ vehicleId: 'veh-1' }), (error: Problem) => {
      assert.equal(error.message, 'The prediction engine is away or busy. Try again.')
      assert.equal(error.details, undefined)
      log.error({ err: error }, 'scoring waits')
      return isAway(error)
    })
    return (JSON.parse(lines.at(-1) ?? '{}') as { err: { message: string } }).err.message
  }
  engine.fault = () => ({ status: 503 })
  assert.match(await look(engine.url), new RegExp(`: ${engine.url}/v1/predict answered with HTTP 503$`))
  engine.fault = () => 'never answer'
  assert.match(await look(engine.url, quick), /\/v1\/predict does not answer: .*timeout/)
  assert.match(await look('http://engine.invalid:8090'), /http:\/\/engine\.invalid:8090\/v1\/predict does not answer: .*engine\.invalid/)
})

test('nonsense is a fault and is not asked for again', async (t) => {
  const engine = await startFakeEngine()
  t.after(engine.stop)
  const client = createEngineClient({ engineUrl: engine.url, ...patient })
  const good = fakePrediction({ vehicleId: 'veh-1' }) as { predictions: object }
  const nonsense: [string, Fault][] = [
    ['not JSON', { status: 200, body: 'hello' }],
    ['not a prediction', { status: 200, body: '{}' }],
    ['another vehicle', { status: 200, body: JSON.stringify({ ...good, vehicleId: 'veh-2' }) }],
    ['score out of range', { status: 200, body: JSON.stringify({ ...good, predictions: { ...good.predictions, healthScore: 101 } }) }],
    ['an error of its own', { status: 500 }],
  ]
  for (const [name, fault] of nonsense) {
    engine.fault = () => fault
    engine.requestCount = 0
    await assert.rejects(client.predict({ vehicleId: 'veh-1' }), EngineFault, name)
    assert.equal(engine.requestCount, 1, name)
  }
  engine.fault = () => ({ status: 200, body: JSON.stringify({ predictions: [good] }) })
  await assert.rejects(client.predictBatch([{ vehicleId: 'veh-1' }, { vehicleId: 'veh-1' }]), EngineFault)
})

test('an answer that does not end is a fault, and its connection is closed', async (t) => {
  const closed = Promise.withResolvers<void>()
  const part = Buffer.alloc(65_536, ' ')
  const endless = createServer((_request, response) => {
    response.once('close', closed.resolve)
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = () => {
      while (!response.destroyed && response.write(part));
      response.once('drain', write)
    }
    write()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  t.after(() => endless.close())
  const client = createEngineClient({ engineUrl: `http://127.0.0.1:${(endless.address() as AddressInfo).port}`, ...patient })
  const isTooLong = (error: unknown) => error instanceof EngineFault && /more than 1048576 bytes/.test(error.message)
  await assert.rejects(client.predict({ vehicleId: 'veh-1' }), isTooLong)
  await assert.rejects(client.models(), isTooLong)
  assert.equal(await client.isHealthy(), false)
  await closed.promise
  const many = Array.from({ length: 20 }, (_, nth) => ({ vehicleId: `veh-${nth}` }))
  await assert.rejects(client.predictBatch(many), (error) => error instanceof EngineFault && /more than 1310720 bytes/.test(error.message))
})

test('an aborted call ends at once with its reason', async (t) => {
  const engine = await startFakeEngine()
  t.after(engine.stop)
  engine.fault = () => 'never answer'
  const client = createEngineClient({ engineUrl: engine.url, ...quick, singleTimeoutMs: 60_000 })
  const stop = new AbortController()
  engine.beforeAnswer = async () => stop.abort(new Error('stopping'))
  await assert.rejects(client.predict({ vehicleId: 'veh-1' }, stop.signal), /stopping/)
})
