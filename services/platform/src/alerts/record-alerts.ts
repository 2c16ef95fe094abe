import type { Db } from '@roadworthy/service-kit/db'
import { newId } from '@roadworthy/service-kit/ids'
import type { EngineAlert } from '../predictions/engine-answer.ts'
import type { Score } from '../predictions/score-due-vehicles.ts'
import { subjectText } from '../readings/alarm.ts'
import type { ReportedAlert } from './alert.ts'
import { type AlertTransition, publishChanged, publishOpened } from './alert-events.ts'
import {
  insertAlertsAcrossResellers,
  type ResellerAlert,
  selectStandingAlertsAcrossResellers,
  updateAlertsAcrossResellers,
} from './alerts.sql.ts'
import { decideAlerts, openAlert } from './decide-alerts.ts'

/** Opens, updates and resolves alerts after a batch of scores, in its transaction. The scoring claim keeps a vehicle to one worker. */
export async function recordAlertsAcrossResellers(db: Db, scores: readonly Score[]): Promise<void> {
  const standing = Map.groupBy(await selectStandingAlertsAcrossResellers(db, scores), subjectText)
  const opened: ResellerAlert[] = []
  const changed: AlertTransition[] = []
  for (const score of scores) {
    const { resellerId, vehicleId } = score
    const before = standing.get(subjectText({ resellerId, vehicleId, deviceId: undefined })) ?? []
    const decision = decideAlerts(before, score.alerts.map(toReportedAlert), score)
    for (const [nth, alert] of before.entries()) {
      const after = decision.changed[nth]
      if (after !== undefined) changed.push({ before: alert, after: { ...after, resellerId } })
    }
    for (const report of decision.opened) {
      opened.push({ ...openAlert(report, { alertId: newId('alr'), vehicleId }, score), resellerId })
    }
  }
  // Ended ones first: a condition that got worse after a person closed its alert has a new row for the same key.
  if (changed.length > 0) await changeAlertsAcrossResellers(db, changed)
  if (opened.length > 0) await openAlertsAcrossResellers(db, opened)
}

/** Stores new alerts and publishes that they were opened. */
export async function openAlertsAcrossResellers(db: Db, opened: readonly ResellerAlert[]): Promise<void> {
  await insertAlertsAcrossResellers(db, opened)
  await publishOpened(db, opened)
}

/** Stores alerts as they are now and publishes what of it is news. */
export async function changeAlertsAcrossResellers(db: Db, transitions: readonly AlertTransition[]): Promise<void> {
  await updateAlertsAcrossResellers(
    db,
    transitions.map(({ after }) => after),
  )
  await publishChanged(db, transitions)
}

function toReportedAlert({ type, component, severity, description, message, urgency, code, evidence }: EngineAlert): ReportedAlert {
  return { type, component, severity, description, message, urgency, code, evidence: evidence ?? {} }
}
