// Goal: an engine of several processes is one engine to whoever asks it, and to whoever runs it. Method: the real process, its workers found by
// their parent, requests over connections of their own, real signals.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '@roadworthy/service-kit/process/process-identity'
import { writeClassifier } from '../models/testing-models.ts'
import { type RunningEngine, runEngine, until } from '../testing-process.ts'
import { presetWorkers, thisMachine } from './preset-workers.ts'

const timeout = 600_000
const skip = process.platform === 'linux' ? false : 'workers are found in /proc'
/** Only what never comes takes that long: a machine may be slow, and run other tests beside. */
const PATIENCE_TURNS = 7_200
const TURN_MS = 25
/** Longer than a busy machine takes for an answer: after it, a call that was cut off is made again. */
const ANSWERED_WITHIN_MS = 5_000
const MOST_CALLS = 60

/** The processes that this one started. */
function workersOf({ child }: Pick<RunningEngine, 'child'>): number[] {
  const isWorker = (pid: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === child.pid
    } catch {
      // It ended meanwhile.
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isWorker(name))
    .map(Number)
}

async function comesTrue(what: string, isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < PATIENCE_TURNS && !isTrue(); turn++) await sleep(TURN_MS)
  assert.ok(isTrue(), what)
}

/** The ready line is there with the first of them; what a test kills or counts are all. */
async function runWorkers(t: TestContext, args: readonly string[]): Promise<RunningEngine> {
  const engine = await runEngine(t, ['--workers', '2', ...args])
  await until(engine, '/metrics', ({ body }) => metricOf(body['text'], 'engine_workers') === 2)
  return engine
}

/** Each over a connection of its own, so that they are dealt out. */
async function predict(engine: RunningEngine, input: object, count: number): Promise<number[]> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', connection: 'close' }, body: JSON.stringify(input) }
  const ask = async () => {
    const answer = await fetch(`${engine.url}/v1/predict`, init)
    await answer.arrayBuffer()
    return answer.status
  }
  return await Promise.all(Array.from({ length: count }, ask))
}

const metricOf = (text: unknown, line: string) => Number(new RegExp(`^${line} (\\S+)$`, 'm').exec(String(text))?.[1])

test('workers are one address, one ready line, and one count of what they did', { timeout, skip }, async (t) => {
  const engine = await runWorkers(t, ['--log-level', 'warn'])
  assert.deepEqual(new Set(await predict(engine, { vehicleId: 'V-1', coolant: 90 }, 10)), new Set([200]))
  assert.deepEqual(new Set(await predict(engine, { vehicleId: 'V-1', ect: 90 }, 6)), new Set([200]))
  const expected = { total_processed: 16, fully_standard: 10, required_mapping: 6, standard_compliance_rate: 62.5 }
  // Whichever of them is asked.
  for (let turn = 0; turn < 4; turn++) assert.deepEqual((await engine.get('/v1/schema/statistics')).body, expected)
  const { text } = (await engine.get('/metrics')).body
  assert.equal(metricOf(text, 'engine_predictions_total'), 16)
  assert.equal(metricOf(text, 'http_request_duration_seconds_count{method="POST",route="/v1/predict",status="200"}'), 16)
  assert.equal(metricOf(text, 'engine_build_info{version="2.0.0",commit="(?:[0-9a-f]{40}|unknown)"}'), 1)
  assert.equal(metricOf(text, 'engine_ready'), 1)
  assert.equal(engine.lines.length, 1)
})

/** As a caller does that repeats what was cut off: a connection that was just being handed to the victim gets no answer. */
async function predictPatiently({ url }: RunningEngine): Promise<number> {
  for (let turn = 0; ; turn++) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', connection: 'close' }, body: '{"vehicleId":"V-1"}' }
    const ask = async () => {
      const answer = await fetch(`${url}/v1/predict`, { ...init, signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) })
      await answer.arrayBuffer()
      return answer.status
    }
    const status = await ask().catch(() => undefined)
    if (status !== undefined || turn > MOST_CALLS) return status ?? 0
  }
}

test('without a setting it is a worker for each core', { timeout, skip }, async (t) => {
  const expected = presetWorkers(thisMachine())
  const engine = await runEngine(t, ['--log-level', 'warn'], { ENGINE_WORKERS: '' })
  await until(engine, '/metrics', ({ body }) => metricOf(body['text'], 'engine_workers') === expected)
  // A single process is no worker of its own.
  assert.equal(workersOf(engine).length, expected === 1 ? 0 : expected)
})

test('a stop while workers still start leaves none', { timeout, skip }, async (t) => {
  const engine = await runEngine(t, ['--workers', '3', '--log-level', 'silent'])
  const pids = workersOf(engine)
  assert.equal(pids.length, 3)
  engine.child.kill('SIGTERM')
  assert.deepEqual(await engine.exited, [0, null])
  assert.deepEqual(pids.filter(isAlive), [])
})

test('a worker that dies is replaced, and meanwhile the others answer', { timeout, skip }, async (t) => {
  const engine = await runWorkers(t, ['--log-level', 'silent'])
  const [victim = 0, other = 0] = workersOf(engine)
  process.kill(victim, 'SIGKILL')
  for (let nth = 0; nth < 4; nth++) assert.equal(await predictPatiently(engine), 200)
  await comesTrue('there are two again', () => workersOf(engine).filter((pid) => pid !== victim).length === 2)
  assert.ok(workersOf(engine).includes(other))
  const { status } = await engine.get('/v1/schema/statistics')
  assert.equal(status, 200)
})

test('SIGTERM ends them all in order, and so does the end of a parent', { timeout, skip }, async (t) => {
  const stopped = await runWorkers(t, ['--log-level', 'warn'])
  const orphaned = await runWorkers(t, ['--log-level', 'warn', '--exit-with-parent'])
  const pids = [...workersOf(stopped), ...workersOf(orphaned)]
  assert.equal(pids.length, 4)
  stopped.child.kill('SIGTERM')
  orphaned.child.stdin.end()
  assert.deepEqual(
    [await stopped.exited, await orphaned.exited],
    [
      [0, null],
      [0, null],
    ],
  )
  assert.deepEqual(pids.filter(isAlive), [])
})

test('a terminal’s interrupt, which reaches every process, is one stop', { timeout, skip }, async (t) => {
  const engine = await runWorkers(t, ['--log-level', 'warn'])
  const pids = workersOf(engine)
  for (const pid of [...pids, engine.child.pid ?? 0]) process.kill(pid, 'SIGINT')
  assert.deepEqual(await engine.exited, [0, null])
  assert.deepEqual(pids.filter(isAlive), [])
})

test('when the process that started them is killed they end by themselves', { timeout, skip }, async (t) => {
  const engine = await runWorkers(t, ['--log-level', 'silent'])
  const pids = workersOf(engine)
  engine.child.kill('SIGKILL')
  await comesTrue('they are gone', () => !pids.some(isAlive))
})

test('SIGHUP makes each of them read its models again', { timeout, skip }, async (t) => {
  const engine = await runWorkers(t, ['--log-level', 'silent'])
  const loaded = 'engine_model_reloads_total{outcome="loaded"}'
  assert.equal(metricOf((await engine.get('/metrics')).body['text'], loaded), 2)
  engine.child.kill('SIGHUP')
  await until(engine, '/metrics', ({ body }) => metricOf(body['text'], loaded) === 4)
})

test('without a signal they look at their folder too, as often as they are set to', { timeout, skip }, async (t) => {
  const modelsDir = await mkdtemp(path.join(tmpdir(), 'engine-models-'))
  t.after(() => rm(modelsDir, { recursive: true }))
  await writeClassifier(modelsDir, { version: '1.0.0', probability: 0.5 })
  const engine = await runWorkers(t, ['--models-dir', modelsDir, '--models-poll-interval-s', '1', '--log-level', 'silent'])
  await writeClassifier(modelsDir, { version: '1.1.0', probability: 0.5 })
  const loaded = 'engine_model_reloads_total{outcome="loaded"}'
  await until(engine, '/metrics', ({ body }) => metricOf(body['text'], loaded) === 4)
})
