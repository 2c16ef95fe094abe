// The alert of what is odd about a SIM, where a device has it. One without a device has its event alone.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { ReportedAlert } from '../../alerts/alert.ts'
import { settleSimAlertAcrossResellers } from '../../alerts/settle-sim-alerts.ts'
import type { JobKind } from '../../jobs/job.ts'
import { type AnomalyToReport, selectAnomalyToReportAcrossResellers } from './anomalies.sql.ts'
import { anomalyMessage } from './anomaly-message.ts'
import type { AnomalyKind } from './judge-anomalies.ts'
import { ANOMALY_ALERT_JOB } from './review-anomalies.ts'

export function anomalyAlertJobKind({ database, now }: { readonly database: Database; readonly now: () => Date }): JobKind {
  return {
    kind: ANOMALY_ALERT_JOB,
    concurrency: 2,
    perReseller: 2,
    run: async ({ resellerId, key }) => {
      await database.system(async (db) => {
        const anomaly = await selectAnomalyToReportAcrossResellers(db, resellerId, key)
        if (anomaly?.deviceId === undefined) return
        const { deviceId, vehicleId, isStanding } = anomaly
        await settleSimAlertAcrossResellers(db, { resellerId, deviceId, vehicleId, report: reportOf(anomaly), isStanding }, now())
      })
      return 'done'
    },
  }
}

const titles: Readonly<Record<AnomalyKind, string>> = {
  wrong_device: 'SIM in another device',
  usage_above_habit: 'SIM uses unusually much data',
  traffic_in_custody: 'Parked SIM has traffic',
}

function reportOf(anomaly: AnomalyToReport): ReportedAlert {
  const { kind, detail, simId, iccid } = anomaly
  return {
    type: `sim_${kind}`,
    component: 'device',
    // Assumption: somebody pays for it and may be stealing it, and no vehicle is at risk.
    severity: kind === 'usage_above_habit' ? 'medium' : 'high',
    urgency: kind === 'usage_above_habit' ? 'soon' : 'urgent',
    description: titles[kind],
    message: anomalyMessage(anomaly, iccid),
    code: undefined,
    evidence: { simId, iccid, ...detail },
  }
}
