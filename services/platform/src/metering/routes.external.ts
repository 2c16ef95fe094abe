import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/external/errors'
import { UsageQuery, UsageReport, usageText } from '@roadworthy/contracts/external/usage'
import type { App } from '@roadworthy/service-kit/http/http'
import type { UsageReport as Report } from './usage-report.ts'
import { addUsageRoute, rowToWire, type UsageRouteDeps } from './usage-routes.ts'

export function usageExternalRoutes(deps: UsageRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addUsageRoute(app as App, deps, {
      querystring: UsageQuery,
      report: UsageReport,
      text: usageText,
      errorResponses: errorResponses(),
      subClientKey: 'sub_client_id',
      toReport: toExternalReport,
    })
  }
}

function toExternalReport({ timeZone, rows, periods: _periods, projected, ...rest }: Report): UsageReport {
  const { elapsedPercent, ...projection } = projected
  return {
    ...rest,
    time_zone: timeZone,
    rows: rows.map((row) => rowToWire(row, 'sub_client_id')),
    projected: { ...projection, elapsed_percent: elapsedPercent },
  }
}
