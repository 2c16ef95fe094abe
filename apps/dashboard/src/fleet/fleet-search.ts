// What the address of the fleet contains, and what is asked of the service for it. Pure.

import type { FleetChoice, FleetSort } from '../api/fleet-queries.ts'

const healths = ['healthy', 'warning', 'critical', 'unknown'] as const
const presences = ['online', 'offline'] as const
const views = ['list', 'map'] as const
const fleetOrders = ['health', 'name', 'alerts', 'heard'] as const
export type FleetOrder = (typeof fleetOrders)[number]

export type FleetSearch = {
  q?: string
  health?: (typeof healths)[number]
  presence?: (typeof presences)[number]
  groupId?: string
  subClientId?: string
  retired?: true
  order?: FleetOrder
  reversed?: true
  selected?: string
  follow?: true
  /** On a phone, where the map and the list do not stand side by side. */
  view?: (typeof views)[number]
}

const MAX_TEXT = 100

/** The address is typed by people too: what makes no sense is left out. `only` is how it named a health, or `offline`, before. */
export function readFleetSearch(given: Record<string, unknown>): FleetSearch {
  const { q, only, groupId, subClientId, retired, order, reversed, selected, follow, view } = given
  const { health = only, presence = only } = given
  return {
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, MAX_TEXT) } : {}),
    ...(isOneOf(healths, health) ? { health } : {}),
    ...(isOneOf(presences, presence) ? { presence } : {}),
    ...(typeof groupId === 'string' && groupId !== '' ? { groupId } : {}),
    ...(typeof subClientId === 'string' && subClientId !== '' ? { subClientId } : {}),
    ...(retired === true ? { retired } : {}),
    ...(isOneOf(fleetOrders, order) ? { order } : {}),
    ...(reversed === true ? { reversed } : {}),
    ...(typeof selected === 'string' ? { selected } : {}),
    ...(typeof selected === 'string' && follow === true ? { follow } : {}),
    ...(isOneOf(views, view) ? { view } : {}),
  }
}

/** The list comes first; an address that names a vehicle shows where it is. */
export function phoneViewOf({ view, selected }: FleetSearch): (typeof views)[number] {
  return view ?? (selected === undefined ? 'list' : 'map')
}

export function choiceOf({ q, health, presence, groupId, subClientId, retired }: FleetSearch): FleetChoice {
  const search = q?.trim().split(/\s+/).slice(0, 8).join(' ')
  return {
    ...(search ? { search } : {}),
    ...(health === undefined ? {} : { healthStatus: health }),
    ...(presence === undefined ? {} : { presence }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(subClientId === undefined ? {} : { subClientId }),
    ...(retired === true ? { status: 'retired' as const } : {}),
  }
}

/** The first press shows what matters: the worst, the most, the newest; by name, from the beginning. */
export function sortOf({ order = 'health', reversed }: FleetSearch): FleetSort {
  const isDescending = ['alerts', 'heard'].includes(order) !== (reversed === true)
  return { sort: order, order: isDescending ? 'desc' : 'asc' }
}

export function isChosen(search: FleetSearch): boolean {
  return Object.keys(choiceOf(search)).length > 0
}

/** The same view with nothing left out of it. */
export function withoutChoice(search: FleetSearch): FleetSearch {
  const { q: _q, health: _health, presence: _presence, groupId: _group, subClientId: _subClient, retired: _retired, ...rest } = search
  return rest
}

function isOneOf<T>(list: readonly T[], value: unknown): value is T {
  return list.includes(value as T)
}
