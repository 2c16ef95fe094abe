import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { FleetMap, FleetMapQuery, VehicleCounts, VehicleCountsQuery } from '@roadworthy/contracts/platform-v1/fleet-map'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { readFleetMap } from './fleet-map.ts'
import { countChosenByState } from './vehicle-choice.read.sql.ts'
import { readVehicleChoice } from './vehicle-choice.ts'

const tags = ['Vehicles']

export type FleetRoutesDeps = { readonly database: Database; readonly now: () => Date; readonly offlineAfterMs: number }

export function fleetPlatformRoutes({ database, now, offlineAfterMs }: FleetRoutesDeps): FastifyPluginAsyncTypebox {
  const heardSince = () => new Date(now().getTime() - offlineAfterMs)
  return async (app) => {
    app.get(
      '/fleet/map',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getFleetMap',
          summary: 'Get where vehicles are, close ones counted together where they are many',
          tags,
          querystring: FleetMapQuery,
          response: { 200: FleetMap, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const choice = readVehicleChoice(query, caller, heardSince())
        return choice === undefined ? { total: 0, bounds: null, points: [], clusters: [] } : await readFleetMap(database, choice)
      },
    )
    app.get(
      '/fleet/counts',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'countVehicles',
          summary: 'Count vehicles by health and presence',
          tags,
          querystring: VehicleCountsQuery,
          response: { 200: VehicleCounts, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const choice = readVehicleChoice(query, caller, heardSince())
        const counts = choice === undefined ? NONE : await countChosenByState(database.tenantPool(caller.resellerId), choice)
        const { total, online, critical, warning, healthy, unknown } = counts
        return { total, health: { critical, warning, healthy, unknown }, online, offline: total - online }
      },
    )
  }
}

const NONE = { total: 0, online: 0, critical: 0, warning: 0, healthy: 0, unknown: 0 }
