import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { EngineAlert } from '../predictions/engine/engine-answer.ts'
import type { Score } from '../predictions/scoring/score-due-vehicles.ts'
import { subjectText } from '../readings/alarm.ts'
import type { ReportedAlert } from './alert.ts'
import type { AlertTransition } from './alert-events.ts'
import { type ResellerAlert, selectStandingAlertsAcrossResellers } from './alerts.sql.ts'
import { reportedCauses } from './causes.ts'
import { decideAlerts, openAlert } from './decide-alerts.ts'
import { storeAlertsAcrossResellers } from './store-alerts.ts'

/** Opens, updates and resolves alerts after a batch of scores, in its transaction. The scoring claim keeps a vehicle to one worker. */
export async function recordAlertsAcrossResellers(db: Db, scores: readonly Score[]): Promise<void> {
  const [first] = scores
  if (first === undefined) return
  const standing = Map.groupBy(await selectStandingAlertsAcrossResellers(db, scores), subjectText)
  const opened: ResellerAlert[] = []
  const changed: AlertTransition[] = []
  for (const score of scores) {
    const { resellerId, vehicleId } = score
    const before = standing.get(keyOf(score)) ?? []
    const decision = decideAlerts(before, score.alerts.map(toReportedAlert), score)
    for (const [nth, alert] of before.entries()) {
      const after = decision.changed[nth]
      if (after !== undefined) changed.push({ before: alert, after: { ...after, resellerId } })
    }
    for (const report of decision.opened) {
      opened.push({ ...openAlert(report, { alertId: newId('alr'), vehicleId }, score), resellerId })
    }
  }
  const scoreOf = new Map(scores.map((score) => [keyOf(score), score]))
  await storeAlertsAcrossResellers(db, { changed, opened }, first.scoredAt, (subject) => {
    const score = scoreOf.get(keyOf(subject))
    return score && reportedCauses(score)
  })
}

function keyOf({ resellerId, vehicleId }: { resellerId: string; vehicleId: string | undefined }): string {
  return subjectText({ resellerId, vehicleId, deviceId: undefined })
}

function toReportedAlert({ type, component, severity, description, message, urgency, code, evidence }: EngineAlert): ReportedAlert {
  return { type, component, severity, description, message, urgency, code, evidence: evidence ?? {} }
}
