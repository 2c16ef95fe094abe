import { Problem } from '@roadworthy/service-kit/http/problem'

/** Vehicles under a name. */
export type VehicleGroup = {
  readonly groupId: string
  readonly name: string
  /** Only its vehicles are in the group; undefined: those of the whole reseller. */
  readonly subClientId: string | undefined
  /** In service. */
  readonly vehicleCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Assumption: depots, contracts and workshops of a large reseller; people choose one from a menu. */
export const MAX_VEHICLE_GROUPS = 500

export function noSuchVehicleGroup(): Problem {
  return new Problem('not_found', 'There is no such vehicle group.')
}
