import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { ReportedAlert } from './alert.ts'
import { type ResellerAlert, selectStandingDeviceAlertsAcrossResellers } from './alerts.sql.ts'
import { openAlert } from './decide-alerts.ts'
import { storeAlertsAcrossResellers } from './store-alerts.ts'

export type SimVerdict = {
  readonly resellerId: string
  /** Of the device that has the SIM; undefined where the device is in none. */
  readonly vehicleId: string | undefined
  readonly deviceId: string
  readonly report: ReportedAlert
  /** Whether it is so now. */
  readonly isStanding: boolean
}

/**
 * Opens the alert of something odd about a device's SIM, or ends it. What a person resolved stays resolved as long as it is so. It is an alert of
 * the device, as those are that the device raises itself.
 */
export async function settleSimAlertAcrossResellers(db: Db, verdict: SimVerdict, at: Date): Promise<void> {
  const { resellerId, vehicleId, deviceId, report, isStanding } = verdict
  const standing = await selectStandingDeviceAlertsAcrossResellers(db, [{ resellerId, vehicleId, deviceId, event: report.type }])
  const changed = isStanding ? [] : standing.map((before) => ({ before, after: ended(before, at) }))
  const about = { alertId: newId('alr'), vehicleId, deviceId, source: 'device' as const }
  const opens = isStanding && standing.length === 0
  const opened: ResellerAlert[] = opens ? [{ ...openAlert(report, about, { scoredAt: at, readingAt: at }), resellerId }] : []
  await storeAlertsAcrossResellers(db, { changed, opened }, at)
}

function ended(alert: ResellerAlert, at: Date): ResellerAlert {
  const over = { ...alert, conditionEndedAt: at, updatedAt: at }
  return alert.status === 'resolved' ? over : { ...over, status: 'resolved', resolvedAt: at, resolvedBy: 'engine' }
}
