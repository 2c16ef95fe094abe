import type { conditionsFound, maintenanceStatuses } from '@roadworthy/contracts/platform-v1/maintenance'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { DAY_MS } from './meter.ts'

export type MaintenanceStatus = (typeof maintenanceStatuses)[number]
export type ConditionFound = (typeof conditionsFound)[number]
export type Cost = { readonly amountMinor: number; readonly currency: string }

export type MaintenanceRecord = {
  readonly resellerId: string
  readonly maintenanceId: string
  readonly vehicleId: string
  readonly component: string
  readonly status: MaintenanceStatus
  readonly scheduleId: string | undefined
  readonly dueAt: Date | undefined
  readonly completedAt: Date | undefined
  readonly odometerKm: number | undefined
  readonly engineHours: number | undefined
  readonly cost: Cost | undefined
  readonly notes: string | undefined
  readonly conditionFound: ConditionFound | undefined
  /** Whether the part is new afterwards. */
  readonly renewed: boolean
  readonly predictionId: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The content of a prediction when it was last published before the work. */
export type HeldPrediction = {
  readonly predictionId: string
  readonly rulDays: number
  readonly rulP10Days: number
  readonly rulP90Days: number
  readonly toldAt: Date
}

export type ShownRecord = MaintenanceRecord & { readonly held: HeldPrediction | undefined }

export type Outcome = 'inside' | 'earlier' | 'later' | 'censored' | 'unknown'

/** Only a failure shows whether a prediction was right. A part that was replaced before shows that it would have lasted longer, not how long. */
export function outcomeOf(
  held: HeldPrediction,
  { completedAt, conditionFound }: { completedAt: Date; conditionFound: ConditionFound | undefined },
): { outcome: Outcome; actualDays: number } {
  const actualDays = (completedAt.getTime() - held.toldAt.getTime()) / DAY_MS
  if (conditionFound === undefined) return { outcome: 'unknown', actualDays }
  if (conditionFound !== 'failed') return { outcome: 'censored', actualDays }
  if (actualDays < held.rulP10Days) return { outcome: 'earlier', actualDays }
  return { outcome: actualDays > held.rulP90Days ? 'later' : 'inside', actualDays }
}

export function isMaintenanceId(text: string): boolean {
  return /^mnt-[a-z0-9]{1,40}$/.test(text)
}

export function noSuchMaintenance(): Problem {
  return new Problem('not_found', 'There is no such maintenance.')
}
