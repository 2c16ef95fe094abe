// Goal: an engine that is asked for more than it can answer in time refuses what is too much, loses nothing that it took on, and recovers. Method: the process
// itself, under more batches each round until it has had enough. It takes both processors for 20 s, so it is one of the long tests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postPatiently, runEngine, until } from './testing-process.ts'

const TIMEOUT_MS = 600_000
const VEHICLE = { vehicleId: 'V-1', coolant: 90 }

test('under more than it can answer in time it answers overloaded, loses nothing it took on, and recovers', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const engine = await runEngine(t, ['--log-level', 'warn'])
  const history = Array.from({ length: 120 }, (_, i) => ({
    timestamp: new Date(i * 10_000).toISOString(),
    engine_speed: 1500,
    coolant: 90,
  }))
  const batch = { vehicles: Array.from({ length: 1000 }, (_, i) => ({ vehicleId: `V-${i}`, coolant: 90, history })) }
  const statuses = new Set<number>()
  const codes = new Set<string | undefined>()
  // How many it takes depends on the machine: twice as many are sent until it has had enough.
  for (let round = 0; round < 4 && !codes.has('overloaded'); round++) {
    const batches = Array.from({ length: 6 * 2 ** round }, () => engine.post('/v1/predict/batch', batch))
    const singles: Promise<{ status: number; body: { error?: { code: string } } }>[] = []
    let isDone = false
    const sending = Promise.all(batches).finally(() => {
      isDone = true
    })
    while (!isDone) {
      singles.push(engine.post('/v1/predict', VEHICLE))
      await Promise.race([sending, singles.at(-1)])
    }
    for (const { status, body } of [...(await sending), ...(await Promise.all(singles))]) {
      statuses.add(status)
      if (body.error !== undefined) codes.add(body.error.code)
    }
  }
  assert.deepEqual([...statuses].sort(), [200, 503])
  assert.deepEqual([...codes], ['overloaded'])
  await until(engine, '/livez', ({ status }) => status === 200)
  assert.equal((await postPatiently(engine, '/v1/predict', VEHICLE)).status, 200, 'it recovers')
  assert.match((await engine.get('/metrics')).body['text'] as string, /^engine_refused_total\{code="overloaded"\} [1-9]/m)
})
