import type { HealthStatus } from '@roadworthy/signals/health-bands'
import type { LampStates, SignalValues } from '@roadworthy/signals/registry'
import type { BatteryVoltage, Drivetrain, FuelType, VehicleClass } from '@roadworthy/signals/vehicle-description'

/** What one vehicle reported for one instant, in canonical names and units. Absent means unknown, never zero, off or none. */
export type Observation = {
  readonly recordedAtMs: number
  readonly signals: SignalValues
  readonly lamps: LampStates
  /** `undefined`: the vehicle did not report codes. Empty: it reported that there are none. */
  readonly dtcCodes: readonly string[] | undefined
}

/** A part that was put in new, by the odometer then, by the time, or by both. */
export type ReplacedPart = {
  readonly component: string
  readonly odometerKm: number | undefined
  readonly atMs: number | undefined
}

/** The description of the vehicle itself. Absent means unknown. */
export type VehicleDescription = {
  readonly vehicleClass?: VehicleClass | undefined
  readonly fuelType?: FuelType | undefined
  /** Which wheels are driven: nothing that is judged depends on it. */
  readonly drivetrain?: Drivetrain | undefined
  readonly batteryNominalV?: BatteryVoltage | undefined
  readonly vin?: string | undefined
}

/** Everything a prediction may depend on. The same input always gives the same answer. */
export type PredictionInput = Observation & {
  /**
   * Earlier observations of the same vehicle, oldest first; those beyond the newest `MAX_HISTORY` are not looked at. `undefined` is a caller
   * that keeps none: what it reports is then taken as lasting. An empty history is a caller that has none yet: what it reports has to last.
   */
  readonly history: readonly Observation[] | undefined
  readonly vehicle?: VehicleDescription | undefined
  /** Age of the vehicle in days, where it is known. */
  readonly ageDays: number | undefined
  /** Parts whose life counts from their replacement; of one component the newest counts. */
  readonly replacedParts?: readonly ReplacedPart[] | undefined
  /** The status last reported for this vehicle, for hysteresis. */
  readonly previousStatus: HealthStatus | undefined
}

export const MAX_HISTORY = 120
