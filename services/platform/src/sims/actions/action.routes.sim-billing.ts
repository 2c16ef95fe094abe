import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import {
  SimActionAnswer,
  SimActionList,
  SimActivate,
  SimBulk,
  SimBulkAnswer,
  SimSafeCustody,
  SimSuspend,
  SimTerminate,
} from '@roadworthy/contracts/sim-billing/sim-actions'
import { SimPageQuery, SimParams } from '@roadworthy/contracts/sim-billing/sims'
import type { App } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { FastifyRequest } from 'fastify'
import { authorOf } from '../../audit/audit.ts'
import { requireSim } from '../change-sim.ts'
import { toWireSim } from '../wire-sim.ts'
import { actOnMany } from './act-on-many.ts'
import { actOnSim } from './act-on-sim.ts'
import { type ActionWish, readUntil } from './request-action.ts'
import { countActions, selectActions } from './sim-actions.sql.ts'
import { toWireAction } from './wire-action.ts'

export type ActionRoutesDeps = { readonly database: Database; readonly now: () => Date }

const SCOPE = 'billing:write'
const tags = ['SIMs']

export function actionSimBillingRoutes(deps: ActionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addActivateRoute(app as App, deps)
    addBarringRoutes(app as App, deps)
    addTerminateRoute(app as App, deps)
    addBulkRoute(app as App, deps)
    addListRoute(app as App, deps)
  }
}

async function answer(
  { database, now }: ActionRoutesDeps,
  request: FastifyRequest,
  sim: string,
  wish: ActionWish,
): Promise<SimActionAnswer> {
  const { caller } = request
  const { simId, action } = await actOnSim(database, caller, sim, wish, authorOf(request, now()))
  const shown = await requireSim(database.tenantPool(caller.resellerId), caller, simId)
  return { success: true, sim: toWireSim(shown), action: action === undefined ? null : toWireAction(action) }
}

function addActivateRoute(app: App, deps: ActionRoutesDeps): void {
  app.post(
    '/sims/:sim/activate',
    {
      config: { scope: SCOPE, bodyMayBeMissing: true },
      schema: {
        operationId: 'activateSim',
        tags,
        summary: 'Activate a SIM, or resume it',
        description:
          'Out of inventory and test, suspension, safe custody, and a termination within its grace, which takes it back to what it was before. What the operator suspended is lifted by the operator alone. The answer comes at once; `sim.state.changed` reports when the operator has done it.',
        params: SimParams,
        body: SimActivate,
        response: { 200: SimActionAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { mode, rate_plan: ratePlan, reason } = request.body
      return await answer(deps, request, request.params.sim, { kind: mode === 'test' ? 'activate_test' : 'activate', ratePlan, reason })
    },
  )
}

function addBarringRoutes(app: App, deps: ActionRoutesDeps): void {
  app.post(
    '/sims/:sim/suspend',
    {
      config: { scope: SCOPE, bodyMayBeMissing: true },
      schema: {
        operationId: 'suspendSim',
        tags,
        summary: 'Suspend a SIM',
        description: 'Bars it for now. The subscription and its rental go on.',
        params: SimParams,
        body: SimSuspend,
        response: { 200: SimActionAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => await answer(deps, request, request.params.sim, { kind: 'suspend', reason: request.body.reason }),
  )
  app.post(
    '/sims/:sim/safe-custody',
    {
      config: { scope: SCOPE, bodyMayBeMissing: true },
      schema: {
        operationId: 'parkSim',
        tags,
        summary: 'Put a SIM into safe custody',
        description: 'Parks it for some time at a lower fee; its number and address are kept. It ends by itself, or by activating the SIM.',
        params: SimParams,
        body: SimSafeCustody,
        response: { 200: SimActionAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { until, days, reason } = request.body
      const wish: ActionWish = { kind: 'safe_custody', until: readUntil(until), days, reason }
      return await answer(deps, request, request.params.sim, wish)
    },
  )
}

function addTerminateRoute(app: App, deps: ActionRoutesDeps): void {
  app.post(
    '/sims/:sim/terminate',
    {
      config: { scope: SCOPE, bodyMayBeMissing: true },
      schema: {
        operationId: 'terminateSim',
        tags,
        summary: 'Terminate a SIM',
        description: 'It is barred, and final after the grace of its connection. Until then `activate` takes it back.',
        params: SimParams,
        body: SimTerminate,
        response: { 200: SimActionAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => await answer(deps, request, request.params.sim, { kind: 'terminate', reason: request.body.reason }),
  )
}

function addBulkRoute(app: App, { database, now }: ActionRoutesDeps): void {
  app.post(
    '/sims/bulk',
    {
      config: { scope: SCOPE },
      schema: {
        operationId: 'actOnSims',
        tags,
        summary: 'Do the same with up to 500 SIMs',
        description: 'Each is judged by itself, and has a result; one that is refused keeps none of the others back.',
        body: SimBulk,
        response: { 200: SimBulkAnswer, ...errorResponses(409) },
      },
    },
    async (request) => await actOnMany(database, request.caller, request.body, authorOf(request, now())),
  )
}

function addListRoute(app: App, { database }: ActionRoutesDeps): void {
  app.get(
    '/sims/:sim/actions',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'listSimActions',
        tags,
        summary: 'List what was asked of the operator for a SIM, newest first',
        description: 'With what became of it. To a key of one sub-client, what was asked while that sub-client had the SIM.',
        params: SimParams,
        querystring: SimPageQuery,
        response: { 200: SimActionList, ...errorResponses(404) },
      },
    },
    async ({ caller, params, query }) => {
      const page = pageRequest('sim actions', query, 'newest first')
      const db = database.tenantPool(caller.resellerId)
      const { simId } = await requireSim(db, caller, params.sim)
      const [rows, total] = await Promise.all([selectActions(db, caller, simId, page), countActions(db, caller, simId)])
      const { items, pagination } = endPage(rows, page, ({ requestedAt, actionId }) => ({ at: requestedAt, id: actionId }))
      return { total, actions: items.map(toWireAction), pagination }
    },
  )
}
