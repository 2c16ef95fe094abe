import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Severity } from '@roadworthy/signals/severity'
import type { EngineAlert, EnginePrediction } from './engine/engine-answer.ts'
import { maintenancePredictionsOf } from './maintenance-predictions.ts'

const alert = (component: string, severity: Severity, description = `${component} is ${severity}`): EngineAlert => {
  return { type: 'found', component, severity, description, message: '', urgency: 'soon' }
}

function answer(predictions: Partial<EnginePrediction['predictions']>, alerts: EngineAlert[] = []): EnginePrediction {
  return {
    vehicleId: 'veh-1',
    predictions: {
      ...{ healthScore: 80, maintenanceNeeded: false, maintenanceProbability: 0.1, anomalyScore: 0, anomalyDetected: false },
      ...{ remainingUsefulLife: {}, remainingUsefulLifeInterval: {}, components: {}, confidence: 0.8 },
      ...predictions,
    },
    alerts,
    insights: [],
  }
}

test('a component with a grave finding is predicted, also where the engine gives it no life', () => {
  const alerts = [alert('lubrication', 'high'), alert('lubrication', 'critical', 'Oil pressure low'), alert('fuel', 'high')]
  const rows = maintenancePredictionsOf(answer({ remainingUsefulLife: { brakes: 400 } }, [...alerts, alert('intake', 'medium')]))
  assert.deepEqual(
    rows.map((row) => [row.component, row.issue, row.severity, row.rulDays, row.rulP10Days, row.rulP90Days]),
    [
      ['brakes', 'Brakes: expected wear', 'low', 400, 400, 400],
      ['lubrication', 'Oil pressure low', 'critical', 0, 0, 7],
      ['fuel', 'fuel is high', 'high', 7, 0, 30],
    ],
  )
})

test('confidence is of the component where the engine gives one', () => {
  const rows = maintenancePredictionsOf(
    answer({ remainingUsefulLife: { brakes: 400, battery: 400 }, componentConfidence: { battery: 0.314 } }),
  )
  assert.deepEqual(
    rows.map(({ component, confidence }) => [component, confidence]),
    [
      ['brakes', 0.8],
      ['battery', 0.31],
    ],
  )
})

test('no issue speaks of expected wear where a life runs short, whichever part of the answer states it', () => {
  const plan = { act: 'plan', what: 'Replace the pads', why: 'They are thin', risk: 'Discs wear too' }
  const issues = (predictions: Partial<EnginePrediction['predictions']>, alerts: EngineAlert[] = []) =>
    maintenancePredictionsOf(answer(predictions, alerts)).map(({ issue }) => issue)
  assert.deepEqual(issues({ remainingUsefulLife: { brakes: 200 } }, [alert('brakes', 'low', 'Life ending')]), ['Life ending'])
  assert.deepEqual(issues({ remainingUsefulLife: { brakes: 200 }, advice: { brakes: plan } }), ['Brakes: Replace the pads'])
  assert.deepEqual(issues({ remainingUsefulLife: { brakes: 200 }, advice: { brakes: { ...plan, act: 'run_on' } } }), [
    'Brakes: expected wear',
  ])
  assert.deepEqual(issues({ remainingUsefulLife: { high_voltage: 30 } }), ['High voltage: close to the end of its expected life'])
  assert.equal(issues({ remainingUsefulLife: { brakes: 31 }, advice: { brakes: { ...plan, what: 'x'.repeat(900) } } })[0]?.length, 200)
})

test('a lamp is no issue of the engine where it was lit for something else', () => {
  const lamp = { ...alert('engine', 'low', 'Malfunction indicator lamp on'), incident: 'cooling', evidence: { lamp: 'mil_lamp' } }
  const hot = { ...alert('cooling', 'high', 'Engine overheating'), incident: 'cooling' }
  const cooling = { cause: 'cooling', component: 'cooling', title: '', recommendation: '' }
  const found = answer({ remainingUsefulLife: { engine: 45, cooling: 3 } }, [hot, lamp])
  assert.deepEqual(
    maintenancePredictionsOf({ ...found, incidents: [cooling] }).map(({ issue }) => issue),
    ['Engine: expected wear', 'Engine overheating'],
  )
  const alone = answer({ remainingUsefulLife: { engine: 45 } }, [{ ...lamp, incident: 'lamps' }])
  const lamps = { ...cooling, cause: 'lamps', component: 'engine' }
  assert.equal(maintenancePredictionsOf({ ...alone, incidents: [lamps] })[0]?.issue, 'Malfunction indicator lamp on')
})
