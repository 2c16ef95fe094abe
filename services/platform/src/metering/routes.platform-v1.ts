import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  StatementKeyAnswer,
  StatementQuery,
  UsageLimits,
  UsageLimitsQuery,
  UsageQuery,
  UsageReport,
  UsageStatement,
  usageText,
} from '@roadworthy/contracts/platform-v1/usage'
import type { App } from '@roadworthy/service-kit/http/http'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { monthOf } from '../limits/plans.ts'
import { makeStatement, type StatementDeps } from './make-statement.ts'
import { type SubClientLimits, selectLimits } from './usage-limits.read.sql.ts'
import { visibleSubClient } from './usage-report.ts'
import { addUsageRoute, rowToWire } from './usage-routes.ts'

const tags = ['Usage']

export function usagePlatformRoutes(deps: StatementDeps): FastifyPluginAsyncTypebox {
  const { statementKey } = deps
  return async (app) => {
    addUsageRoute(app as App, deps, {
      querystring: UsageQuery,
      report: UsageReport,
      text: usageText,
      errorResponses: errorResponses(),
      subClientKey: 'subClientId',
      toReport: (report): UsageReport => ({ ...report, rows: report.rows.map((row) => rowToWire(row, 'subClientId')) }),
    })
    addLimitsRoute(app as App, deps)
    app.get(
      '/usage/statements',
      {
        config: { scope: 'billing:read' },
        schema: {
          operationId: 'getUsageStatement',
          summary: 'The signed statement of a month',
          description:
            'Of one sub-client, or without `subClientId` of what belongs to none (with a pinned key, of its own). ' +
            '`npx roadworthy verify-statement` checks the file without the service.',
          tags,
          querystring: StatementQuery,
          response: { 200: UsageStatement, ...errorResponses(404) },
        },
      },
      async ({ caller, query }, reply) => {
        const statement = await makeStatement(deps, caller, query)
        const name = [statement.resellerId, statement.subClientId, statement.month].filter((part) => part !== null).join('-')
        reply.header('content-disposition', `attachment; filename="usage-${name}.json"`)
        return statement
      },
    )
    app.get(
      '/usage/statement-key',
      {
        config: { scope: 'billing:read' },
        schema: {
          operationId: 'getUsageStatementKey',
          summary: 'The public key that statements are signed with',
          tags,
          response: { 200: StatementKeyAnswer, ...errorResponses() },
        },
      },
      async () => ({ algorithm: 'Ed25519' as const, publicKey: statementKey.publicKey }),
    )
  }
}

function addLimitsRoute(app: App, { database, now }: StatementDeps): void {
  app.get(
    '/usage/limits',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'listUsageLimits',
        summary: 'Limits of sub-clients, and what of them is used',
        description:
          'Of those that have a limit on devices, on readings or on predictions in a month. Limits count by the calendar month in UTC, which ' +
          'need not be the month of an invoice.',
        tags,
        querystring: UsageLimitsQuery,
        response: { 200: UsageLimits, ...errorResponses() },
      },
    },
    async ({ caller, query }): Promise<UsageLimits> => {
      const page = pageRequest('usage limits', query)
      const month = monthOf(now())
      const visible = visibleSubClient(caller, query.subClientId)
      const filter = { subClientId: visible === 'nobody' ? '' : visible.only, minUsedPercent: query.minUsedPercent ?? 0 }
      const { total, limits } = await selectLimits(database.tenantPool(caller.resellerId), caller.resellerId, filter, month, page)
      const { items, pagination } = endPage(limits, page, ({ createdAt, subClientId }) => ({ at: createdAt, id: subClientId }))
      return {
        month: { from: month.fromInstant.toISOString(), until: month.untilInstant.toISOString() },
        total,
        subClients: items.map(limitsToWire),
        pagination,
      }
    },
  )
}

function limitsToWire({
  subClientId,
  name,
  usedPercent,
  devices,
  readings,
  predictions,
}: SubClientLimits): UsageLimits['subClients'][number] {
  const toWire = ({ limit, used }: SubClientLimits['devices']) => ({ limit: limit ?? null, used })
  return { id: subClientId, name, usedPercent, devices: toWire(devices), readings: toWire(readings), predictions: toWire(predictions) }
}
