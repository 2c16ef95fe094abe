// A test of a channel: one message, sent at once, and the answer in words. It goes the way of all messages, and is in their log.

import { Problem } from '@roadworthy/service-kit/problem'
import { type Author, writeAudit } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import type { JobId, JobOutcome } from '../jobs/job.ts'
import { upsertJob } from '../jobs/jobs.sql.ts'
import { requireChannel } from './manage-channels.ts'
import { testMessage } from './message.ts'
import type { Notification } from './notification.ts'
import { insertNotifications, selectNotificationsAbout, updateLeftNotifications } from './notifications.sql.ts'
import { postTo, type SendDeps, sendNotification } from './send-notification.ts'

/** The key of the job is the id of the channel. */
export const CHANNEL_TEST_JOB = 'settle-channel-test'
const TEST_EVERY_MS = 5_000
/** Longer than an attempt takes. */
const SETTLED_AFTER_MS = 60_000

export async function tryChannel(
  { database, exits }: Pick<SendDeps, 'database' | 'exits'>,
  caller: Caller,
  channelId: string,
  author: Author,
): Promise<Notification> {
  const { resellerId } = caller
  const { at } = author
  const topic = { testsOfChannelId: channelId }
  const channel = await database.tenant(resellerId, async (db) => {
    const found = await requireChannel(db, caller, channelId, 'locked')
    const { subClientId } = found
    const [latest] = (await selectNotificationsAbout(db, resellerId, topic)).slice(-1)
    if (latest !== undefined && at.getTime() - latest.createdAt.getTime() < TEST_EVERY_MS) {
      throw new Problem('conflict', 'The channel was tested a moment ago; wait a few seconds.', {
        details: { waitSeconds: TEST_EVERY_MS / 1000 },
      })
    }
    const wanted = { ruleId: undefined, incidentId: undefined, subClientId, step: 'test', recipient: channelId }
    await insertNotifications(db, resellerId, [wanted], at)
    // Of a process that ends while it waits for the answer, somebody says so.
    await upsertJob(db, { resellerId, kind: CHANNEL_TEST_JOB, key: channelId }, new Date(at.getTime() + SETTLED_AFTER_MS))
    await writeAudit(db, author, { action: 'notification_channel.tested', objectId: channelId, subClientId })
    return found
  })
  const db = database.tenantPool(resellerId)
  const latestOf = async () => (await selectNotificationsAbout(db, resellerId, topic)).at(-1)
  const test = await latestOf()
  if (test === undefined) throw new Error('the test is not in the log')
  const message = testMessage({ what: 'channel', name: channel.name }, await exits.present(resellerId, channel.subClientId))
  await sendNotification(database, resellerId, test, async () => () => postTo(exits, resellerId, channel, test, message, at), at)
  return (await latestOf()) ?? test
}

/** Tests that a process left behind. */
export async function settleChannelTests({ database }: Pick<SendDeps, 'database'>, { resellerId, key }: JobId): Promise<JobOutcome> {
  await updateLeftNotifications(database.tenantPool(resellerId), resellerId, { testsOfChannelId: key })
  return 'done'
}
