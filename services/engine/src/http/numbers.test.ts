import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineModel } from '@roadworthy/contracts/engine-v1/status'
import { startEngine } from './testing-engine.ts'

test('every number that knowledge judges by is listed with its unit, its origin and its source', async (t) => {
  const { get } = await startEngine(t)
  const { models } = (await get('/v1/models')).body as { models: EngineModel[] }
  assert.ok(models.every(({ numbers = [] }) => numbers.length > 0))
  const numbers = models.flatMap((model) => model.numbers ?? [])
  const [hottest] = numbers.filter(({ name }) => name === 'band-rules.coolant_overheat.critical')
  assert.deepEqual([hottest?.value, hottest?.unit, hottest?.origin], [114, '°C', 'literature'])
  assert.match(hottest?.source ?? '', /Perkins 1200F/)
  assert.ok(numbers.some(({ name }) => name === 'suspect-units.SHOWN_IN_A_ROW'))
  const fromSeverity = numbers.find(({ name }) => name === 'prognose.probabilityBySeverity')
  assert.equal(fromSeverity?.origin, 'assumption')
  // A critical finding, 30 days: the prediction for nothing else.
  assert.equal((fromSeverity.value as Record<string, number>)['critical'], 0.999)
  for (const { numbers: rows = [], numbers_by_origin: counts = {} } of models) {
    for (const [origin, count] of Object.entries(counts)) assert.equal(rows.filter((row) => row.origin === origin).length, count)
    assert.equal(
      Object.values(counts).reduce((sum, count) => sum + count, 0),
      rows.length,
    )
  }
})
