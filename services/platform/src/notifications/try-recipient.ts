// A test of a channel or a browser: one message, sent at once, and the answer in words. It goes the way of all messages, and is in their log.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { type Author, writeAudit } from '../audit/audit.ts'
import type { JobId, JobOutcome } from '../jobs/job.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import type { Notification } from './notification.ts'
import { type Ending, insertNotifications, selectNotificationsAbout, updateLeftNotifications } from './notifications.sql.ts'
import { sendNotification } from './send-notification.ts'

/** The key of the job is the id of the channel or the browser. Its name is from when there were channels alone. */
export const TRIAL_JOB = 'settle-channel-test'
const TEST_EVERY_MS = 5_000
/** Longer than an attempt takes. */
const SETTLED_AFTER_MS = 60_000

export type Trial<Found> = {
  /** The channel or the browser. */
  readonly recipient: string
  readonly action: `${string}.tested`
  /** Locks it. Throws where there is none. */
  readonly require: (db: Db) => Promise<Found>
  /** Whose it is. */
  readonly of: (found: Found) => { readonly subClientId: string | undefined; readonly userId?: string }
  readonly send: (found: Found, test: Notification) => Promise<Ending>
}

export async function tryRecipient<Found>(database: Database, author: Author, trial: Trial<Found>): Promise<Notification> {
  const { resellerId, at } = author
  const { recipient } = trial
  const topic = { testsOfRecipient: recipient }
  const found = await database.tenant(resellerId, async (db) => {
    const found = await trial.require(db)
    const { subClientId, userId } = trial.of(found)
    const [latest] = (await selectNotificationsAbout(db, resellerId, topic)).slice(-1)
    if (latest !== undefined && at.getTime() - latest.createdAt.getTime() < TEST_EVERY_MS) {
      throw new Problem('conflict', 'It was tested a moment ago; wait a few seconds.', {
        details: { waitSeconds: TEST_EVERY_MS / 1000 },
      })
    }
    await insertNotifications(
      db,
      resellerId,
      [{ ruleId: undefined, incidentId: undefined, subClientId, step: 'test', recipient, userId }],
      at,
    )
    // Of a process that ends while it waits for the answer, somebody says so.
    await upsertJob(db, { resellerId, kind: TRIAL_JOB, key: recipient }, new Date(at.getTime() + SETTLED_AFTER_MS))
    await writeAudit(db, author, { action: trial.action, objectId: recipient, subClientId })
    return found
  })
  const db = database.tenantPool(resellerId)
  const latestOf = async () => (await selectNotificationsAbout(db, resellerId, topic)).at(-1)
  const test = await latestOf()
  if (test === undefined) throw new Error('the test is not in the log')
  await sendNotification(database, resellerId, test, async () => () => trial.send(found, test), at)
  return (await latestOf()) ?? test
}

/** Tests that a process left behind. */
export async function settleTests({ database }: { readonly database: Database }, { resellerId, key }: JobId): Promise<JobOutcome> {
  await updateLeftNotifications(database.tenantPool(resellerId), resellerId, { testsOfRecipient: key })
  return 'done'
}
