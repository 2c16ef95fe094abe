import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { ModelDrift } from '@roadworthy/contracts/platform-v1/models'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { selectClosedIncidents, selectFit } from './drift.read.sql.ts'

const DAY_MS = 86_400_000
/** A vehicle that was not heard for longer shows nothing of today. */
const JUDGED_WITHIN_MS = DAY_MS
/** Long enough that people close some, and two of them show which way it goes. */
const PERIOD_MS = 30 * DAY_MS

export function driftPlatformRoutes({ database, now }: { database: Database; now: () => Date }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/models/drift',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'readModelDrift',
          summary: 'How well the models fit the fleet at present',
          description:
            'Vehicles whose readings the models find unlike normal although no incident explains it, and how many of the incidents that people ' +
            'closed were false alarms, in the last 30 days and the 30 before. Both grow when vehicles move away from what the models were made on.',
          tags: ['Predictions'],
          response: { 200: ModelDrift, ...errorResponses() },
        },
      },
      async ({ caller: { resellerId, subClientPin } }) => {
        const db = database.tenantPool(resellerId)
        const nowMs = now().getTime()
        const fit = await selectFit(db, resellerId, new Date(nowMs - JUDGED_WITHIN_MS), subClientPin)
        const periods = await Promise.all(
          [0, 1].map(async (ago) => {
            const period = { from: new Date(nowMs - (ago + 1) * PERIOD_MS), to: new Date(nowMs - ago * PERIOD_MS) }
            const counts = await selectClosedIncidents(db, resellerId, period, subClientPin)
            return { from: period.from.toISOString(), to: period.to.toISOString(), ...counts }
          }),
        )
        return { ...fit, falseAlarms: periods }
      },
    )
  }
}
