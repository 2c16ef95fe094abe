// For tests only: a fleet whose findings a person tends, behind the routes of incidents, alerts, maintenance and health.

import type { Incident } from '@roadworthy/contracts/platform-v1/incidents'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import type { Severity } from '@roadworthy/signals/severity'
import { resolveAlertsOfIncident } from '../alerts/resolve-alerts.ts'
import { alertPlatformRoutes, standingPlatformAlerts } from '../alerts/routes.platform-v1.ts'
import { loadAdviceBases } from '../maintenance/advice-bases.ts'
import { maintenancePlatformRoutes } from '../maintenance/maintenance.routes.platform-v1.ts'
import { schedulePlatformRoutes } from '../maintenance/schedule.routes.platform-v1.ts'
import type { FakePrediction } from '../predictions/engine/test-engine.ts'
import { healthPlatformRoutes } from '../predictions/health.routes.platform-v1.ts'
import { startBench } from '../predictions/test-bench.ts'
import { startTestSurface, type TestCaller } from '../predictions/test-surface.ts'
import { settingsPlatformRoutes } from '../resellers/settings.routes.platform-v1.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { incidentPlatformRoutes } from './routes.platform-v1.ts'

export type Report = { type: string; component?: string; severity?: Severity; code?: string; incident?: string }

/** An alert as an engine reports it. */
function engineAlert({ type, component = 'cooling', severity = 'high', code, incident }: Report): object {
  const words = { description: `${type} found`, message: `${type} is ${severity}`, urgency: 'soon' }
  return { type, component, severity, ...words, ...(code === undefined ? {} : { code }), ...(incident === undefined ? {} : { incident }) }
}

export async function openDesk(t: CleanUp, database: Database, options: { engineUrl?: string } = {}) {
  const bench = await startBench(t, database, options)
  const { now, engine } = bench.deps
  const surface = await startTestSurface(t, platformSurface, [
    incidentPlatformRoutes({ database, now, loadAdviceBases, resolveAlerts: resolveAlertsOfIncident }),
    alertPlatformRoutes({ database, now }),
    maintenancePlatformRoutes({ database, now }),
    schedulePlatformRoutes({ database, now }),
    settingsPlatformRoutes({ database, now }),
    healthPlatformRoutes({ database, engine, now, standingAlerts: standingPlatformAlerts, loadAdviceBases }),
  ])
  const api = surface.as({ resellerId: bench.resellerId })
  const incidents = async (query = '') => (await api.get<{ incidents: Incident[] }>(`/incidents${query}`)).body.incidents
  return {
    bench,
    api,
    database,
    incidents,
    /** The only one of a vehicle. */
    only: async (vehicleId: string) => {
      const [incident, ...others] = await incidents(`?vehicleId=${vehicleId}`)
      if (incident === undefined || others.length > 0) throw new Error(`${others.length + (incident === undefined ? 0 : 1)} incidents`)
      return incident
    },
    as: (caller: Partial<TestCaller>) => surface.as({ resellerId: bench.resellerId, ...caller }),
    /** A minute later the engine reports this of a vehicle. */
    report: async (vehicleId: string, reports: readonly Report[], more: (answer: FakePrediction) => object = (answer) => answer) => {
      bench.engine.reshape = (answer) => more({ ...answer, alerts: reports.map(engineAlert) })
      bench.clock.nowMs += 60_000
      await bench.report(vehicleId, { signals: { coolantTempC: 90 } })
      return await bench.score()
    },
    events: async () => {
      const { rows } = await database.systemPool.query<{ type: string; data: Record<string, unknown>; sub_client_id: string | null }>(
        "select type, data::jsonb as data, sub_client_id from event_outbox where reseller_id = $1 and type like 'incident.%' order by outbox_id",
        [bench.resellerId],
      )
      return rows
    },
    audited: async () => {
      const { rows } = await database.systemPool.query<{ action: string; actor_id: string; changes: Record<string, unknown> }>(
        "select action, actor_id, changes from audit_log where reseller_id = $1 and action like 'incident.%' order by at, audit_id",
        [bench.resellerId],
      )
      return rows
    },
    addUser: async (userId: string, more: { deactivated?: boolean; subClientId?: string } = {}) => {
      await database.systemPool.query(
        `insert into users (reseller_id, user_id, email, password_scrypt, role, sub_client_id, created_at, deactivated_at)
         values ($1, $2, $3, null, $4, $5, now(), $6)`,
        [
          ...[bench.resellerId, userId, `${userId}@${bench.resellerId}.example`],
          ...[more.subClientId === undefined ? 'member' : 'sub_client_viewer', more.subClientId ?? null],
          more.deactivated === true ? new Date() : null,
        ],
      )
      return userId
    },
  }
}
