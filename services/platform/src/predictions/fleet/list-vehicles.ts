import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageEnd, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { type JudgedVehicle, selectJudgedVehicles } from '../health.read.sql.ts'
import { countChosen, selectOldestChosen, selectSortedChosen } from './vehicle-choice.read.sql.ts'
import type { VehicleChoice } from './vehicle-choice.ts'
import { endSortedPage, type SortOrder, sortedPage, type VehicleSort } from './vehicle-order.ts'

type Page = { readonly vehicles: readonly JudgedVehicle[]; readonly total: number; readonly pagination: PageEnd }
type PageQuery = { sort?: VehicleSort | 'created'; order?: SortOrder; limit?: number; after?: string }

export async function listVehicles(database: Database, choice: VehicleChoice | undefined, query: PageQuery): Promise<Page> {
  const { sort = 'created', order = 'asc' } = query
  if (sort === 'created' && order === 'desc') {
    throw new Problem(
      'invalid_request',
      'Vehicles by when they were created come oldest first; leave "order" out, or name another "sort".',
      {
        details: { in: 'querystring', field: 'order' },
      },
    )
  }
  const page = sort === 'created' ? pageRequest('vehicles', query) : undefined
  const sorted = sort === 'created' ? undefined : sortedPage(sort, query)
  if (choice === undefined) return { vehicles: [], total: 0, pagination: { endCursor: null, hasNextPage: false } }
  const db = database.tenantPool(choice.viewer.resellerId)
  const total = countChosen(db, choice)
  const selectPage = async () => {
    if (sorted !== undefined) {
      const { ids, pagination } = endSortedPage(await selectSortedChosen(db, choice, sorted), sorted)
      return { vehicles: await selectByIds(database, choice.viewer.resellerId, ids), pagination }
    }
    const request = page ?? pageRequest('vehicles', query)
    const vehicles = await selectByIds(database, choice.viewer.resellerId, await selectOldestChosen(db, choice, request))
    const { items, pagination } = endPage(vehicles, request, ({ createdAt, vehicleId }) => ({ at: createdAt, id: vehicleId }))
    return { vehicles: items, pagination }
  }
  const [selected, count] = await Promise.all([selectPage(), total])
  return { ...selected, total: count }
}

/** In the order of the ids. */
async function selectByIds(database: Database, resellerId: string, ids: readonly string[]): Promise<JudgedVehicle[]> {
  if (ids.length === 0) return []
  const found = await selectJudgedVehicles(database.tenantPool(resellerId), resellerId, ids)
  const byId = new Map(found.map((vehicle) => [vehicle.vehicleId, vehicle]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
