import type { Db } from '@roadworthy/service-kit/db'
import { newId } from '@roadworthy/service-kit/ids'
import { writeEvents } from '../events/outbox.ts'
import type { EngineAlert } from '../predictions/engine-answer.ts'
import type { Score } from '../predictions/score-due-vehicles.ts'
import { vehicleKeyText } from '../predictions/scoring.sql.ts'
import type { ReportedAlert } from './alert.ts'
import {
  insertAlertsAcrossResellers,
  type ResellerAlert,
  selectOwnersAcrossResellers,
  selectStandingAlertsAcrossResellers,
  updateAlertsAcrossResellers,
} from './alerts.sql.ts'
import { decideAlerts, openAlert } from './decide-alerts.ts'

/** Opens, updates and resolves alerts after a batch of scores, in its transaction. The scoring claim keeps a vehicle to one worker. */
export async function recordAlertsAcrossResellers(db: Db, scores: readonly Score[]): Promise<void> {
  const standing = Map.groupBy(await selectStandingAlertsAcrossResellers(db, scores), vehicleKeyText)
  const opened: ResellerAlert[] = []
  const changed: ResellerAlert[] = []
  for (const score of scores) {
    const { resellerId, vehicleId } = score
    const decision = decideAlerts(standing.get(vehicleKeyText(score)) ?? [], score.alerts.map(toReportedAlert), score)
    for (const alert of decision.changed) changed.push({ ...alert, resellerId })
    for (const report of decision.opened) {
      opened.push({ ...openAlert(report, { alertId: newId('alr'), vehicleId }, score), resellerId })
    }
  }
  // Ended ones first: a condition that got worse after a person closed its alert has a new row for the same key.
  if (changed.length > 0) await updateAlertsAcrossResellers(db, changed)
  if (opened.length > 0) await openAlertsAcrossResellers(db, opened)
}

/** Stores new alerts and tells of them. Spec §6.1: `alert.created`. */
export async function openAlertsAcrossResellers(db: Db, opened: readonly ResellerAlert[]): Promise<void> {
  await insertAlertsAcrossResellers(db, opened)
  const owners = await selectOwnersAcrossResellers(db, opened)
  await writeEvents(
    db,
    opened.map((alert) => ({
      resellerId: alert.resellerId,
      type: 'alert.created',
      data: toAlertCreated(alert),
      subClientId: owners.get(vehicleKeyText(alert)),
      occurredAt: alert.openedAt,
    })),
  )
}

function toAlertCreated({ alertId, vehicleId, severity, message, type, component, description, urgency, code }: ResellerAlert) {
  return { vehicleId, severity, message, id: alertId, type, component, description, urgency, code: code ?? null }
}

function toReportedAlert({ type, component, severity, description, message, urgency, code, evidence }: EngineAlert): ReportedAlert {
  return { type, component, severity, description, message, urgency, code, evidence: evidence ?? {} }
}
