import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  StatementKeyAnswer,
  StatementQuery,
  UsageQuery,
  UsageReport,
  UsageStatement,
  usageText,
} from '@roadworthy/contracts/platform-v1/usage'
import type { App } from '@roadworthy/service-kit/http'
import { makeStatement, type StatementDeps } from './make-statement.ts'
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
