import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  ChangeMaintenanceRequest,
  CompleteMaintenanceRequest,
  CreateMaintenanceRequest,
  MaintenanceList,
  MaintenanceListQuery,
  MaintenanceParams,
  RemovedMaintenance,
  Maintenance as WireMaintenance,
} from '@roadworthy/contracts/platform-v1/maintenance'
import type { App } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Static } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { findVehicle } from '../readings/require-vehicle.ts'
import { changeMaintenance, removeMaintenance } from './change-maintenance.ts'
import { completeMaintenance, createMaintenance } from './complete-maintenance.ts'
import { givenRange } from './given-time.ts'
import { isMaintenanceId, noSuchMaintenance, outcomeOf, type ShownRecord } from './maintenance-record.ts'
import { countRecords, selectRecord, selectRecords } from './records.sql.ts'

const tags = ['Maintenance']

export type MaintenanceRouteDeps = { readonly database: Database; readonly now: () => Date }

export function maintenancePlatformRoutes(deps: MaintenanceRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadingRoutes(app as App, deps)
    addCreatingRoutes(app as App, deps)
    addChangingRoutes(app as App, deps)
  }
}

function addReadingRoutes(app: App, { database }: MaintenanceRouteDeps): void {
  app.get(
    '/maintenance',
    {
      config: { scope: 'vehicles:read' },
      schema: {
        operationId: 'listMaintenance',
        summary: 'List work that was done and is planned, newest record first',
        description: 'What is planned for retired vehicles is listed where `vehicleId` names one.',
        tags,
        querystring: MaintenanceListQuery,
        response: { 200: MaintenanceList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => listRecords(database, caller, query),
  )
  app.get(
    '/maintenance/:id',
    {
      config: { scope: 'vehicles:read' },
      schema: {
        operationId: 'getMaintenance',
        summary: 'Get one record',
        tags,
        params: MaintenanceParams,
        response: { 200: WireMaintenance, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      if (!isMaintenanceId(params.id)) throw noSuchMaintenance()
      const { resellerId, subClientPin } = caller
      const record = await selectRecord(database.tenantPool(resellerId), resellerId, params.id, subClientPin)
      if (record === undefined) throw noSuchMaintenance()
      return toPlatformMaintenance(record)
    },
  )
}

function addCreatingRoutes(app: App, { database, now }: MaintenanceRouteDeps): void {
  app.post(
    '/maintenance',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'createMaintenance',
        summary: 'Plan work, or put on record what was done',
        tags,
        body: CreateMaintenanceRequest,
        response: { 200: WireMaintenance, ...errorResponses(404) },
      },
    },
    async (request) => toPlatformMaintenance(await createMaintenance(database, request.caller, request.body, authorOf(request, now()))),
  )
  app.post(
    '/maintenance/:id/complete',
    {
      config: { scope: 'vehicles:write', bodyMayBeMissing: true },
      schema: {
        operationId: 'completeMaintenance',
        summary: 'Complete planned work',
        description:
          'Publishes `maintenance.completed`, resolves the open alerts of the component that were opened before, begins its life anew in the next ' +
          'prediction, restarts its schedules, and holds the prediction that stood against what happened. Repeating it is fine.',
        tags,
        params: MaintenanceParams,
        body: CompleteMaintenanceRequest,
        response: { 200: WireMaintenance, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const change = { maintenanceId: request.params.id, asked: request.body }
      return toPlatformMaintenance(await completeMaintenance(database, request.caller, change, authorOf(request, now())))
    },
  )
}

function addChangingRoutes(app: App, { database, now }: MaintenanceRouteDeps): void {
  app.patch(
    '/maintenance/:id',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'changeMaintenance',
        summary: 'Mend a record',
        tags,
        params: MaintenanceParams,
        body: ChangeMaintenanceRequest,
        response: { 200: WireMaintenance, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const change = { maintenanceId: request.params.id, asked: request.body }
      return toPlatformMaintenance(await changeMaintenance(database, request.caller, change, authorOf(request, now())))
    },
  )
  app.delete(
    '/maintenance/:id',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'removeMaintenance',
        summary: 'Remove a record that was made by mistake',
        description: 'Lives are counted as if it had never been. Alerts it resolved and schedules it restarted stay as they are.',
        tags,
        params: MaintenanceParams,
        response: { 200: RemovedMaintenance, ...errorResponses(404) },
      },
    },
    async (request) => {
      await removeMaintenance(database, request.caller, request.params.id, authorOf(request, now()))
      return { id: request.params.id, removed: true as const }
    },
  )
}

async function listRecords(database: Database, caller: Viewer, query: Static<typeof MaintenanceListQuery>) {
  const page = pageRequest('maintenance', query, 'newest first')
  const { resellerId, subClientPin } = caller
  const db = database.tenantPool(resellerId)
  const vehicle = query.vehicleId === undefined ? undefined : await findVehicle(db, caller, query.vehicleId)
  if (query.vehicleId !== undefined && vehicle === undefined) return { total: 0, ...toPage([], page) }
  const filter = { vehicleId: vehicle?.vehicleId, status: query.status, component: query.component, subClientPin, ...givenRange(query) }
  const [records, total] = await Promise.all([selectRecords(db, resellerId, filter, page), countRecords(db, resellerId, filter)])
  return { total, ...toPage(records, page) }
}

function toPage(records: readonly ShownRecord[], page: PageRequest) {
  const { items, pagination } = endPage(records, page, ({ createdAt, maintenanceId }) => ({ at: createdAt, id: maintenanceId }))
  return { maintenance: items.map(toPlatformMaintenance), pagination }
}

function toPlatformMaintenance(record: ShownRecord): WireMaintenance {
  const { cost } = record
  return {
    id: record.maintenanceId,
    vehicleId: record.vehicleId,
    component: record.component,
    status: record.status,
    scheduleId: record.scheduleId ?? null,
    dueAt: record.dueAt?.toISOString() ?? null,
    completedAt: record.completedAt?.toISOString() ?? null,
    odometer_km: record.odometerKm ?? null,
    engine_hours: record.engineHours ?? null,
    cost: cost === undefined ? null : { amount_minor: cost.amountMinor, currency: cost.currency },
    notes: record.notes ?? null,
    condition_found: record.conditionFound ?? null,
    renewed: record.renewed,
    predictionId: record.predictionId ?? null,
    prediction: toPlatformOutcome(record),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  }
}

function toPlatformOutcome({ held, completedAt, conditionFound }: ShownRecord): WireMaintenance['prediction'] {
  if (held === undefined || completedAt === undefined) return null
  const { outcome, actualDays } = outcomeOf(held, { completedAt, conditionFound })
  return {
    id: held.predictionId,
    toldAt: held.toldAt.toISOString(),
    rul_days: held.rulDays,
    interval: [held.rulP10Days, held.rulP90Days],
    actual_days: Math.round(actualDays * 100) / 100,
    outcome,
  }
}
