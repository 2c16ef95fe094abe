// Alerts that belong to no incident yet are placed: those that were open before there were incidents, and what a process of an earlier release
// opens beside this one. Such a process also ends alerts and knows of no incident to end.

import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { selectEmptiedIncidentsAcrossResellers } from '../incidents/incidents.read.sql.ts'
import { resettleIncidents } from '../incidents/settle-incidents.ts'
import type { JobKind } from '../jobs/job.ts'
import { periodicJob } from '../jobs/periodic-job.ts'
import {
  type ResellerAlert,
  selectStandingAlertsAcrossResellers,
  selectStandingAlertsOfSchedulesAcrossResellers,
  selectStandingDeviceAlertsAcrossResellers,
  selectUnplacedAlertsAcrossResellers,
} from './alerts.sql.ts'
import { storeAlertsAcrossResellers } from './store-alerts.ts'

const BATCH_SIZE = 200
/** Assumption: nobody waits for it; a deployment is over in minutes. */
const IDLE_MS = 60_000

type AdoptDeps = { readonly database: Database; readonly now: () => Date }

/** One round; answers how many alerts and incidents were looked at. */
export async function adoptAlerts({ database, now }: AdoptDeps): Promise<number> {
  const unplaced = await selectUnplacedAlertsAcrossResellers(database.systemPool, BATCH_SIZE)
  const at = now()
  // Each source by itself, so that alerts are locked in the order in which whoever else changes them does it.
  for (const ofSource of Map.groupBy(unplaced, ({ source }) => source).values()) {
    await database.system(async (db) => {
      const standing = await selectStandingBeside(db, ofSource)
      await storeAlertsAcrossResellers(db, { changed: standing.map((alert) => ({ before: alert, after: alert })), opened: [] }, at)
    })
  }
  return unplaced.length + (await endEmptied(database, at))
}

/** Those, and what else is looked at with them, as it is now. */
async function selectStandingBeside(db: Db, alerts: readonly ResellerAlert[]): Promise<ResellerAlert[]> {
  switch (alerts[0]?.source) {
    case 'maintenance':
      return await selectStandingAlertsOfSchedulesAcrossResellers(
        db,
        alerts.flatMap(({ resellerId, scheduleId }) => (scheduleId === undefined ? [] : { resellerId, scheduleId })),
      )
    case 'device':
      return await selectStandingDeviceAlertsAcrossResellers(
        db,
        alerts.map((alert) => ({ ...alert, event: alert.type })),
      )
    default: {
      const vehicles = new Map(alerts.map(({ resellerId, vehicleId = '' }) => [`${resellerId}/${vehicleId}`, { resellerId, vehicleId }]))
      return await selectStandingAlertsAcrossResellers(db, [...vehicles.values()])
    }
  }
}

async function endEmptied(database: Database, at: Date): Promise<number> {
  const emptied = await selectEmptiedIncidentsAcrossResellers(database.systemPool, BATCH_SIZE)
  for (const { resellerId, incidentId } of emptied) {
    await database.tenant(resellerId, (db) => resettleIncidents(db, resellerId, [incidentId], { at }))
  }
  return emptied.length
}

export function adoptionJob(deps: AdoptDeps): JobKind {
  const run = async () => ((await adoptAlerts(deps)) >= BATCH_SIZE ? 0 : undefined)
  return periodicJob({ kind: 'alert_adoption', everyMs: IDLE_MS, run }, deps.database.now)
}
