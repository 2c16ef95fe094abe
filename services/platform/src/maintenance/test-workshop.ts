// For tests only: a fleet that is scored, behind the routes of maintenance, with the clock in the test's hand.

import assert from 'node:assert/strict'
import type { Maintenance } from '@roadworthy/contracts/platform-v1/maintenance'
import type { Schedule } from '@roadworthy/contracts/platform-v1/maintenance-schedules'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { alertPlatformRoutes } from '../alerts/routes.platform-v1.ts'
import { predictionPlatformRoutes } from '../predictions/routes.platform-v1.ts'
import { startBench } from '../predictions/test-bench.ts'
import { type Answer, startTestSurface, type TestCaller } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { calendarPlatformRoutes } from './calendar.routes.platform-v1.ts'
import { learningPlatformRoutes } from './learning.routes.platform-v1.ts'
import { maintenancePlatformRoutes } from './maintenance.routes.platform-v1.ts'
import { odometerPlatformRoutes } from './odometer.routes.platform-v1.ts'
import { reviewSchedules } from './review-schedules.ts'
import { schedulePlatformRoutes } from './schedule.routes.platform-v1.ts'

export const DAY_MS = 86_400_000
/** Longer than a schedule waits for its review. */
const REVIEWED_MS = 6 * 60_000

export type WireAlert = {
  id: string
  type: string
  component: string
  status: string
  resolvedBy: string | null
  message: string
  source: string
  scheduleId: string | null
}

export async function openWorkshop(t: CleanUp, database: Database, options: { engineUrl?: string } = {}) {
  const bench = await startBench(t, database, options)
  const { now } = bench.deps
  const surface = await startTestSurface(t, platformSurface, [
    maintenancePlatformRoutes({ database, now }),
    schedulePlatformRoutes({ database, now }),
    odometerPlatformRoutes({ database, now }),
    calendarPlatformRoutes({ database, publicDatabase: database, now, baseUrl: 'https://fleet.example.com' }),
    learningPlatformRoutes({ database, now }),
    alertPlatformRoutes({ database, now }),
    predictionPlatformRoutes({ database }),
  ])
  const api = surface.as({ resellerId: bench.resellerId })
  const alertsOf = async (vehicleId: string) => (await api.get<{ alerts: WireAlert[] }>(`/alerts?vehicleId=${vehicleId}`)).body.alerts
  /** By the database's clock, by which they are taken. */
  const letReviewsAge = async () => {
    await database.systemPool.query(
      'update maintenance_schedules set reviewed_at = reviewed_at - make_interval(secs => $2::float8 / 1000) where reseller_id = $1',
      [bench.resellerId, REVIEWED_MS],
    )
  }
  return {
    bench,
    api,
    database,
    letReviewsAge,
    as: (caller: Partial<TestCaller>) => surface.as({ resellerId: bench.resellerId, ...caller }),
    inject: (url: string) =>
      surface.app.inject({ method: 'GET', url, headers: { 'x-test-caller': JSON.stringify({ resellerId: 'nobody' }) } }),
    alertsOf,
    standingAlertsOf: async (vehicleId: string) => (await alertsOf(vehicleId)).filter(({ status }) => status !== 'resolved'),
    plan: (more: object) => api.post<Maintenance>('/maintenance', { component: 'brakes', status: 'planned', ...more }),
    done: (more: object) => api.post<Maintenance>('/maintenance', { component: 'brakes', status: 'completed', ...more }),
    complete: (id: string, more: object = {}) => api.post<Maintenance>(`/maintenance/${id}/complete`, more),
    schedule: (more: object): Promise<Answer<Schedule>> =>
      api.post<Schedule>('/maintenance/schedules', { component: 'brakes', title: 'Brake pads', ...more }),
    scheduleNow: async (id: string) => (await api.get<Schedule>(`/maintenance/schedules/${id}`)).body,
    review: async () => {
      bench.clock.nowMs += REVIEWED_MS
      await letReviewsAge()
      return await reviewSchedules({ database, now, onUnjudged: (_schedule, error) => assert.fail(error as Error) })
    },
    /** A reading a day, as many as there are kilometres. */
    driveDaily: async (vehicleId: string, kms: readonly number[]) => {
      for (const odometerKm of kms) {
        bench.clock.nowMs += DAY_MS
        await bench.report(vehicleId, { signals: { odometerKm } })
        await bench.score()
      }
    },
    events: async (type: string) => {
      const { rows } = await database.systemPool.query<{ data: Record<string, unknown>; sub_client_id: string | null }>(
        'select data, sub_client_id from event_outbox where reseller_id = $1 and type = $2 order by outbox_id',
        [bench.resellerId, type],
      )
      return rows
    },
  }
}
