// Goal: the models are shown as the engine describes them, and a reading that is tried is explained key by key and stored nowhere.
// Method: the routes over a database, with a stand-in for the engine; the answers of the real one have their own tests.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Model, TryAnswer } from '@roadworthy/contracts/platform-v1/models'
import { normalize } from '../../ingest/normalize.ts'
import { warningsOfOne } from '../../ingest/wire-warnings.ts'
import { platformSurface } from '../../surfaces/errors.ts'
import { errorOf, startTestSurface } from '../test-surface.ts'
import { createEngineClient } from './engine-client.ts'
import { modelPlatformRoutes } from './models.routes.platform-v1.ts'
import { startFakeEngine } from './test-engine.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z')
const window = { maxAgeMs: 30 * 86_400_000, maxAheadMs: 300_000 }

type T = { after(cleanUp: () => Promise<void>): void }

async function open(t: T) {
  const engine = await startFakeEngine()
  t.after(engine.stop)
  const clock = { nowMs: NOW_MS }
  const quota = { left: 100, metered: [] as (string | undefined)[] }
  const surface = await startTestSurface(t, platformSurface, [
    modelPlatformRoutes({
      engine: createEngineClient({ engineUrl: engine.url, random: () => 0, retryDelayMs: 1 }),
      now: () => new Date(clock.nowMs),
      readReading: (record, receivedAtMs) => {
        const { content, warnings } = normalize(record, receivedAtMs, window)
        return { content, warnings: warningsOfOne(warnings) ?? [] }
      },
      consumePredictionQuota: async (_resellerId, count, subClientId) => {
        if (quota.left < count) return 0
        quota.left -= count
        quota.metered.push(subClientId)
        return count
      },
    }),
  ])
  const attempt = (reading: unknown, caller = {}) =>
    surface.as({ resellerId: 'acme', ...caller }).post<TryAnswer & Record<string, unknown>>('/predictions/try', { reading })
  return { engine, clock, quota, surface, attempt }
}

test('models have their figures, and where their numbers come from', async (t) => {
  const { engine, surface } = await open(t)
  engine.models = {
    models: [
      {
        ...{ name: 'rules', type: 'rules', version: '2', status: 'serving', description: 'Bands', source: 'Makers', numbers: [{}] },
        ...{
          measured_at: '2026-11-23T06:11:36.409Z',
          measured_engine_hours: 19,
          fitted: {},
          numbers_by_origin: { data: 1, assumption: 2 },
        },
      },
    ],
  }
  const { status, body } = await surface.as({ resellerId: 'acme' }).get<{ models: Model[]; problem: string | null }>('/models')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    models: [
      {
        ...{ name: 'rules', type: 'rules', version: '2', status: 'serving', description: 'Bands', source: 'Makers', reason: null },
        ...{ measuredAt: '2026-11-23T06:11:36.409Z', metrics: { measured_engine_hours: 19 }, numbersByOrigin: { data: 1, assumption: 2 } },
      },
    ],
    problem: null,
  })
  engine.models = { models: [{ name: 'no version' }] }
  assert.equal((await surface.as({ resellerId: 'acme' }).get('/models')).status, 500)
})

test('each key of a reading is named with its unit and value, and what is unknown with the closest name', async (t) => {
  const { attempt, engine, quota } = await open(t)
  const reading = {
    oil_pressure: 40,
    coolnt_temp: 90,
    coolant: 118,
    battery_voltage: 99,
    red_stop_lamp: 'LAMP_ON',
    dtc: ['P0301'],
    lat: 49,
    lon: 8,
  }
  const { status, body } = await attempt(reading, { subClientPin: 'north' })
  assert.equal(status, 200, JSON.stringify(body))
  const byField = new Map(body.fields.map((each) => [each.field, each]))
  assert.deepEqual(byField.get('oil_pressure'), {
    ...{ field: 'oil_pressure', kind: 'signal', signal: 'Engine oil pressure', sentUnit: 'PSI', value: 275.79, unit: 'kPa', warning: null },
  })
  assert.match(byField.get('coolnt_temp')?.warning ?? '', /closest known name is "coolant_temp"/)
  assert.equal(byField.get('battery_voltage')?.warning, 'implausible')
  assert.deepEqual(
    ['coolnt_temp', 'red_stop_lamp', 'dtc', 'lat'].map((field) => byField.get(field)?.kind),
    ['unknown', 'lamp', 'fault codes', 'other'],
  )
  assert.deepEqual([engine.seen[0]?.coolant, engine.seen[0]?.['dtc_codes']], [118, ['P0301']])
  assert.deepEqual([body.prediction.healthStatus, body.prediction.findings[0]?.severity], ['critical', 'critical'])
  assert.deepEqual(quota.metered, ['north'])
})

test('what is no reading, too much, too often or beyond the quota is refused in words', async (t) => {
  const { attempt, engine, quota, clock } = await open(t)
  for (const reading of [[], 'text', { coolant: 'hot' }, Object.fromEntries(Array.from({ length: 201 }, (_, nth) => [`key${nth}`, nth]))]) {
    assert.equal((await attempt(reading)).status, 400, JSON.stringify(reading).slice(0, 40))
  }
  assert.equal((await attempt({ note: 'x'.repeat(70_000) })).status, 413)
  assert.equal(engine.seen.length, 0)
  quota.left = 0
  assert.equal(errorOf(await attempt({ coolant: 90 }))['code'], 'quota_exceeded')
  quota.left = 100
  clock.nowMs += 60_000
  const statuses: number[] = []
  for (let nth = 0; nth < 31; nth++) statuses.push((await attempt({ coolant: 90 })).status)
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [30, 429])
  assert.equal((await attempt({ coolant: 90 }, { resellerId: 'other' })).status, 200)
  clock.nowMs += 60_000
  assert.equal((await attempt({ coolant: 90 })).status, 200)
})

test('an engine that is away is 503, and costs nothing', async (t) => {
  const { attempt, engine, quota, surface } = await open(t)
  engine.fault = () => ({ status: 503 })
  assert.equal((await attempt({ coolant: 90 })).status, 503)
  assert.equal((await surface.as({ resellerId: 'acme' }).get('/models')).status, 503)
  assert.deepEqual(quota.metered, [])
})
