// What else follows readings that are on several nodes: written beside them (`reading_effects`), taken from there by a worker.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { selectOfShards } from '../cluster/reach.sql.ts'
import type { Reach } from '../cluster/reach.ts'
import type { UsageCount } from '../limits/usage.sql.ts'
import type { Alarm } from './alarm.ts'

/** A device of which a reading was stored in a day of its reseller's zone, in the quarter-hour of the first. */
export type ActiveDay = {
  readonly resellerId: string
  readonly subClientId: string
  readonly deviceId: string
  readonly day: string
  readonly bucket: Date
}

export type Effects = {
  readonly count: number
  readonly usage: readonly UsageCount[]
  readonly activeDays: readonly ActiveDay[]
  readonly alarms: readonly Alarm[]
}

/** Call in the transaction that stores the readings. `effects`: the table of the shard; `sourceId`: one that is on it. */
export async function insertAlarmEffects(db: Db, effects: string, sourceId: string, alarms: readonly Alarm[]): Promise<void> {
  await db.query(
    `insert into ${effects} (source_id, reseller_id, kind, body)
     select $1, reseller_id, 'alarm', body from unnest($2::text[], $3::jsonb[]) a (reseller_id, body)`,
    [sourceId, alarms.map(({ resellerId }) => resellerId), alarms.map(({ resellerId: _, ...alarm }) => JSON.stringify(alarm))],
  )
}

/** Up to `limit`, of whichever nodes; those that come while it is read wait for the next round. `reach`: the nodes that are asked, where one is away. */
export async function findEffectsAcrossResellers(db: Db, limit: number, reach?: Reach): Promise<FoundEffect[]> {
  return reach === undefined ? await selectSome(db, limit) : await selectSomeWithin(db, limit, reach)
}

/**
 * Takes those found on one node (`address`) out of the table. Call in the transaction that does what they ask for, one transaction of a node at a time: it holds a
 * lock to its end. A node that hangs keeps the lock and the transaction, and neither is of another.
 */
export async function takeEffectsAcrossResellers(db: Db, address: string, found: readonly FoundEffect[]): Promise<Effects> {
  const lock = await db.query<{ is_free: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 7305512252)) as is_free', [
    address,
  ])
  if (lock.rows[0]?.is_free !== true) return NO_EFFECTS
  const { rows } = await db.query<EffectRow>(
    'delete from reading_effects where source_id = any ($1) and effect_id = any ($2::uuid[]) returning reseller_id, kind, body',
    [[...new Set(found.map((row) => row.source_id))], found.map((row) => row.effect_id)],
  )
  return {
    count: rows.length,
    usage: rows.flatMap(({ reseller_id: resellerId, kind, body }) => (kind === 'usage' ? [usageFrom(resellerId, body)] : [])),
    activeDays: rows.flatMap(({ reseller_id: resellerId, kind, body }) =>
      kind === 'active device' ? [activeDayFrom(resellerId, body)] : [],
    ),
    alarms: rows.flatMap(({ reseller_id: resellerId, kind, body }) => (kind === 'alarm' ? [alarmFrom(resellerId, body)] : [])),
  }
}

export type FoundEffect = { source_id: string; effect_id: string }

async function selectSome(db: Db, limit: number): Promise<FoundEffect[]> {
  const { rows } = await db.query<FoundEffect>('select source_id, effect_id from reading_effects limit $1', [limit])
  return rows
}

async function selectSomeWithin(db: Db, limit: number, { nodes }: Reach): Promise<FoundEffect[]> {
  return await selectOfShards<FoundEffect>(db, {
    nodes,
    table: 'effects',
    ofShard: (table) => `select source_id, effect_id from ${table} limit $1`,
    values: [limit],
    columns: 'source_id text, effect_id uuid',
    end: `limit ${limit}`,
  })
}

/** Of these days and their months those that were not counted before; of each the quarter-hour that they count in. */
export async function insertActiveDaysAcrossResellers(db: Db, days: readonly ActiveDay[]): Promise<UsageCount[]> {
  const { rows } = await db.query<{ reseller_id: string; sub_client_id: string; is_month: boolean; bucket: Date; count: number }>(
    `with active as (
       insert into usage_active_devices (reseller_id, sub_client_id, device_id, period, bucket)
       select d.reseller_id, d.sub_client_id, d.device_id, p.period, min(d.bucket)
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[]) d (reseller_id, sub_client_id, device_id, day, bucket)
        cross join lateral (values (d.day), (left(d.day, 7))) p (period)
        group by d.reseller_id, d.sub_client_id, d.device_id, p.period
        order by d.device_id, p.period
       on conflict do nothing
       returning reseller_id, sub_client_id, length(period) = 7 as is_month, bucket
     )
     select reseller_id, sub_client_id, is_month, bucket, count(*)::int as count from active group by 1, 2, 3, 4`,
    [
      days.map(({ resellerId }) => resellerId),
      days.map(({ subClientId }) => subClientId),
      days.map(({ deviceId }) => deviceId),
      days.map(({ day }) => day),
      days.map(({ bucket }) => bucket),
    ],
  )
  return rows.map(({ reseller_id, sub_client_id, is_month, bucket, count }) => {
    return { resellerId: reseller_id, subClientId: sub_client_id, meter: is_month ? 'active_devices' : 'active_device_days', bucket, count }
  })
}

const NO_EFFECTS: Effects = { count: 0, usage: [], activeDays: [], alarms: [] }

type UsageBody = { subClientId: string; bucket: string; count: number }
type ActiveBody = { subClientId: string; deviceId: string; day: string; bucket: string }
type AlarmBody = Omit<Alarm, 'resellerId' | 'firstRecordedAt' | 'lastRecordedAt' | 'vehicleId' | 'deviceId' | 'position'> &
  Partial<Pick<Alarm, 'vehicleId' | 'deviceId' | 'position'>> & { firstRecordedAt: string; lastRecordedAt: string }
type EffectRow = { reseller_id: string } & (
  | { kind: 'usage'; body: UsageBody }
  | { kind: 'active device'; body: ActiveBody }
  | { kind: 'alarm'; body: AlarmBody }
)

function usageFrom(resellerId: string, { subClientId, bucket, count }: UsageBody): UsageCount {
  return { resellerId, subClientId, meter: 'points_ingested', bucket: new Date(bucket), count }
}

function activeDayFrom(resellerId: string, { bucket, ...rest }: ActiveBody): ActiveDay {
  return { resellerId, ...rest, bucket: new Date(bucket) }
}

function alarmFrom(resellerId: string, { firstRecordedAt, lastRecordedAt, vehicleId, deviceId, position, ...rest }: AlarmBody): Alarm {
  const times = { firstRecordedAt: new Date(firstRecordedAt), lastRecordedAt: new Date(lastRecordedAt) }
  return { resellerId, vehicleId, deviceId, position, ...rest, ...times }
}
