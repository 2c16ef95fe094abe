// Looks at SIMs of which the operator has just reported something. What is odd is published once, by an event and by an alert of the device that has the
// SIM; it ends when it is not seen any more.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { writeEvents } from '../../events/outbox.ts'
import { upsertJob } from '../../jobs/jobs.sql.ts'
import {
  insertAnomaly,
  type SimWithFacts,
  type StandingAnomaly,
  selectSimFacts,
  selectStandingAnomalies,
  updateAnomalyEnded,
  updateAnomalySeen,
} from './anomalies.sql.ts'
import { anomalyMessage } from './anomaly-message.ts'
import { type Anomaly, judgeAnomalies } from './judge-anomalies.ts'

/** The key of such a job is the id of the anomaly. */
export const ANOMALY_ALERT_JOB = 'sim_anomaly_alert'

/** In the transaction in which what the operator reported is stored. */
export async function reviewAnomalies(db: Db, resellerId: string, simIds: readonly string[], at: Date): Promise<void> {
  if (simIds.length === 0) return
  const standing = Map.groupBy(await selectStandingAnomalies(db, resellerId, simIds), ({ simId }) => simId)
  for (const sim of await selectSimFacts(db, resellerId, simIds, at)) {
    await settle(db, resellerId, sim, standing.get(sim.simId) ?? [], at)
  }
}

async function settle(db: Db, resellerId: string, sim: SimWithFacts, standing: readonly StandingAnomaly[], at: Date): Promise<void> {
  const found = new Map(judgeAnomalies(sim).map((anomaly) => [anomaly.kind, anomaly]))
  for (const anomaly of standing) {
    const same = found.get(anomaly.kind)
    found.delete(anomaly.kind)
    if (same !== undefined) await updateAnomalySeen(db, resellerId, { ...anomaly, detail: same.detail }, at)
    else {
      await updateAnomalyEnded(db, resellerId, anomaly.anomalyId, at)
      await askForAlert(db, resellerId, anomaly.anomalyId, at)
    }
  }
  for (const anomaly of found.values()) await open(db, resellerId, sim, anomaly, at)
}

async function open(db: Db, resellerId: string, sim: SimWithFacts, { kind, detail }: Anomaly, at: Date): Promise<void> {
  const { simId, iccid, msisdn, deviceId, subClientId } = sim
  const anomaly = { anomalyId: newId('san'), simId, kind, detail }
  if (!(await insertAnomaly(db, resellerId, anomaly, at))) return
  const about = { simId, iccid, msisdn: msisdn ?? null, deviceId: deviceId ?? null }
  const anomalyEvent = { ...about, type: kind, message: anomalyMessage({ kind, detail }, iccid), evidence: detail }
  await writeEvents(db, [{ resellerId, type: 'sim.anomaly', data: anomalyEvent, subClientId, occurredAt: at }])
  await askForAlert(db, resellerId, anomaly.anomalyId, at)
}

async function askForAlert(db: Db, resellerId: string, anomalyId: string, at: Date): Promise<void> {
  await upsertJob(db, { resellerId, kind: ANOMALY_ALERT_JOB, key: anomalyId }, at)
}
