// Who no longer sees an incident is not at it: a person who was removed or deactivated, or is of another sub-client than the incident. It is looked for, so
// that it holds for every way in which people and vehicles change.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import { systemAuthor } from '../audit/audit.ts'
import type { JobKind } from '../jobs/job.ts'
import { periodicJob } from '../jobs/periodic-job.ts'
import { unassign } from './change-incident.ts'
import { selectLostAssignmentsAcrossResellers } from './incidents.read.sql.ts'

const BATCH_SIZE = 200
/** Assumption: who takes over the work of a person who left looks for it later than a minute after. */
const ROUND_MS = 60_000

type Deps = Pick<Database, 'system' | 'now'>

/** One round; answers how many incidents were assigned to nobody. */
export async function endLostAssignments(database: Deps): Promise<number> {
  const at = await database.now()
  return await database.system(async (db) => {
    const lost = await selectLostAssignmentsAcrossResellers(db, BATCH_SIZE)
    for (const { incident, subClientId } of lost) await unassign(db, incident, subClientId, systemAuthor(incident.resellerId, at))
    return lost.length
  })
}

export function assignmentJob(database: Deps): JobKind {
  const run = async () => ((await endLostAssignments(database)) >= BATCH_SIZE ? 0 : undefined)
  return periodicJob({ kind: 'incident_assignments', everyMs: ROUND_MS, run }, database.now)
}
