import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  ChangeScheduleRequest,
  CreateScheduleRequest,
  RemovedSchedule,
  ScheduleList,
  ScheduleListQuery,
  ScheduleParams,
  Schedule as WireSchedule,
} from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import type { App } from '@roadworthy/service-kit/http/http'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Static } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { findVehicle } from '../readings/require-vehicle.ts'
import { changeSchedule, createSchedule, isScheduleId, noSuchSchedule, removeSchedule } from './change-schedule.ts'
import { givenRange } from './given-time.ts'
import { dueOf, type Schedule } from './schedule.ts'
import { countSchedules, selectSchedules } from './schedules.sql.ts'

const tags = ['Maintenance']

export type ScheduleRouteDeps = { readonly database: Database; readonly now: () => Date }

export function schedulePlatformRoutes(deps: ScheduleRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addReadingRoutes(app as App, deps)
    addWritingRoutes(app as App, deps)
  }
}

function addReadingRoutes(app: App, { database }: ScheduleRouteDeps): void {
  app.get(
    '/maintenance/schedules',
    {
      config: { scope: 'vehicles:read' },
      schema: {
        operationId: 'listMaintenanceSchedules',
        summary: 'List what falls due, oldest schedule first',
        description: 'Schedules of retired vehicles are listed where `vehicleId` names one.',
        tags,
        querystring: ScheduleListQuery,
        response: { 200: ScheduleList, ...errorResponses() },
      },
    },
    async ({ caller, query }) => listSchedules(database, caller, query),
  )
  app.get(
    '/maintenance/schedules/:id',
    {
      config: { scope: 'vehicles:read' },
      schema: {
        operationId: 'getMaintenanceSchedule',
        summary: 'Get one schedule',
        tags,
        params: ScheduleParams,
        response: { 200: WireSchedule, ...errorResponses(404) },
      },
    },
    async ({ caller, params }) => {
      if (!isScheduleId(params.id)) throw noSuchSchedule()
      const { resellerId, subClientPin } = caller
      const filter = { scheduleId: params.id, subClientPin }
      const [schedule] = await selectSchedules(database.tenantPool(resellerId), resellerId, filter, pageRequest('schedules', { limit: 1 }))
      if (schedule === undefined) throw noSuchSchedule()
      return toPlatformSchedule(schedule)
    },
  )
}

function addWritingRoutes(app: App, { database, now }: ScheduleRouteDeps): void {
  app.post(
    '/maintenance/schedules',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'createMaintenanceSchedule',
        summary: 'Have work fall due by time, distance or engine hours',
        description: 'Due soon and overdue are alerts (`maintenance_due_soon`, `maintenance_overdue`), which end when the work is done.',
        tags,
        body: CreateScheduleRequest,
        response: { 200: WireSchedule, ...errorResponses(404) },
      },
    },
    async (request) => toPlatformSchedule(await createSchedule(database, request.caller, request.body, authorOf(request, now()))),
  )
  app.patch(
    '/maintenance/schedules/:id',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'changeMaintenanceSchedule',
        summary: 'Change a schedule',
        tags,
        params: ScheduleParams,
        body: ChangeScheduleRequest,
        response: { 200: WireSchedule, ...errorResponses(404) },
      },
    },
    async (request) => {
      const change = { scheduleId: request.params.id, asked: request.body }
      return toPlatformSchedule(await changeSchedule(database, request.caller, change, authorOf(request, now())))
    },
  )
  app.delete(
    '/maintenance/schedules/:id',
    {
      config: { scope: 'vehicles:write' },
      schema: {
        operationId: 'removeMaintenanceSchedule',
        summary: 'Remove a schedule and end its alerts',
        tags,
        params: ScheduleParams,
        response: { 200: RemovedSchedule, ...errorResponses(404) },
      },
    },
    async (request) => {
      await removeSchedule(database, request.caller, request.params.id, authorOf(request, now()))
      return { id: request.params.id, removed: true as const }
    },
  )
}

async function listSchedules(database: Database, caller: Viewer, query: Static<typeof ScheduleListQuery>) {
  const page = pageRequest('schedules', query)
  const { resellerId, subClientPin } = caller
  const db = database.tenantPool(resellerId)
  const vehicle = query.vehicleId === undefined ? undefined : await findVehicle(db, caller, query.vehicleId)
  if (query.vehicleId !== undefined && vehicle === undefined) return { total: 0, ...toPage([], page) }
  const filter = { vehicleId: vehicle?.vehicleId, status: query.status, component: query.component, subClientPin, ...givenRange(query) }
  const [schedules, total] = await Promise.all([selectSchedules(db, resellerId, filter, page), countSchedules(db, resellerId, filter)])
  return { total, ...toPage(schedules, page) }
}

function toPage(schedules: readonly Schedule[], page: PageRequest) {
  const { items, pagination } = endPage(schedules, page, ({ createdAt, scheduleId }) => ({ at: createdAt, id: scheduleId }))
  return { schedules: items.map(toPlatformSchedule), pagination }
}

function toPlatformSchedule(schedule: Schedule): WireSchedule {
  const { every, remind, last } = schedule
  const due = dueOf(schedule)
  return {
    id: schedule.scheduleId,
    vehicleId: schedule.vehicleId,
    component: schedule.component,
    title: schedule.title,
    every: { days: every.days ?? null, km: every.km ?? null, engine_hours: every.engineHours ?? null },
    remind: { days: remind.days, km: remind.km, engine_hours: remind.engineHours },
    last: { at: last.at.toISOString(), odometer_km: last.odometerKm ?? null, engine_hours: last.engineHours ?? null },
    next: {
      at: due.at?.toISOString() ?? null,
      odometer_km: due.odometerKm ?? null,
      engine_hours: due.engineHours ?? null,
      expectedAt: schedule.expectedAt?.toISOString() ?? null,
    },
    status: schedule.status,
    reviewedAt: schedule.reviewedAt.toISOString(),
    createdAt: schedule.createdAt.toISOString(),
    updatedAt: schedule.updatedAt.toISOString(),
  }
}
