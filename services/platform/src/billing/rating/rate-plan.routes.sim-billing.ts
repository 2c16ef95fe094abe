import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  RatePlanAnswer,
  RatePlanCreate,
  RatePlanList,
  RatePlanParams,
  RatePlanUpdate,
} from '@roadworthy/contracts/sim-billing/billing-configuration'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import type { App } from '@roadworthy/service-kit/http/http'
import { authorOf } from '../../audit/audit.ts'
import type { Caller } from '../../keys/caller.ts'
import { type BillingRoutesDeps, refusePinned, thisMonthOf } from '../billing.routes.sim-billing.ts'
import { type RatePlanVersion, versionOfMonth } from '../settings/billing-settings.ts'
import { changePlan, createPlan, noSuchPlan } from '../settings/configure-billing.ts'
import { fromWirePlanPrices, toWirePlan } from '../wire-billing.ts'
import { selectPlanVersions } from './plans.sql.ts'

const tags = ['Billing']

export function ratePlanRoutes(deps: BillingRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadRoutes(app as App, deps)
    addChangeRoutes(app as App, deps)
    addArchiveRoute(app as App, deps)
  }
}

function addReadRoutes(app: App, { database }: BillingRoutesDeps): void {
  app.get(
    '/rate-plans',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'listRatePlans',
        summary: 'List rate plans of SIMs',
        tags,
        response: { 200: RatePlanList, ...errorResponses() },
      },
    },
    async ({ caller }) => {
      if (caller.subClientPin !== undefined) return { total: 0, rate_plans: [] }
      const versions = await selectPlanVersions(database.tenantPool(caller.resellerId), caller.resellerId, undefined)
      const newest = [...Map.groupBy(versions, ({ planId }) => planId).values()].flatMap((each) => each.slice(-1))
      return { total: newest.length, rate_plans: newest.map(toWirePlan) }
    },
  )
  app.get(
    '/rate-plans/:plan_id',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'getRatePlan',
        summary: 'Get a rate plan with its versions',
        tags,
        params: RatePlanParams,
        response: { 200: RatePlanAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      hideFromPinned(caller)
      return await planAnswer({ database }, caller.resellerId, params.plan_id)
    },
  )
}

function addChangeRoutes(app: App, { database, now }: BillingRoutesDeps): void {
  app.post(
    '/rate-plans',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'createRatePlan',
        summary: 'Create a rate plan',
        tags,
        body: RatePlanCreate,
        response: { 200: RatePlanAnswer, ...errorResponses(409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      refusePinned(caller, 'billing:write')
      const plan = {
        planId: body.plan_id,
        name: body.name,
        operatorPlan: body.operator_plan ?? undefined,
        effectiveFrom: body.effective_from ?? (await thisMonthOf(database, caller.resellerId, now())),
        archivedAt: undefined,
        prices: fromWirePlanPrices(body.prices),
      }
      await createPlan(database, caller.resellerId, plan, authorOf(request, now()))
      return await planAnswer({ database }, caller.resellerId, body.plan_id)
    },
  )
  app.put(
    '/rate-plans/:plan_id',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'putRatePlan',
        summary: 'Change a rate plan from a month on',
        description:
          'Adds a version, unless nothing changes by it; what is left out stays as it is, prices as they hold in its month. An archived plan is in use again. ' +
          'Its month is after the newest one of which invoices are issued and not void: else 409, with the `earliest` month in its details.',
        tags,
        params: RatePlanParams,
        body: RatePlanUpdate,
        response: { 200: RatePlanAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      hideFromPinned(caller)
      const effectiveFrom = body.effective_from ?? (await thisMonthOf(database, caller.resellerId, now()))
      const change = (newest: RatePlanVersion, versions: readonly RatePlanVersion[]) => ({
        ...newest,
        name: body.name ?? newest.name,
        operatorPlan: body.operator_plan === undefined ? newest.operatorPlan : (body.operator_plan ?? undefined),
        effectiveFrom,
        archivedAt: undefined,
        // The newest version may be of a later month.
        prices: body.prices === undefined ? (versionOfMonth(versions, effectiveFrom) ?? newest).prices : fromWirePlanPrices(body.prices),
      })
      await changePlan(database, caller.resellerId, params.plan_id, change, authorOf(request, now()))
      return await planAnswer({ database }, caller.resellerId, params.plan_id)
    },
  )
}

function addArchiveRoute(app: App, { database, now }: BillingRoutesDeps): void {
  app.delete(
    '/rate-plans/:plan_id',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'archiveRatePlan',
        summary: 'Archive a rate plan',
        description: 'It is not meant for further SIMs; those that have it are billed by it. Repeating it is fine.',
        tags,
        params: RatePlanParams,
        response: { 200: RatePlanAnswer, ...errorResponses(404) },
      },
    },
    async (request) => {
      const { caller, params } = request
      hideFromPinned(caller)
      const author = authorOf(request, now())
      const archive = (newest: RatePlanVersion) => (newest.archivedAt === undefined ? { ...newest, archivedAt: author.at } : undefined)
      await changePlan(database, caller.resellerId, params.plan_id, archive, author)
      return await planAnswer({ database }, caller.resellerId, params.plan_id)
    },
  )
}

/** To a key of a sub-client none is there. */
function hideFromPinned({ subClientPin }: Caller): void {
  if (subClientPin !== undefined) throw noSuchPlan()
}

type Deps = Pick<BillingRoutesDeps, 'database'>

async function planAnswer({ database }: Deps, resellerId: string, planId: string) {
  const versions = (await selectPlanVersions(database.tenantPool(resellerId), resellerId, planId)).map(toWirePlan)
  const newest = versions.at(-1)
  if (newest === undefined) throw noSuchPlan()
  return { success: true as const, rate_plan: newest, versions }
}
