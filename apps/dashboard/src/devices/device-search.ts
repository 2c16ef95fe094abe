import type { DeviceFilter } from '../api/device-queries.ts'

export const deviceStatuses = ['active', 'pending', 'suspended', 'decommissioned'] as const
export const devicePresences = ['online', 'offline', 'never'] as const

const MAX_SEARCH_LENGTH = 200

/** Filters of the list, as they stand in the address. */
export function readDeviceSearch({ status, presence, subClientId, search }: Record<string, unknown>): DeviceFilter {
  const knownStatus = deviceStatuses.find((each) => each === status)
  const knownPresence = devicePresences.find((each) => each === presence)
  const ofSubClient = readText(subClientId)
  const sought = readText(search)
  return {
    ...(knownStatus === undefined ? {} : { status: knownStatus }),
    ...(knownPresence === undefined ? {} : { presence: knownPresence }),
    ...(ofSubClient === undefined ? {} : { subClientId: ofSubClient }),
    ...(sought === undefined ? {} : { search: sought }),
  }
}

/** The address may hold a number where only digits were typed. */
function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, MAX_SEARCH_LENGTH) : ''
  return text === '' ? undefined : text
}
