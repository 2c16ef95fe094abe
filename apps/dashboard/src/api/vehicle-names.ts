// What vehicles are called, where a page has only their ids: those that one drawing of it asks for are asked for together.

import type { VehicleList } from '@roadworthy/contracts/platform-v1/vehicles'
import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { vehicleLabel } from '../text/format.ts'
import { get } from './client.ts'

const TOGETHER_MS = 10
/** So that the address stays short enough for any proxy. */
const MAX_TOGETHER = 100

type Waiting = { readonly vehicleId: string; readonly resolve: (label: string | null) => void; readonly reject: (error: unknown) => void }
let waiting: Waiting[] = []

/** Null of a vehicle that there is none of any more. */
export const vehicleNameQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicle-name', vehicleId],
    queryFn: () => findName(vehicleId),
    staleTime: 300_000,
  })

function findName(vehicleId: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(() => void findNames(), TOGETHER_MS)
    waiting.push({ vehicleId, resolve, reject })
  })
}

async function findNames(): Promise<void> {
  const asked = waiting
  waiting = []
  for (let from = 0; from < asked.length; from += MAX_TOGETHER) {
    const some = asked.slice(from, from + MAX_TOGETHER)
    try {
      const names = new Map<string, string>()
      for (const status of ['active', 'retired']) {
        const missing = some.map(({ vehicleId }) => vehicleId).filter((id) => !names.has(id))
        if (missing.length === 0) break
        const ids = missing.join()
        const { vehicles } = await get<Static<typeof VehicleList>>('/vehicles', { ids, status, limit: MAX_TOGETHER })
        for (const vehicle of vehicles) names.set(vehicle.id, vehicleLabel(vehicle))
      }
      for (const { vehicleId, resolve } of some) resolve(names.get(vehicleId) ?? null)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}
