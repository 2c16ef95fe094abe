// Which vehicles the list shows and in which order, and what the tiles count. Pure.

import type { Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { vehicleKind, vehicleLabel } from '../text/format.ts'

export const fleetFilters = ['healthy', 'warning', 'critical', 'offline'] as const
export type FleetFilter = (typeof fleetFilters)[number]

export const fleetOrders = ['health', 'name', 'alerts', 'heard'] as const
export type FleetOrder = (typeof fleetOrders)[number]

export type FleetChoice = {
  readonly text?: string | undefined
  readonly only?: FleetFilter | undefined
  readonly order?: FleetOrder | undefined
  readonly isReversed?: boolean | undefined
}

const compare: Readonly<Record<FleetOrder, (a: Vehicle, b: Vehicle) => number>> = {
  // Worst first. Who was never judged comes last, for there is nothing to do about it here.
  health: (a, b) => (a.healthScore ?? 101) - (b.healthScore ?? 101),
  name: (a, b) => vehicleLabel(a).localeCompare(vehicleLabel(b), undefined, { numeric: true }),
  alerts: (a, b) => b.openAlerts - a.openAlerts,
  heard: (a, b) => (b.lastReadingAt ?? '').localeCompare(a.lastReadingAt ?? ''),
}

/** Every word of the text has to be found in what is known of the vehicle. Equals are ordered by name. */
export function chooseVehicles(vehicles: readonly Vehicle[], choice: FleetChoice): Vehicle[] {
  const words = (choice.text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const chosen = vehicles.filter((vehicle) => {
    if (choice.only !== undefined && !isIn(vehicle, choice.only)) return false
    const known = [vehicleLabel(vehicle), vehicleKind(vehicle), vehicle.vin, vehicle.externalRef, vehicle.subClientId, vehicle.id]
    const text = known.join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const order = compare[choice.order ?? 'health']
  const sign = choice.isReversed === true ? -1 : 1
  return chosen.sort((a, b) => sign * order(a, b) || compare.name(a, b))
}

export function countFleet(vehicles: readonly Vehicle[]): Record<FleetFilter, number> {
  const count = (filter: FleetFilter) => vehicles.filter((vehicle) => isIn(vehicle, filter)).length
  return { healthy: count('healthy'), warning: count('warning'), critical: count('critical'), offline: count('offline') }
}

function isIn(vehicle: Vehicle, filter: FleetFilter): boolean {
  return filter === 'offline' ? !vehicle.online : vehicle.healthStatus === filter
}
