import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import { assertOwnerWritable } from '../fleet/sub-client-access.ts'
import type { Viewer } from '../fleet/viewer.ts'
import { selectIncidentOwnersAcrossResellers } from '../incidents/incidents.read.sql.ts'
import { resettleIncidents } from '../incidents/settle-incidents.ts'
import { type AlarmSubject, subjectText } from '../readings/alarm.ts'
import type { Alert, AlertStatus } from './alert.ts'
import { publishChanged } from './alert-events.ts'
import { selectAlert, updateAlertStatus } from './alerts.sql.ts'

export type AlertMove = 'acknowledged' | 'resolved'

/** From which states a person may move an alert to a status. A resolved alert stays resolved: a condition that goes on opens another. */
const movesFrom: Readonly<Record<AlertMove, readonly AlertStatus[]>> = { acknowledged: ['open'], resolved: ['open', 'acknowledged'] }

/** A repeated move answers the alert as it is, so that a retry is safe; any other move from where it is not possible is a conflict. */
export async function changeAlert(
  database: Database,
  viewer: Viewer,
  change: { alertId: string; to: AlertMove },
  author: Author,
): Promise<Alert> {
  const { alertId, to } = change
  const { at } = author
  const { resellerId, subClientPin } = viewer
  return await database.tenant(resellerId, async (db) => {
    const before = await selectAlert(db, resellerId, alertId, subClientPin)
    if (before !== undefined) await assertOwnerWritable(db, resellerId, await ownerOf(db, before))
    const changed = await updateAlertStatus(db, resellerId, { alertId, from: movesFrom[to], to, at, subClientPin })
    if (changed !== undefined) {
      const states = { before: { status: before?.status }, after: { status: changed.status } }
      await writeAudit(db, author, { action: `alert.${to}`, objectId: alertId, ...states })
      if (before !== undefined) await publishChanged(db, [{ before, after: changed }])
      // Acknowledging one alert does not concern the others of its incident.
      if (to === 'resolved' && changed.incidentId !== undefined) {
        const resolution = { reason: 'other', note: 'Its last alert was resolved.' } as const
        await resettleIncidents(db, resellerId, [changed.incidentId], { at, ending: { resolvedBy: 'user', resolution } })
      }
      return changed
    }
    const current = await selectAlert(db, resellerId, alertId, subClientPin)
    if (current === undefined) throw noSuchAlert()
    if (current.status === to) return current
    throw new Problem('conflict', `An alert that is ${current.status} cannot become ${to}.`, {
      details: { status: current.status, field: 'status' },
    })
  })
}

async function ownerOf(db: Db, subject: AlarmSubject): Promise<string | undefined> {
  return (await selectIncidentOwnersAcrossResellers(db, [subject])).get(subjectText(subject))
}

export function noSuchAlert(): Problem {
  return new Problem('not_found', 'There is no such alert.')
}
