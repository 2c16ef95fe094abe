import { type FleetFilter, type FleetOrder, fleetFilters, fleetOrders } from './choose-vehicles.ts'

export type FleetSearch = { q?: string; only?: FleetFilter; order?: FleetOrder; reversed?: true; selected?: string; follow?: true }

/** The address is typed by people too: what makes no sense is left out. */
export function readFleetSearch({ q, only, order, reversed, selected, follow }: Record<string, unknown>): FleetSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(isOneOf(fleetFilters, only) ? { only } : {}),
    ...(isOneOf(fleetOrders, order) ? { order } : {}),
    ...(reversed === true ? { reversed } : {}),
    ...(typeof selected === 'string' ? { selected } : {}),
    ...(typeof selected === 'string' && follow === true ? { follow } : {}),
  }
}

function isOneOf<T>(list: readonly T[], value: unknown): value is T {
  return list.includes(value as T)
}
