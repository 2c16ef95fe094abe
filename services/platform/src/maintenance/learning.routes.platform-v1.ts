import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  type ComponentAccuracy,
  LifeList,
  LifeQuery,
  PredictionAccuracy,
  PredictionAccuracyQuery,
  type Life as WireLife,
} from '@roadworthy/contracts/platform-v1/maintenance'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { Type } from 'typebox'
import { type OutcomeCounts, selectOutcomeCounts } from './accuracy.read.sql.ts'
import { countLives, type LivesAsked, type ObservedLife, selectLives } from './lives.read.sql.ts'
import { wilsonInterval } from './wilson-interval.ts'

/** Of an interval from the 10th to the 90th percentile. */
const EXPECTED_COVERAGE = 0.8
/** A file of a few megabytes. */
const MAX_CSV_LIVES = 50_000
const CSV_EXAMPLE =
  'vehicle_id,started_at,ended_at,km,failed\nveh-7h3d9s2k5f8j1l4a6g0q,2024-11-02T08:15:00.000Z,2026-01-31T08:15:00.000Z,41870,1\n'

export function learningPlatformRoutes({ database, now }: { database: Database; now: () => Date }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/predictions/accuracy',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'getPredictionAccuracy',
          summary: 'What had been predicted, compared with what was found',
          description:
            'Made of completed maintenance: the prediction last published before the work, beside when the part failed. Parts that were replaced ' +
            'before they failed show nothing of the error; they are counted apart.',
          tags: ['Predictions'],
          querystring: PredictionAccuracyQuery,
          response: { 200: PredictionAccuracy, ...errorResponses() },
        },
      },
      async ({ caller, query }) => {
        const { resellerId, subClientPin } = caller
        const counts = await selectOutcomeCounts(database.tenantPool(resellerId), resellerId, { component: query.component, subClientPin })
        return { expectedCoverage: EXPECTED_COVERAGE, components: counts.map(toAccuracy) }
      },
    )
    app.get(
      '/maintenance/lives',
      {
        config: { scope: 'vehicles:read' },
        schema: {
          operationId: 'getObservedLives',
          summary: 'How long parts of one component lasted',
          description: 'As CSV, what `npx roadworthy fit life --time km --event failed` takes: the life model of your own fleet.',
          tags: ['Maintenance'],
          querystring: LifeQuery,
          response: {
            200: {
              description: 'A page of lives, or all of them as CSV.',
              content: {
                'application/json': { schema: LifeList },
                'text/csv': { schema: Type.String(), examples: { brakes: { value: CSV_EXAMPLE } } },
              },
            },
            ...errorResponses(),
          },
        },
      },
      async ({ caller, query }, reply) => {
        const { resellerId, subClientPin } = caller
        const { component, unit = 'km', format = 'json' } = query
        const db = database.tenantPool(resellerId)
        const asked: LivesAsked = { component, unit, subClientPin, now: now() }
        if (format === 'csv') {
          reply.header('content-type', 'text/csv; charset=utf-8')
          return await livesAsCsv(db, resellerId, asked)
        }
        const page = pageRequest('lives', query)
        const rows = await selectLives(db, resellerId, asked, page)
        const { items, pagination } = endPage(rows, page, ({ startedAt, maintenanceId }) => ({ at: startedAt, id: maintenanceId }))
        return { component, unit, lives: items.map(toLife), ...(await countLives(db, resellerId, asked)), pagination }
      },
    )
  }
}

async function livesAsCsv(db: Db, resellerId: string, asked: LivesAsked): Promise<string> {
  const rows = await selectLives(db, resellerId, asked, pageRequest('lives', { limit: MAX_CSV_LIVES }))
  if (rows.length > MAX_CSV_LIVES) {
    throw new Problem('invalid_request', `There are more than ${MAX_CSV_LIVES} lives. Fetch them as JSON, by pages.`, {
      details: { in: 'querystring', field: 'format', limit: MAX_CSV_LIVES },
    })
  }
  const lines = rows.map(toLife).map(({ vehicleId, startedAt, endedAt, age, failed }) => {
    return `${vehicleId},${startedAt},${endedAt},${age},${failed ? 1 : 0}\n`
  })
  return `vehicle_id,started_at,ended_at,${asked.unit},failed\n${lines.join('')}`
}

function toLife({ vehicleId, startedAt, endedAt, age, failed }: ObservedLife): WireLife {
  return { vehicleId, startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString(), age: Number(age.toPrecision(9)), failed }
}

function toAccuracy({ meanErrorDays, meanAbsoluteErrorDays, ...counts }: OutcomeCounts): ComponentAccuracy {
  const { failures, inside } = counts
  return {
    ...counts,
    coverage: failures === 0 ? null : rounded(inside / failures),
    coverage95: failures === 0 ? null : wilsonInterval(inside, failures).map(rounded),
    meanError_days: meanErrorDays === undefined ? null : rounded(meanErrorDays),
    meanAbsoluteError_days: meanAbsoluteErrorDays === undefined ? null : rounded(meanAbsoluteErrorDays),
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
