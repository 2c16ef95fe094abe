import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import { Plan } from '@roadworthy/contracts/platform-v1/plan'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { monthOf, type Plans } from '../limits/plans.ts'
import { selectUsedAcrossResellers } from '../limits/usage.sql.ts'
import { requireReseller } from './resellers.ts'

/** In days, by what is kept. */
export type Retention = Readonly<Record<Plan['kept'][number]['what'], number>>

type PlanRoutesDeps = {
  readonly database: Database
  readonly plans: Plans
  readonly retention: Retention
  readonly now: () => Date
}

export function planPlatformRoutes({ database, plans, retention, now }: PlanRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/plan',
      {
        config: { scope: 'billing:read', anyStanding: true },
        schema: {
          operationId: 'getPlan',
          tags: ['Usage'],
          summary: 'Get the plan of the account, what of it is used, and how long what is kept',
          description: 'Of the whole account: a key of one sub-client is refused.',
          response: { 200: Plan, ...errorResponses() },
        },
      },
      async ({ caller }) => {
        const { resellerId, subClientPin } = caller
        if (subClientPin !== undefined) {
          throw new Problem('missing_scope', 'The plan is that of the whole account; this key belongs to one sub-client.', {
            details: { required_scope: 'billing:read' },
          })
        }
        const month = monthOf(now())
        const wanted = [
          { resellerId, meter: 'api_calls_platform' },
          { resellerId, meter: 'predictions' },
        ]
        const [reseller, used] = await Promise.all([
          requireReseller(database, resellerId),
          selectUsedAcrossResellers(database.tenantPool(resellerId), wanted, month),
        ])
        const limits = plans[reseller.plan]
        return {
          plan: reseller.plan,
          subscription: reseller.subscription,
          month: { from: month.fromInstant.toISOString(), until: month.untilInstant.toISOString() },
          platformCalls: { limit: limitOf(limits.platformCallsPerMonth), used: used[0] ?? 0 },
          predictions: { limit: limitOf(limits.predictionsPerMonth), used: used[1] ?? 0 },
          keyPerMinute: limitOf(limits.perMinute),
          keyPerDay: limitOf(limits.perDay),
          kept: (Object.keys(retention) as (keyof Retention)[]).map((what) => ({ what, days: retention[what] })),
        }
      },
    )
  }
}

const limitOf = (limit: number) => (limit === 0 ? null : limit)
