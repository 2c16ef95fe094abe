// Whether somebody does the work of the background. A process without the role `worker` is ready and takes readings all the same.

import { connect, dbOf } from '@roadworthy/platform/backup/snapshot.sql'
import { selectOldestDueAcrossResellers } from '@roadworthy/platform/jobs/jobs.sql'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { type Finding, okay, skip, wrong } from '../finding.ts'

const NAME = 'background work'
/** A worker does what the installation itself is to do within seconds, and has something to do every few. */
const MAX_WAIT_S = 300

export async function checkWorker(ownerUrl: string | undefined, secretKey: string | undefined): Promise<Finding> {
  const unknown = skip(NAME, 'the database cannot be asked')
  if (ownerUrl === undefined || secretKey === undefined) return unknown
  const client = await connect(databaseUrls(ownerUrl, secretKey).direct.system).catch(() => undefined)
  if (client === undefined) return unknown
  try {
    return judge(await selectOldestDueAcrossResellers(dbOf(client)))
  } catch {
    // The database has no schema yet, or one of before there were jobs.
    return unknown
  } finally {
    await client.end()
  }
}

function judge(waitingS: number): Finding {
  if (waitingS <= MAX_WAIT_S) return okay(NAME, 'a worker does what is due')
  return wrong(NAME, {
    detail: `work of the installation has been due for ${Math.round(waitingS / 60)} minutes, and nobody does it.`,
    why: 'No vehicle is scored, and no alert, message, webhook or invoice is made; what is due is kept, and waits.',
    fix: 'Start a process whose ROLES has worker. Where one runs, its /readyz and its log have the reason.',
  })
}
