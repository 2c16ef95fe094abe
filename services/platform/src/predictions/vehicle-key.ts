/** One vehicle of one reseller. Ids are unique within a reseller only. */
export type VehicleKey = { readonly resellerId: string; readonly vehicleId: string }

/** Identity of a vehicle across resellers, for maps. */
export function vehicleKeyText({ resellerId, vehicleId }: VehicleKey): string {
  return `${resellerId}/${vehicleId}`
}

export function keyColumns(vehicles: readonly VehicleKey[]): [string[], string[]] {
  return [vehicles.map(({ resellerId }) => resellerId), vehicles.map(({ vehicleId }) => vehicleId)]
}
