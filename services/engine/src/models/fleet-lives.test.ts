// Goal: what a fleet has fitted to its own lives answers `/v1/predict` in the place of the prior, is reported, and leaves with its folder.
import assert from 'node:assert/strict'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLogger } from '@roadworthy/service-kit/telemetry/log'
import { startEngine } from '../http/testing-engine.ts'
import { knowledgeModels } from './knowledge-models.ts'
import { loadBackend } from './load-backend.ts'
import { createRegistry } from './registry.ts'
import { writeBrakesLife, writeLinear } from './testing-models.ts'

const VEHICLE = { vehicleId: 'V-1', obdDistance: 40_000, vehicleAge: 800 }

async function startWithModels(t: TestContext) {
  const modelsDir = await mkdtemp(path.join(tmpdir(), 'fleet-lives-'))
  t.after(() => rm(modelsDir, { recursive: true, force: true }))
  const log = createLogger('silent')
  const models = createRegistry({ modelsDir, isRequired: false, knowledge: knowledgeModels, loadBackend, log })
  const { get, post } = await startEngine(t, { models })
  const predicted = async () => {
    const { modelVersion, predictions } = (await post('/v1/predict', VEHICLE)).body
    return { modelVersion, ...predictions }
  }
  const modelNamed = async (name: string) => (await get('/v1/models')).body.models.find((model: { name: string }) => model.name === name)
  return { modelsDir, models, get, post, predicted, modelNamed }
}

test('remaining life, interval and probability of the component follow the fleet’s life; nothing else moves', async (t) => {
  const { modelsDir, models, predicted, modelNamed } = await startWithModels(t)
  const before = await predicted()
  assert.equal((await modelNamed('component-life')).fitted_lives, 0)
  await writeBrakesLife(modelsDir, { scaleKm: 20_000 })
  await models.refresh()
  const after = await predicted()
  assert.equal(after.modelVersion, `${before.modelVersion}+brakes-life-1.0.0`)
  assert.ok(after.remainingUsefulLife.brakes < before.remainingUsefulLife.brakes / 2)
  const [low, high] = after.remainingUsefulLifeInterval.brakes
  assert.ok(low < after.remainingUsefulLife.brakes && after.remainingUsefulLife.brakes < high)
  assert.ok(high < before.remainingUsefulLifeInterval.brakes[1])
  assert.ok(after.maintenanceProbability > before.maintenanceProbability)
  assert.deepEqual({ ...after.remainingUsefulLife, brakes: 0 }, { ...before.remainingUsefulLife, brakes: 0 })
  const { fitted_lives, fitted } = await modelNamed('component-life')
  assert.deepEqual([fitted_lives, fitted], [1, { brakes: 'brakes-life 1.0.0' }])
  const { type, status, eta } = await modelNamed('brakes-life')
  assert.deepEqual([type, status, Math.round(eta / 1000)], ['life', 'serving', 20])
  await rm(path.join(modelsDir, 'brakes-life'), { recursive: true })
  await writeLinear(modelsDir, { name: 'other' })
  await models.refresh()
  assert.deepEqual(await predicted(), before, 'the prior is back')
})

test('a newer version takes over whole, and one that is not what its manifest states leaves the last good one answering', async (t) => {
  const { modelsDir, models, predicted, modelNamed } = await startWithModels(t)
  await writeBrakesLife(modelsDir, { scaleKm: 20_000 })
  await models.refresh()
  await writeBrakesLife(modelsDir, { version: '1.1.0', scaleKm: 30_000 })
  await models.refresh()
  const good = await predicted()
  assert.match(good.modelVersion, /\+brakes-life-1\.1\.0$/)
  await writeBrakesLife(modelsDir, { version: '1.2.0', scaleKm: 90_000 })
  await appendFile(path.join(modelsDir, 'brakes-life', '1.2.0', 'life.json'), ' ')
  await models.refresh()
  assert.deepEqual(await predicted(), good)
  const { version, status, reason } = await modelNamed('brakes-life')
  assert.deepEqual([version, status], ['1.1.0', 'kept'])
  assert.match(reason, /^Version 1\.2\.0 was refused: /)
})

test('of two lives of one component the first by name is followed, and the other reports that', async (t) => {
  const { modelsDir, models, predicted, modelNamed } = await startWithModels(t)
  await writeBrakesLife(modelsDir, { name: 'b-brakes', scaleKm: 30_000 })
  await writeBrakesLife(modelsDir, { name: 'a-brakes', scaleKm: 20_000 })
  await models.refresh()
  assert.match((await predicted()).modelVersion, /\+a-brakes-1\.0\.0$/)
  assert.equal((await modelNamed('a-brakes')).reason, undefined)
  const { status, reason } = await modelNamed('b-brakes')
  assert.equal(status, 'serving')
  assert.match(reason, /Predictions follow a-brakes/)
})

test('it answers ages by /v2 as well, and parts of an age nobody knows', async (t) => {
  const { modelsDir, models, post } = await startWithModels(t)
  await writeBrakesLife(modelsDir, { scaleKm: 20_000 })
  await models.refresh()
  const inputs = [{ name: 'features', shape: [3, 1], datatype: 'FP64', data: [0, 20_000, null] }]
  const { status, body } = await post('/v2/models/brakes-life/infer', { inputs })
  assert.equal(status, 200, JSON.stringify(body))
  const [fresh, worn, unknown] = body.outputs[0].data
  assert.equal(body.outputs[0].name, 'remaining')
  assert.ok(worn < unknown && unknown < fresh, `${worn} ${unknown} ${fresh}`)
})
