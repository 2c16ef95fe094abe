// What the platform relies on in the engine's answer, and nothing more: the engine is deployed on its own and may be newer or older than
// the platform. Fields that are not named here are kept and not looked at.

import { healthStatuses, riskLevels } from '@roadworthy/signals/health-bands'
import { severities } from '@roadworthy/signals/severity'
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'

const days = Type.Number({ minimum: 0 })
const share = Type.Number({ minimum: 0, maximum: 1 })
const score = Type.Number({ minimum: 0, maximum: 100 })
const byComponent = <Value extends TSchema>(value: Value) => Type.Record(Type.String(), value)

const EngineAlert = Type.Object({
  type: Type.String({ minLength: 1 }),
  component: Type.String({ minLength: 1 }),
  severity: Type.Enum(severities),
  description: Type.String(),
  message: Type.String(),
  urgency: Type.String(),
  code: Type.Optional(Type.String()),
  evidence: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** The cause of the incident it belongs to. */
  incident: Type.Optional(Type.String()),
})
export type EngineAlert = Static<typeof EngineAlert>

/** What to do about a component. `act` is not held to the acts that are known: a newer engine may have another. */
const EngineAdvice = Type.Object({
  act: Type.String(),
  interval: Type.Optional(Type.Array(days, { minItems: 2, maxItems: 2 })),
  what: Type.String(),
  why: Type.String(),
  risk: Type.String(),
})
export type EngineAdvice = Static<typeof EngineAdvice>

/** Of findings with one cause. */
const EngineIncident = Type.Object({
  cause: Type.String({ minLength: 1 }),
  component: Type.String({ minLength: 1 }),
  title: Type.String(),
  recommendation: Type.String(),
})

/** Spec §2.7, first shape, with the fields DECISIONS adds. An engine that gives no status or risk level leaves them to the platform. */
const EnginePrediction = Type.Object({
  vehicleId: Type.String(),
  /** Of the reading that was judged. */
  timestamp: Type.Optional(Type.String()),
  predictions: Type.Object({
    healthScore: score,
    healthStatus: Type.Optional(Type.Enum(healthStatuses)),
    riskLevel: Type.Optional(Type.Enum(riskLevels)),
    maintenanceNeeded: Type.Boolean(),
    maintenanceProbability: share,
    remainingUsefulLife: byComponent(days),
    remainingUsefulLifeInterval: byComponent(Type.Array(days, { minItems: 2, maxItems: 2 })),
    anomalyScore: share,
    anomalyDetected: Type.Boolean(),
    anomalyBasis: Type.Optional(Type.Array(Type.String())),
    components: byComponent(score),
    confidence: share,
    componentConfidence: Type.Optional(byComponent(share)),
    advice: Type.Optional(byComponent(EngineAdvice)),
  }),
  alerts: Type.Array(EngineAlert),
  incidents: Type.Optional(Type.Array(EngineIncident)),
  insights: Type.Array(Type.String()),
  recommendations: Type.Optional(Type.Array(Type.String())),
  missingFields: Type.Optional(Type.Array(Type.String())),
  modelVersion: Type.Optional(Type.String()),
  _validation: Type.Optional(Type.Object({ ignored: Type.Array(Type.String()) })),
})
export type EnginePrediction = Static<typeof EnginePrediction>

const EngineRefusal = Type.Object({
  vehicleId: Type.Optional(Type.String()),
  error: Type.Object({ code: Type.String(), message: Type.String() }),
})

/** One vehicle's place in the answer: the engine's answer for it, or the reason of its refusal. */
export type EngineAnswer =
  | { readonly kind: 'prediction'; readonly prediction: EnginePrediction }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** The engine answered, and the answer is not one the platform can use. Asking again will not help. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
}

/** A proxy in front of the engine wants another key. Nothing is wrong with what it was asked about. */
export class EngineKeyRefused extends EngineFault {}

const predictionCheck = Compile(EnginePrediction)
const refusalCheck = Compile(EngineRefusal)

export function toEngineAnswer(value: unknown): EngineAnswer {
  if (refusalCheck.Check(value)) return { kind: 'refused', code: value.error.code, message: value.error.message }
  if (predictionCheck.Check(value)) return { kind: 'prediction', prediction: value }
  const [first] = predictionCheck.Errors(value)
  throw new EngineFault(`the engine's answer is not a prediction: ${first?.instancePath ?? ''} ${first?.message ?? ''}`)
}
