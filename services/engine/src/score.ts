// One decoded input to one answer on the wire.
import type { EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import type { Judged } from '@roadworthy/prognostics/anomaly'
import { raisesConfidence } from '@roadworthy/prognostics/confidence'
import type { Doubt } from '@roadworthy/prognostics/inputs/gate'
import type { PredictionInput } from '@roadworthy/prognostics/inputs/observation'
import { type Prediction, predict } from '@roadworthy/prognostics/predict'
import { lampNames, lamps, type SignalSpec, signalNames, signals } from '@roadworthy/signals/registry'
import { toWireEvidence } from '@roadworthy/signals/wire-names'
import { knowledgePredictor, type Predictor } from './models/model-set.ts'
import type { Decoded } from './schema/decode-input.ts'
import { suspectUnits } from './schema/suspect-units.ts'

/** `startedAtMs` and `nowMs` are of a monotonic clock. */
export function score(decoded: Decoded, startedAtMs: number, nowMs: () => number, predictor: Predictor = knowledgePredictor): EngineOutput {
  const prediction = predict(decoded.input, predictor.normal, predictor.lives)
  const { advice, confidence, components, remainingUsefulLifeInterval } = prediction
  const output: EngineOutput = {
    vehicleId: decoded.vehicleId,
    timestamp: decoded.timestamp ?? new Date(decoded.input.recordedAtMs).toISOString(),
    processingTimeMs: 0,
    predictions: {
      healthScore: prediction.healthScore,
      healthStatus: prediction.healthStatus,
      riskLevel: prediction.riskLevel,
      maintenanceNeeded: prediction.maintenanceNeeded,
      maintenanceProbability: prediction.maintenanceProbability,
      remainingUsefulLife: prediction.remainingUsefulLife,
      remainingUsefulLifeInterval,
      anomalyScore: prediction.anomalyScore,
      anomalyDetected: prediction.anomalyDetected,
      anomalyBasis: prediction.anomalyBasis.map((judged) => keysOfJudged[judged]),
      components,
      confidence,
      componentConfidence: prediction.componentConfidence,
      advice,
    },
    alerts: prediction.alerts.map((alert) => ({ ...alert, evidence: toWireEvidence(alert.evidence) })),
    incidents: prediction.incidents,
    advice,
    insights: prediction.insights,
    recommendations: prediction.recommendations,
    confidence,
    components,
    remainingUsefulLifeInterval,
    missingFields: missingFields(decoded.input, prediction),
    modelVersion: predictor.modelVersion,
  }
  addMapping(output, decoded)
  addValidation(output, decoded, prediction)
  output.processingTimeMs = Math.round((nowMs() - startedAtMs) * 1000) / 1000
  return output
}

const signalFields = signalNames.filter(raisesConfidence).map((name) => ({ name, key: signals[name].engine.key }))
const lampFields = lampNames.map((name) => ({ name, key: lamps[name].engineKey }))

const keysOfJudged = Object.fromEntries([
  ...signalFields.map(({ name, key }) => [name, key]),
  ...lampFields.map(({ name, key }) => [name, key]),
  ['dtcCodes', 'dtc_codes'],
]) as Readonly<Record<Judged, string>>

const vehicleFields = ['vehicleClass', 'fuelType', 'batteryNominalV'] as const

function missingFields({ signals: values, lamps: states, dtcCodes, vehicle }: PredictionInput, { unjudged }: Prediction): string[] {
  const missing: string[] = []
  for (const { name, key } of signalFields) if (values[name] === undefined && !unjudged.has(name)) missing.push(key)
  for (const { name, key } of lampFields) if (states[name] === undefined) missing.push(key)
  if (dtcCodes === undefined) missing.push('dtc_codes')
  for (const name of vehicleFields) {
    if (vehicle?.[name] === undefined && (name !== 'fuelType' || vehicle?.vehicleClass !== 'trailer')) missing.push(name)
  }
  return missing
}

function addMapping(output: EngineOutput, { mapped, leftAside, unmapped, input }: Decoded): void {
  const suggestions = suspectUnits(input)
  if (mapped === undefined && leftAside === undefined && unmapped === undefined && suggestions === undefined) return
  output._schemaMapping = { autoMapped: mapped !== undefined, mappedFields: { ...mapped } }
  if (leftAside !== undefined) output._schemaMapping.ignored = [...leftAside]
  if (unmapped !== undefined) output._schemaMapping.unmapped = [...unmapped]
  if (suggestions !== undefined) output._schemaMapping.suggestions = suggestions
}

/** What the receiver could not read, and what the gate did not believe. A value that was only held back has been used: it is not named. */
function addValidation(output: EngineOutput, { dropped }: Decoded, { doubts }: Prediction): void {
  const unbelieved = doubts.filter(({ reason }) => reason !== 'jump')
  if (dropped === undefined && unbelieved.length === 0) return
  const reasons: Record<string, string> = { ...dropped }
  for (const doubt of unbelieved) reasons[signals[doubt.signal].engine.key] = `${doubt.message}${asSent(doubt)}`
  output._validation = { ignored: Object.keys(reasons), reasons }
}

/** Messages have canonical units; who sent another one is to recognise the value. */
function asSent({ signal, value }: Doubt): string {
  const { min, max, engine }: SignalSpec = signals[signal]
  if (engine === null || engine.scale === 1) return ''
  const [sent, least, most] = [value, min, max].map((each) => Number((each / engine.scale).toPrecision(5)))
  return ` (sent as ${sent} ${engine.unit}; ${least} to ${most} ${engine.unit} are taken)`
}
