import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { PredictionList, PredictionListQuery } from '@roadworthy/contracts/platform-v1/predictions'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { findVehicle } from '../readings/require-vehicle.ts'
import { toPlatformPrediction } from './platform-prediction.ts'
import { countPredictions, type ShownPrediction, selectPredictions } from './predictions.read.sql.ts'

export function predictionPlatformRoutes({ database }: { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/predictions',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'listPredictions',
          summary: 'List maintenance predictions, oldest first',
          tags: ['Predictions'],
          querystring: PredictionListQuery,
          response: { 200: PredictionList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const page = pageRequest('predictions', query)
        const db = database.tenantPool(caller.resellerId)
        const vehicle = query.vehicleId === undefined ? undefined : await findVehicle(db, caller, query.vehicleId)
        if (query.vehicleId !== undefined && vehicle === undefined) return { total: 0, ...toPage([], page) }
        const filter = { vehicleId: vehicle?.vehicleId, subClientId: undefined, subClientPin: caller.subClientPin }
        const [predictions, total] = await Promise.all([
          selectPredictions(db, caller.resellerId, filter, page),
          // Several to a vehicle: the count goes through more than a page does, and a list of many pages pays for it once.
          page.total ?? countPredictions(db, caller.resellerId, filter),
        ])
        return { total, ...toPage(predictions, page, total) }
      },
    )
  }
}

function toPage(predictions: readonly ShownPrediction[], page: PageRequest, total?: number) {
  const { items, pagination } = endPage(predictions, page, ({ createdAt, predictionId }) => ({ at: createdAt, id: predictionId }), total)
  return { predictions: items.map(toPlatformPrediction), pagination }
}
