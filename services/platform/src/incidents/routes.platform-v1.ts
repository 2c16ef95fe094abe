import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  AssigneeList,
  AssigneeListQuery,
  IncidentChange,
  IncidentHistory,
  IncidentHistoryQuery,
  IncidentList,
  IncidentListQuery,
  IncidentParams,
  Incident as WireIncident,
} from '@roadworthy/contracts/platform-v1/incidents'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { isStorable } from '@roadworthy/service-kit/text/storable-text'
import type { Static } from 'typebox'
import { countAuditRows, selectAuditRows } from '../audit/audit.sql.ts'
import { authorOf } from '../audit/audit.ts'
import type { Viewer } from '../fleet/viewer.ts'
import type { LoadAdviceBases } from '../predictions/dated-advice.ts'
import { findVehicle } from '../readings/require-vehicle.ts'
import { changeIncident, noSuchIncident, type ResolveAlerts, requireIncidentOwner } from './change-incident.ts'
import {
  countAssignees,
  countIncidents,
  type IncidentFilter,
  type ShownIncident,
  selectAssignees,
  selectIncidents,
  selectIncidentsByUrgency,
} from './incidents.read.sql.ts'
import type { IncidentMove } from './move-incident.ts'
import { toPlatformIncident, toPlatformStep } from './wire-incident.ts'

const tags = ['Incidents']

export type IncidentRoutesDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly loadAdviceBases: LoadAdviceBases
  /** Of the slice that keeps alerts. */
  readonly resolveAlerts: ResolveAlerts
}

export function incidentPlatformRoutes(deps: IncidentRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addAssigneeRoute(app as App, deps)
    app.get(
      '/incidents',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'listIncidents',
          summary: 'List incidents, newest first or by urgency',
          description:
            'Findings with one cause are one incident: one severity, one component, one recommendation, its evidence beside each other.',
          tags,
          querystring: IncidentListQuery,
          response: { 200: IncidentList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => listIncidents(deps, caller, query),
    )
    app.get(
      '/incidents/:id',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'getIncident',
          summary: 'Get one incident',
          tags,
          params: IncidentParams,
          response: { 200: WireIncident, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => await showIncident(deps, caller, params.id),
    )
    addHistoryRoute(app as App, deps)
    app.patch(
      '/incidents/:id',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'changeIncident',
          summary: 'Acknowledge, snooze, resolve or assign an incident, or take that back',
          description:
            'Resolving resolves its alerts, each by its own rules; what is found anew, or gets worse, opens another incident. A snooze ends at its time, and when the incident gets graver.',
          tags,
          params: IncidentParams,
          body: IncidentChange,
          response: { 200: WireIncident, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        if (!isIncidentId(params.id)) throw noSuchIncident()
        const change = { incidentId: params.id, move: toMove(body), assignee: body.assignee }
        // Snoozes end by the database's clock, so they begin by it.
        await changeIncident(deps, caller, change, authorOf(request, await deps.database.now()))
        return await showIncident(deps, caller, params.id)
      },
    )
  }
}

function addAssigneeRoute(app: App, { database }: IncidentRoutesDeps): void {
  app.get(
    '/incidents/assignees',
    {
      config: { scope: 'predict' },
      schema: {
        operationId: 'listAssignees',
        summary: 'List the people to whom incidents can be assigned',
        description: 'Those of one sub-client see only its incidents. A caller that is bound to a sub-client is shown its people alone.',
        tags,
        querystring: AssigneeListQuery,
        response: { 200: AssigneeList, ...errorResponses() },
      },
    },
    async ({ caller: { resellerId, subClientPin }, query }) => {
      const page = pageRequest('assignees', query)
      const db = database.tenantPool(resellerId)
      const [found, total] = await Promise.all([
        selectAssignees(db, resellerId, subClientPin, page),
        countAssignees(db, resellerId, subClientPin),
      ])
      const { items, pagination } = endPage(found, page, ({ createdAt, userId }) => ({ at: createdAt, id: userId }))
      const assignees = items.map(({ userId, email, subClientId }) => ({ id: userId, email, subClientId: subClientId ?? null }))
      return { total, assignees, pagination }
    },
  )
}

function addHistoryRoute(app: App, { database }: IncidentRoutesDeps): void {
  app.get(
    '/incidents/:id/history',
    {
      config: { scope: 'predict' },
      schema: {
        operationId: 'listIncidentHistory',
        summary: 'What people did to an incident, newest first',
        description: 'Who acknowledged, snoozed, assigned, opened again or resolved it, and when: as long as the audit log is kept.',
        tags,
        params: IncidentParams,
        querystring: IncidentHistoryQuery,
        response: { 200: IncidentHistory, ...errorResponses(404) },
      },
    },
    async ({ caller, params, query }) => {
      const page = pageRequest('incident history', query, 'newest first')
      const db = database.tenantPool(caller.resellerId)
      if (!isIncidentId(params.id)) throw noSuchIncident()
      await requireIncidentOwner(db, caller, params.id)
      const filter = { objectId: params.id, actorId: undefined, action: undefined, from: undefined, to: undefined }
      const [found, total] = await Promise.all([
        selectAuditRows(db, caller.resellerId, filter, page),
        countAuditRows(db, caller.resellerId, filter),
      ])
      const { items, pagination } = endPage(found, page, ({ at, auditId }) => ({ at, id: auditId }))
      return { total, history: items.map(toPlatformStep), pagination }
    },
  )
}

async function listIncidents(deps: IncidentRoutesDeps, caller: Viewer, query: Static<typeof IncidentListQuery>) {
  const { resellerId, subClientPin } = caller
  const { status, severity, component, subClientId, groupId, order = 'newest' } = query
  const isByUrgency = order === 'urgency'
  if (isByUrgency && status === 'resolved') throw neverUrgent()
  const page = isByUrgency ? pageRequest('incidents by urgency', query) : pageRequest('incidents', query, 'newest first')
  const db = deps.database.tenantPool(resellerId)
  const nothing = { total: 0, incidents: [], pagination: { endCursor: null, hasNextPage: false } }
  if ((subClientId !== undefined && !isSlug(subClientId)) || !isStorable(component)) return nothing
  const vehicle = query.vehicleId === undefined ? undefined : await findVehicle(db, caller, query.vehicleId)
  if (query.vehicleId !== undefined && vehicle === undefined) return nothing
  const filter: IncidentFilter = { status, severity, component, vehicleId: vehicle?.vehicleId, subClientId, groupId, subClientPin }
  const select = isByUrgency ? selectIncidentsByUrgency : selectIncidents
  const [found, total] = await Promise.all([
    select(db, resellerId, filter, page),
    countIncidents(db, resellerId, { ...filter, isLive: isByUrgency }),
  ])
  const { items, pagination } = endPage(found, page, ({ rankAt, openedAt, incidentId }) => ({
    at: rankAt ?? openedAt,
    id: incidentId,
  }))
  return { total, incidents: await toWire(db, deps, resellerId, items), pagination }
}

async function showIncident(deps: IncidentRoutesDeps, { resellerId, subClientPin }: Viewer, incidentId: string): Promise<WireIncident> {
  if (!isIncidentId(incidentId)) throw noSuchIncident()
  const db = deps.database.tenantPool(resellerId)
  const found = await selectIncidents(db, resellerId, { incidentId, subClientPin }, pageRequest('incidents', { limit: 1 }, 'newest first'))
  const [incident] = await toWire(db, deps, resellerId, found)
  if (incident === undefined) throw noSuchIncident()
  return incident
}

async function toWire(db: Db, { loadAdviceBases, now }: IncidentRoutesDeps, resellerId: string, incidents: readonly ShownIncident[]) {
  const advised = new Set(incidents.flatMap(({ vehicleId, advice }) => (advice === undefined ? [] : (vehicleId ?? []))))
  const today = now()
  const basisOf = advised.size === 0 ? undefined : await loadAdviceBases(db, resellerId, [...advised], today)
  return incidents.map((incident) => toPlatformIncident(incident, basisOf, today))
}

/** PostgreSQL cannot be asked about a text with NUL in it. */
function isIncidentId(text: string): boolean {
  return /^inc-[a-z0-9]+$/.test(text)
}

/** What goes with a status is given with it, and with no other. */
function toMove({ status, snoozedUntil, resolution }: Static<typeof IncidentChange>): IncidentMove | undefined {
  if ((status === 'snoozed') !== (snoozedUntil !== undefined)) throw belongsTo('snoozedUntil', 'snoozed')
  if ((status === 'resolved') !== (resolution !== undefined)) throw belongsTo('resolution', 'resolved')
  if (status === undefined) return undefined
  if (snoozedUntil !== undefined) return { to: 'snoozed', until: new Date(snoozedUntil) }
  if (resolution === undefined) return { to: status === 'open' ? 'open' : 'acknowledged' }
  const { reason, note, maintenanceId } = resolution
  return { to: 'resolved', resolution: { reason, note, maintenanceId } }
}

function neverUrgent(): Problem {
  return new Problem('invalid_request', 'Incidents that are resolved have no urgency; ask for them with the order "newest".', {
    details: { in: 'querystring', field: 'order' },
  })
}

function belongsTo(field: string, status: string): Problem {
  return new Problem('invalid_request', `"${field}" and the status ${status} are given together.`, { details: { in: 'body', field } })
}
