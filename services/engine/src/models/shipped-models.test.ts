// The models that come with the engine load, answer as they were trained to, and judge real driving through the receiver.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEngine } from '../http/testing-engine.ts'
import { knowledgeModels } from './knowledge-models.ts'
import { loadBackend } from './load-backend.ts'
import { createRegistry } from './registry.ts'

const SHIPPED = join(import.meta.dirname, '../../../../models')

async function startWithShipped(t: Parameters<typeof startEngine>[0], modelsDir = SHIPPED) {
  const refused: unknown[] = []
  const log = { info: () => {}, warn: (...logged: unknown[]) => void refused.push(logged) }
  const models = createRegistry({ modelsDir, isRequired: true, knowledge: knowledgeModels, loadBackend, log })
  await models.refresh()
  return { ...(await startEngine(t, { models })), refused }
}

const S = 1000
const START_MS = Date.UTC(2026, 5, 1, 8)
/** One reading a second of a warm engine under way. */
const drive = (seconds: number, change: (second: number) => object) =>
  Array.from({ length: seconds }, (_, second) => ({
    timestamp: new Date(START_MS + second * S).toISOString(),
    engine_speed: 1900 + (second % 7) * 10,
    vehicleSpeed: 55 + (second % 5),
    coolant: 88,
    battery_voltage: 13.8,
    ...change(second),
  }))
const inputOf = (readings: readonly object[]) => ({ vehicleId: 'V-1', ...readings.at(-1), history: readings.slice(0, -1) })

test('the learned normal that is shipped is served, with its false-alarm rate in /v1/models', async (t) => {
  const { get, refused } = await startWithShipped(t)
  assert.deepEqual(refused, [])
  const { models } = (await get('/v1/models')).body
  const normal = models.find(({ type }: { type: string }) => type === 'normal')
  assert.equal(normal.status, 'serving')
  assert.equal(normal.expected_false_alarms_per_engine_hour, 0.12)
  assert.ok(normal.measured_engine_hours > 10)
  assert.ok(normal.measured_false_alarms_per_engine_hour <= 0.3)
})

test('of several learned normals the one that was made last is used, whatever its name, and the others report that', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'normals-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(SHIPPED, folder, { recursive: true })
  for (const [name, created_at] of [
    ['our-trucks', '2026-12-01T00:00:00.000Z'],
    ['a-first-try', '2025-01-01T00:00:00.000Z'],
  ] as const) {
    const copy = join(folder, name)
    cpSync(join(SHIPPED, 'driving-normal'), copy, { recursive: true })
    const manifest = join(copy, '1.0.0/manifest.json')
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), name, created_at }))
  }
  const { get, post, refused } = await startWithShipped(t, folder)
  assert.deepEqual(refused, [])
  assert.match((await post('/v1/predict', { vehicleId: 'V-1' })).body.modelVersion, /\+our-trucks-1\.0\.0$/)
  const { models } = (await get('/v1/models')).body
  const reasons = Object.fromEntries(models.map((model: { name: string; reason?: string }) => [model.name, model.reason]))
  assert.equal(reasons['our-trucks'], undefined)
  for (const unused of ['driving-normal', 'a-first-try']) assert.match(reasons[unused], /our-trucks, a learned normal that was made later/)
})

test('a warm engine whose coolant falls is unusual, one whose coolant stays is not', async (t) => {
  const { post } = await startWithShipped(t)
  const sound = (await post('/v1/predict', inputOf(drive(100, () => ({}))))).body
  assert.equal(sound.predictions.anomalyDetected, false)
  assert.ok(sound.predictions.anomalyScore < 0.9)
  assert.match(sound.modelVersion, /\+driving-normal-/)
  const falling = (await post('/v1/predict', inputOf(drive(100, (second) => ({ coolant: 92 - Math.max(0, second - 50) / 4 }))))).body
  assert.equal(falling.predictions.anomalyDetected, true)
  const alert = falling.alerts.find(({ type }: { type: string }) => type === 'unusual_reading')
  assert.equal(alert.component, 'cooling')
  assert.equal(alert.severity, 'info')
  assert.equal(alert.evidence.signal, 'coolant')
})

test('a truck, a car with a hotter thermostat and a vehicle that reports little are quiet', async (t) => {
  const { post } = await startWithShipped(t)
  const quiet = {
    truck: () => ({ battery_voltage: 27.9 }),
    'truck whose load is switched': (second: number) => ({ battery_voltage: second > 80 ? 27.1 : 28.3 }),
    'hotter thermostat': (second: number) => ({ coolant: 100 + (second % 3) / 2 }),
    'cooler thermostat': (second: number) => ({ coolant: 79 + Math.sin(second / 10) }),
    'higher charging voltage': (second: number) => ({ battery_voltage: 14.5 + (second % 3) / 10 }),
  }
  for (const [what, change] of Object.entries(quiet)) {
    const { body } = await post('/v1/predict', inputOf(drive(120, change)))
    assert.deepEqual([what, body.alerts, body.predictions.anomalyDetected], [what, [], false])
  }
  assert.equal((await post('/v1/predict', { vehicleId: 'V-1' })).body.predictions.anomalyDetected, false)
})
