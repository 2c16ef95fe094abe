import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { PageRequest } from '@roadworthy/service-kit/postgres/keyset'
import type { Language, Units } from '@roadworthy/wording/languages'
import type { Viewer } from '../../fleet/viewer.ts'
import type { Channel, ChannelKind } from './channel.ts'

/** Held to the end of the transaction: channels of a reseller are counted and added by one at a time. */
export async function lockChannelCount(db: Db, resellerId: string): Promise<number> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('notification_channels ' || $1, 0))", [resellerId])
  return await countChannels(db, { resellerId, subClientPin: undefined })
}

export async function countChannels(db: Db, { resellerId, subClientPin }: Viewer): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from notification_channels where reseller_id = $1 and ($2::text is null or sub_client_id = $2)',
    [resellerId, subClientPin ?? null],
  )
  return rows[0]?.count ?? 0
}

/** Oldest first. One more than asked. */
export async function selectChannels(db: Db, { resellerId, subClientPin }: Viewer, page: PageRequest): Promise<Channel[]> {
  const { rows } = await db.query<ChannelRow>(
    `select *
       from notification_channels
      where reseller_id = $1 and ($2::text is null or sub_client_id = $2) and (created_at, channel_id) > ($3::timestamptz, $4)
      order by created_at, channel_id
      limit $5`,
    [resellerId, subClientPin ?? null, page.after.at, page.after.id, page.limit + 1],
  )
  return rows.map(channelFromRow)
}

export async function selectChannel(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  channelId: string,
  lock: 'locked' | 'unlocked' = 'unlocked',
): Promise<Channel | undefined> {
  const { rows } = await db.query<ChannelRow>(
    `select *
       from notification_channels
      where reseller_id = $1 and channel_id = $2 and ($3::text is null or sub_client_id = $3)
      ${lock === 'locked' ? 'for update' : ''}`,
    [resellerId, channelId, subClientPin ?? null],
  )
  return rows.map(channelFromRow)[0]
}

/** Writes all of a channel, that of before or a new one. */
export async function upsertChannel(db: Db, resellerId: string, channel: Channel): Promise<void> {
  const { channelId, name, kind, subClientId, language, units, shownTarget, targetSealed, createdAt, updatedAt } = channel
  await db.query(
    `insert into notification_channels
            (reseller_id, channel_id, name, kind, sub_client_id, language, units, shown_target, target_sealed, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict (reseller_id, channel_id) do update
            set name = excluded.name, language = excluded.language, units = excluded.units, shown_target = excluded.shown_target, target_sealed = excluded.target_sealed, updated_at = excluded.updated_at`,
    [resellerId, channelId, name, kind, subClientId ?? null, language, units, shownTarget, targetSealed, createdAt, updatedAt],
  )
}

export async function deleteChannel(db: Db, resellerId: string, channelId: string): Promise<void> {
  await db.query('delete from notification_channels where reseller_id = $1 and channel_id = $2', [resellerId, channelId])
}

/** Names of the rules that send there, a few at most. */
export async function selectRuleNamesOfChannel(db: Db, resellerId: string, channelId: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select name from notification_rules
      where reseller_id = $1 and ($2 = any (recipients) or $2 = any (escalation_recipients))
      order by created_at, rule_id
      limit $3`,
    [resellerId, channelId, limit],
  )
  return rows.map(({ name }) => name)
}

type ChannelRow = {
  channel_id: string
  name: string
  kind: ChannelKind
  sub_client_id: string | null
  language: Language
  units: Units
  shown_target: string
  target_sealed: Buffer
  created_at: Date
  updated_at: Date
}

function channelFromRow(row: ChannelRow): Channel {
  return {
    channelId: row.channel_id,
    name: row.name,
    kind: row.kind,
    subClientId: row.sub_client_id ?? undefined,
    language: row.language,
    units: row.units,
    shownTarget: row.shown_target,
    targetSealed: row.target_sealed,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
