import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AlertChange, AlertList, AlertListQuery, AlertParams, Alert as WireAlert } from '@roadworthy/contracts/platform-v1/alerts'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { endPage, type PageRequest, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Static } from 'typebox'
import { authorOf } from '../audit/audit.ts'
import { isDeviceReference } from '../devices/device.ts'
import { selectDevice } from '../devices/devices.read.sql.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { findVehicle } from '../readings/require-vehicle.ts'
import type { Alert } from './alert.ts'
import { countAlerts, selectAlert, selectAlerts } from './alerts.sql.ts'
import { changeAlert, noSuchAlert } from './change-alert.ts'
import { type FaultCodeRoutesDeps, faultCodePlatformRoutes } from './fault-codes.routes.platform-v1.ts'

const tags = ['Alerts']

export function alertPlatformRoutes(deps: FaultCodeRoutesDeps): FastifyPluginAsyncTypebox {
  const { database, now } = deps
  return async (app) => {
    await app.register(faultCodePlatformRoutes(deps))
    app.get(
      '/alerts',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'listAlerts',
          summary: 'List alerts, newest first',
          tags,
          querystring: AlertListQuery,
          response: { 200: AlertList, ...errorResponses() },
        },
      },
      async ({ caller, query }) => listAlerts(database, caller, query),
    )
    app.get(
      '/alerts/:id',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'getAlert',
          summary: 'Get one alert',
          tags,
          params: AlertParams,
          response: { 200: WireAlert, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => {
        const { resellerId, subClientPin } = caller
        if (!isAlertId(params.id)) throw noSuchAlert()
        const alert = await selectAlert(database.tenantPool(resellerId), resellerId, params.id, subClientPin)
        if (alert === undefined) throw noSuchAlert()
        return toPlatformAlert(alert)
      },
    )
    app.patch(
      '/alerts/:id',
      {
        config: { scope: 'predict' },
        schema: {
          operationId: 'changeAlert',
          summary: 'Acknowledge or resolve an alert',
          description:
            'Acknowledging survives later answers of the engine. Resolving holds until the condition is gone and comes back, or gets worse; then another alert opens.',
          tags,
          params: AlertParams,
          body: AlertChange,
          response: { 200: WireAlert, ...errorResponses(404, 409) },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        if (!isAlertId(params.id)) throw noSuchAlert()
        return toPlatformAlert(await changeAlert(database, caller, { alertId: params.id, to: body.status }, authorOf(request, now())))
      },
    )
  }
}

async function listAlerts(database: Database, caller: Viewer, query: Static<typeof AlertListQuery>) {
  const page = pageRequest('alerts', query, 'newest first')
  const db = database.tenantPool(caller.resellerId)
  const vehicle = query.vehicleId === undefined ? undefined : await findVehicle(db, caller, query.vehicleId)
  if (query.vehicleId !== undefined && vehicle === undefined) return { total: 0, ...toPage([], page) }
  const device = query.deviceId === undefined ? undefined : await findDevice(db, caller, query.deviceId)
  if (query.deviceId !== undefined && device === undefined) return { total: 0, ...toPage([], page) }
  const filter = {
    severity: query.severity,
    statuses: query.status === undefined ? undefined : [query.status],
    vehicleId: vehicle?.vehicleId,
    deviceId: device?.deviceId,
    groupId: query.groupId,
    subClientPin: caller.subClientPin,
  }
  const [alerts, total] = await Promise.all([selectAlerts(db, caller.resellerId, filter, page), countAlerts(db, caller.resellerId, filter)])
  return { total, ...toPage(alerts, page) }
}

async function findDevice(db: Db, viewer: Viewer, reference: string) {
  return isDeviceReference(reference) ? await selectDevice(db, viewer, reference) : undefined
}

/** What the health of a vehicle shows of alerts: those that are not resolved, newest first. */
export async function standingPlatformAlerts(db: Db, resellerId: string, vehicleId: string): Promise<WireAlert[]> {
  const filter = {
    severity: undefined,
    statuses: ['open', 'acknowledged'] as const,
    vehicleId,
    deviceId: undefined,
    subClientPin: undefined,
  }
  return (await selectAlerts(db, resellerId, filter, pageRequest('alerts', {}, 'newest first'))).map(toPlatformAlert)
}

/** PostgreSQL cannot be asked about a text with NUL in it. */
function isAlertId(text: string): boolean {
  return /^alr-[a-z0-9]+$/.test(text)
}

function toPage(alerts: readonly Alert[], page: PageRequest) {
  const { items, pagination } = endPage(alerts, page, ({ openedAt, alertId }) => ({ at: openedAt, id: alertId }))
  return { alerts: items.map(toPlatformAlert), pagination }
}

function toPlatformAlert(alert: Alert): WireAlert {
  return {
    id: alert.alertId,
    vehicleId: alert.vehicleId ?? null,
    deviceId: alert.deviceId ?? null,
    severity: alert.severity,
    message: alert.message,
    timestamp: alert.openedAt.toISOString(),
    status: alert.status,
    type: alert.type,
    component: alert.component,
    description: alert.description,
    urgency: alert.urgency,
    code: alert.code ?? null,
    evidence: alert.evidence,
    occurrences: alert.occurrences,
    lastSeenAt: alert.lastSeenAt.toISOString(),
    acknowledgedAt: alert.acknowledgedAt?.toISOString() ?? null,
    resolvedAt: alert.resolvedAt?.toISOString() ?? null,
    resolvedBy: alert.resolvedBy ?? null,
    source: alert.source,
    scheduleId: alert.scheduleId ?? null,
    incidentId: alert.incidentId ?? null,
    updatedAt: alert.updatedAt.toISOString(),
  }
}
