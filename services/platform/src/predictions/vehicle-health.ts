import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { HealthStatus, RiskLevel } from '@roadworthy/signals/health-bands'
import { selectDescription } from './described-vehicles.read.sql.ts'
import type { EnginePrediction } from './engine/engine-answer.ts'
import type { EngineClient } from './engine/engine-client.ts'
import { descriptionFields } from './engine/engine-input.ts'
import { selectVehicleHealth } from './health.read.sql.ts'
import { loadSubjectsAcrossResellers } from './scoring/load-subjects.ts'
import { statusOf } from './status-of.ts'
import type { VehicleKey } from './vehicle-key.ts'

export type KnownHealth = {
  readonly prediction: EnginePrediction
  readonly healthStatus: HealthStatus
  readonly riskLevel: RiskLevel
  /** `undefined`: not scored yet; asked of the engine just now. */
  readonly scoredAt: Date | undefined
}

/**
 * The stored health, or before the first score the engine's answer to the little that is known. Spec gap §2.8: health is a number, so a
 * vehicle that never reported gets what vehicles are like in general, with a confidence that shows that; nothing is made up and nothing stored.
 */
export async function vehicleHealth(
  { database, engine }: { database: Database; engine: EngineClient },
  vehicle: VehicleKey,
  signal: AbortSignal,
): Promise<KnownHealth> {
  const { resellerId, vehicleId } = vehicle
  const db = database.tenantPool(resellerId)
  const stored = await selectVehicleHealth(db, resellerId, vehicleId)
  if (stored !== undefined) return { ...stored, prediction: stored.result }
  const [subject] = await loadSubjectsAcrossResellers(db, [vehicle])
  const input = subject?.input ?? { vehicleId, ...descriptionFields(await selectDescription(db, vehicle)) }
  const answer = await engine.predict(input, signal)
  if (answer.kind === 'refused') throw new Error(`the engine refused vehicle ${vehicleId}: ${answer.message}`)
  return { prediction: answer.prediction, ...statusOf(answer.prediction, undefined), scoredAt: undefined }
}
