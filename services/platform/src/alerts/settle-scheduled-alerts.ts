import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Ending } from '../incidents/incident.ts'
import { type VehicleKey, vehicleKeyText } from '../predictions/vehicle-key.ts'
import type { ReportedAlert } from './alert.ts'
import type { AlertTransition } from './alert-events.ts'
import { type ResellerAlert, selectRetiredAcrossResellers, selectStandingAlertsOfSchedulesAcrossResellers } from './alerts.sql.ts'
import { openAlert } from './decide-alerts.ts'
import { storeAlertsAcrossResellers } from './store-alerts.ts'

export type ScheduleVerdict = {
  readonly resellerId: string
  readonly scheduleId: string
  readonly vehicleId: string
  /** What is to be reported of the schedule now; nothing while nothing is due. */
  readonly alert: ReportedAlert | undefined
}

/**
 * Brings the alerts of schedules in line with the schedules as they are now. An alert of another type or component than wanted ends, as when
 * what was due soon is overdue; one that a person resolved stays resolved as long as its schedule stays in that state. `ending` is of incidents that end.
 */
export async function settleScheduledAlertsAcrossResellers(
  db: Db,
  verdicts: readonly ScheduleVerdict[],
  at: Date,
  ending?: Ending,
): Promise<void> {
  const standing = Map.groupBy(await selectStandingAlertsOfSchedulesAcrossResellers(db, verdicts), keyOf)
  const changed: AlertTransition[] = []
  const wantedToOpen: (ResellerAlert & { readonly vehicleId: string })[] = []
  for (const verdict of verdicts) {
    const { alert: wanted, resellerId, vehicleId, scheduleId } = verdict
    let isPublished = false
    const alerts = standing.get(keyOf(verdict)) ?? []
    for (const alert of alerts) {
      if (wanted === undefined || alert.type !== wanted.type || alert.component !== wanted.component)
        changed.push({ before: alert, after: ended(alert, at) })
      else {
        isPublished = true
        const isNews = alert.message !== wanted.message
        // Also where nothing changes, while it belongs to no incident yet, or others of its incident end.
        if (isNews || alert.incidentId === undefined || alerts.length > 1) {
          changed.push({ before: alert, after: isNews ? { ...alert, ...wanted, updatedAt: at } : alert })
        }
      }
    }
    if (wanted === undefined || isPublished) continue
    const about = { alertId: newId('alr'), vehicleId, scheduleId }
    wantedToOpen.push({ ...openAlert(wanted, about, { scoredAt: at, readingAt: at }), resellerId, vehicleId })
  }
  const opened = await withoutRetired(db, wantedToOpen)
  await storeAlertsAcrossResellers(db, { changed, opened, ending }, at)
}

/** A retired vehicle opens no alert, also when its schedules are changed. */
async function withoutRetired<Opened extends VehicleKey>(db: Db, alerts: readonly Opened[]): Promise<readonly Opened[]> {
  if (alerts.length === 0) return alerts
  const retired = await selectRetiredAcrossResellers(db, alerts)
  return alerts.filter((alert) => !retired.has(vehicleKeyText(alert)))
}

function ended(alert: ResellerAlert, at: Date): ResellerAlert {
  const over = { ...alert, conditionEndedAt: at, updatedAt: at }
  return alert.status === 'resolved' ? over : { ...over, status: 'resolved', resolvedAt: at, resolvedBy: 'maintenance' }
}

function keyOf({ resellerId, scheduleId }: { resellerId: string; scheduleId: string | undefined }): string {
  return `${resellerId}/${scheduleId}`
}
