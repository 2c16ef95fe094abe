// What an event makes old of what the pages have asked for.

import type { QueryKey } from '@tanstack/react-query'

type Subject = { readonly vehicleId?: unknown }

/** By the beginning of the type. The first that fits counts. */
const keysByType: readonly (readonly [beginning: string, keysOf: (vehicleId: string | undefined) => readonly QueryKey[]])[] = [
  ['alert.', (id) => [['incidents'], ['incident'], ofVehicle('health', id)]],
  ['incident.', (id) => [['incidents'], ['incident'], ofVehicle('health', id)]],
  ['vehicle.health.', (id) => [['vehicles'], ofVehicle('health', id), ofVehicle('predictions', id), ofVehicle('vehicle', id)]],
  ['prediction.', (id) => [ofVehicle('health', id), ofVehicle('predictions', id)]],
  ['maintenance.', (id) => [['maintenance'], ['schedules'], ['incidents'], ofVehicle('health', id), ofVehicle('predictions', id)]],
  ['device.', () => [['devices'], ['device']]],
  ['sim.', () => [['sims'], ['sim']]],
  ['usage.', () => [['usage']]],
  ['invoice.', () => [['invoices'], ['invoice']]],
  ['payment.', () => [['invoices'], ['invoice']]],
  ['webhook.', () => [['webhooks']]],
]

export function keysOfEvent(type: string, { vehicleId }: Subject): readonly QueryKey[] {
  const id = typeof vehicleId === 'string' ? vehicleId : undefined
  return keysByType.find(([beginning]) => type.startsWith(beginning))?.[1](id) ?? []
}

function ofVehicle(name: string, vehicleId: string | undefined): QueryKey {
  return vehicleId === undefined ? [name] : [name, vehicleId]
}
