// For tests only: a fleet with rules, the relay of events, the jobs of messages, and a clock that the test moves.

import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { newId } from '@roadworthy/service-kit/text/ids'
import { relayEvents } from '../events/relay.ts'
import { insertGroupMembers, upsertVehicleGroup } from '../fleet/vehicle-groups.sql.ts'
import { openDesk } from '../incidents/test-incident-desk.ts'
import { runDueJobs } from '../jobs/job-worker.ts'
import { loadAdviceBases } from '../maintenance/advice-bases.ts'
import type { Notices } from '../people/post.ts'
import { TEST_SECRET_KEY } from '../test-support.ts'
import type { Choice } from '../words/wording.ts'
import { createAcknowledgeLinks } from './acknowledgements/acknowledge-link.ts'
import { endpointSha256Of, type PushTarget, sealPushTarget } from './browsers/push-subscription.ts'
import { insertPushSubscription } from './browsers/push-subscriptions.sql.ts'
import { type ChannelTarget, sealTarget } from './channels/channel.ts'
import { upsertChannel } from './channels/channels.sql.ts'
import { notificationJobs } from './notify-of-incident.ts'
import { createIncidentRecorder } from './record-incidents.ts'
import { loopbackExits } from './test-loopback-exits.ts'

/** Columns of `notification_rules`; what is left out is as plain as can be. */
export type RuleColumns = Record<string, unknown>

export async function openNotificationDesk(t: CleanUp, database: Database, notices: Notices, exits = loopbackExits()) {
  const desk = await openDesk(t, database)
  const { bench } = desk
  const now = async () => bench.deps.now()
  const jobs = (by: Notices = notices, over: Database = database) =>
    notificationJobs({ database: over, notices: by, exits, loadAdviceBases, links, now })
  const relay = () => relayEvents({ database, recorders: [createIncidentRecorder({ now })], now: bench.deps.now })
  const log = { error: () => undefined }
  const links = createAcknowledgeLinks(TEST_SECRET_KEY)
  let made = 0
  return {
    ...desk,
    jobs,
    links,
    relay,
    runJobs: async (kinds = jobs()) => await runDueJobs({ database, now, random: () => 0.5, log }, kinds),
    /** Events become jobs, and jobs messages. */
    settle: async () => {
      await relay()
      await runDueJobs({ database, now, random: () => 0.5, log }, jobs())
    },
    later: (minutes: number) => {
      bench.clock.nowMs += minutes * 60_000
    },
    /** Somebody who can sign in. */
    addPerson: async (userId: string, more: { subClientId?: string } & Partial<Choice> = {}) => {
      await desk.addUser(userId, more)
      await database.systemPool.query(
        "update users set password_scrypt = 'x', language = $3, units = $4 where reseller_id = $1 and user_id = $2",
        [bench.resellerId, userId, more.language ?? null, more.units ?? null],
      )
      return userId
    },
    addRule: async (columns: RuleColumns) => {
      const at = new Date(bench.clock.nowMs)
      const row = {
        ...{
          reseller_id: bench.resellerId,
          rule_id: `nrl-${bench.resellerId.replace('-', '')}${++made}`,
          name: 'Workshop',
          is_enabled: true,
        },
        ...{ min_severity: 'medium', critical_at_any_hour: false, created_at: at, updated_at: at, ...columns },
      }
      await database.systemPool.query(
        'insert into notification_rules select * from jsonb_populate_record(null::notification_rules, $1::jsonb)',
        [JSON.stringify(row)],
      )
      return row.rule_id
    },
    addGroup: async (vehicleIds: readonly string[], subClientId?: string) => {
      const { resellerId } = bench
      const groupId = newId('vgr')
      const at = new Date(bench.clock.nowMs)
      await upsertVehicleGroup(database.systemPool, resellerId, { groupId, name: groupId, subClientId, createdAt: at, updatedAt: at })
      await insertGroupMembers(database.systemPool, resellerId, groupId, vehicleIds)
      return groupId
    },
    addChannel: async (target: ChannelTarget, subClientId?: string, more: Partial<Choice> = {}) => {
      const { resellerId } = bench
      const channelId = newId('nch')
      const at = new Date(bench.clock.nowMs)
      const targetSealed = sealTarget(exits.sealer, { resellerId, channelId }, target)
      const channel = {
        channelId,
        name: 'Chat',
        kind: target.kind,
        subClientId,
        language: more.language ?? ('en' as const),
        units: more.units ?? ('metric' as const),
        shownTarget: 'there',
        targetSealed,
        createdAt: at,
        updatedAt: at,
      }
      await upsertChannel(database.systemPool, resellerId, channel)
      return channelId
    },
    /** A browser in which this person is shown messages. */
    allowBrowser: async (userId: string, target: PushTarget) => {
      const { resellerId } = bench
      const subscriptionId = newId('psh')
      const targetSealed = sealPushTarget(exits.sealer, { resellerId, subscriptionId }, target)
      const endpointSha256 = endpointSha256Of(target.endpoint)
      const subscription = { subscriptionId, userId, name: 'Firefox', host: 'there', endpointSha256, targetSealed, createdAt: new Date() }
      await insertPushSubscription(database.systemPool, resellerId, subscription)
      return subscriptionId
    },
    /** Oldest first. */
    log: async () => {
      const { rows } = await database.systemPool.query<{
        step: string
        recipient: string
        status: string
        error: string | null
        attempts: number
      }>(
        `select step, recipient, status, error, attempt_count as attempts
           from notifications where reseller_id = $1 order by created_at, step, recipient`,
        [bench.resellerId],
      )
      return rows
    },
  }
}
