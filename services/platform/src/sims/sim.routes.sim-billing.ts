import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import { SimAnomalies } from '@roadworthy/contracts/sim-billing/sim-anomalies'
import {
  SimAnswer,
  SimCreate,
  SimHistory,
  SimList,
  SimListQuery,
  SimPageQuery,
  SimParams,
  SimUpdate,
  SimUsage,
  SimUsageQuery,
} from '@roadworthy/contracts/sim-billing/sims'
import type { App } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import { authorOf } from '../audit/audit.ts'
import { selectShownAnomalies } from './anomalies/anomalies.sql.ts'
import { createSim, requireSim, updateSim } from './change-sim.ts'
import { countHistory, selectHistory } from './history.sql.ts'
import { endSeqPage, readSeqPage } from './seq-page.ts'
import { readSimUsage } from './sim-usage.ts'
import { countSims, selectSims } from './sims.sql.ts'
import { toWireAnomaly, toWireHistory, toWireSim } from './wire-sim.ts'

export type SimRoutesDeps = { readonly database: Database; readonly now: () => Date }

const tags = ['SIMs']

export function simSimBillingRoutes(deps: SimRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addListRoutes(app as App, deps)
    addChangeRoutes(app as App, deps)
    addPastRoutes(app as App, deps)
    addAnomalyRoute(app as App, deps)
  }
}

function addListRoutes(app: App, { database }: SimRoutesDeps): void {
  app.get(
    '/sims',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'listSims',
        tags,
        summary: 'List SIMs, those known longest first',
        querystring: SimListQuery,
        response: { 200: SimList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest('sims', query)
      const { status, sub_client_id: subClientId, device_id: deviceId, connection_id: connectionId, search } = query
      const filter = { status, subClientId, deviceId, connectionId, search }
      const db = database.tenantPool(caller.resellerId)
      const isPossible = [subClientId, deviceId, connectionId].every(isStorable)
      const [rows, total] = isPossible ? await Promise.all([selectSims(db, caller, filter, page), countSims(db, caller, filter)]) : [[], 0]
      const { items, pagination } = endPage(rows, page, ({ createdAt, simId }) => ({ at: createdAt, id: simId }))
      return { total, sims: items.map(toWireSim), pagination }
    },
  )
  app.get(
    '/sims/:sim',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'getSim',
        tags,
        summary: 'Get one SIM by its id, ICCID or number',
        params: SimParams,
        response: { 200: SimAnswer, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      const sim = await requireSim(database.tenantPool(caller.resellerId), caller, params.sim)
      return { success: true as const, sim: toWireSim(sim) }
    },
  )
}

function addChangeRoutes(app: App, { database, now }: SimRoutesDeps): void {
  app.post(
    '/sims',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'createSim',
        tags,
        summary: 'Make a SIM known that was bought',
        description: 'Synchronising with the operator does it for every SIM of the account; this is for one that is not there yet.',
        body: SimCreate,
        response: { 200: SimAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      const simId = await createSim(database, caller, body, authorOf(request, now()))
      const sim = await requireSim(database.tenantPool(caller.resellerId), caller, simId)
      return { success: true as const, sim: toWireSim(sim) }
    },
  )
  app.put(
    '/sims/:sim',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'updateSim',
        tags,
        summary: 'Set whose a SIM is, in which device, and by which plan it is billed',
        description:
          'A SIM and its device are of one sub-client: a SIM of nobody that is put into a device goes to whoever has the device, and goes where the device goes.',
        params: SimParams,
        body: SimUpdate,
        response: { 200: SimAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, body, params } = request
      const simId = await updateSim(database, caller, params.sim, body, authorOf(request, now()))
      const sim = await requireSim(database.tenantPool(caller.resellerId), caller, simId)
      return { success: true as const, sim: toWireSim(sim) }
    },
  )
}

function addPastRoutes(app: App, { database, now }: SimRoutesDeps): void {
  app.get(
    '/sims/:sim/history',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'listSimHistory',
        tags,
        summary: 'List what happened to a SIM, newest first',
        description: 'To a key of one sub-client, what happened while that sub-client had it.',
        params: SimParams,
        querystring: SimPageQuery,
        response: { 200: SimHistory, ...errorResponses(404) },
      },
    },
    async ({ caller, params, query }) => {
      const page = readSeqPage('sim history', query)
      const db = database.tenantPool(caller.resellerId)
      const { simId } = await requireSim(db, caller, params.sim)
      const [rows, total] = await Promise.all([selectHistory(db, caller, simId, page), countHistory(db, caller, simId)])
      const { items, pagination } = endSeqPage(rows, page)
      return { total, history: items.map(toWireHistory), pagination }
    },
  )
  app.get(
    '/sims/:sim/usage',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'getSimUsage',
        tags,
        summary: 'Get what a SIM used, in the operator’s cycle and by day',
        params: SimParams,
        querystring: SimUsageQuery,
        response: { 200: SimUsage, ...errorResponses(404) },
      },
    },
    async ({ caller, params, query }) => {
      const db = database.tenantPool(caller.resellerId)
      return await readSimUsage(db, caller, await requireSim(db, caller, params.sim), query, now())
    },
  )
}

function addAnomalyRoute(app: App, { database }: SimRoutesDeps): void {
  app.get(
    '/sims/:sim/anomalies',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'listSimAnomalies',
        tags,
        summary: 'List what is odd about a SIM at present',
        description: 'To a key of one sub-client, what was first seen while that sub-client had it.',
        params: SimParams,
        response: { 200: SimAnomalies, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      const db = database.tenantPool(caller.resellerId)
      const { simId, iccid } = await requireSim(db, caller, params.sim)
      return { anomalies: (await selectShownAnomalies(db, caller, simId)).map((anomaly) => toWireAnomaly(anomaly, iccid)) }
    },
  )
}
