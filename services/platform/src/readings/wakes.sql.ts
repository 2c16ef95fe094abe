// Sources that were silent and have reported again. Ingest marks them in the row it writes anyway (`woken`), where they were `awaited`.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { selectOfShards } from '../cluster/reach.sql.ts'
import type { Reach } from '../cluster/reach.ts'
import { groupByShard } from './group-by-shard.sql.ts'

export type HeardDevice = { readonly resellerId: string; readonly deviceId: string }

/** Up to `limit` that are marked. A device may come twice. `reach`: where a node of a cluster is away. */
export async function selectWokenDevicesAcrossResellers(db: Db, limit: number, reach?: Reach): Promise<HeardDevice[]> {
  const select = (table: string) => `select reseller_id, device_id from ${table} where woken and device_id is not null limit $1`
  if (reach === undefined) return devicesFrom((await db.query<DeviceRow>(select('latest_states'), [limit])).rows)
  const rows = await selectOfShards<DeviceRow>(db, {
    nodes: reach.nodes,
    table: 'latestStates',
    ofShard: select,
    values: [limit],
    columns: 'reseller_id text, device_id text',
    end: `limit ${limit}`,
  })
  return devicesFrom(rows)
}

type DeviceRow = { reseller_id: string; device_id: string }

function devicesFrom(rows: readonly DeviceRow[]): HeardDevice[] {
  return rows.map((row) => ({ resellerId: row.reseller_id, deviceId: row.device_id }))
}

/** Takes the marks off: these devices are being looked at. A source that is being written right now keeps its mark, so ingest is not waited for. */
export async function clearWokenAcrossResellers(db: Db, devices: readonly HeardDevice[]): Promise<void> {
  const groups = await groupByShard(db, devices.map(asSource))
  // Sent together, here and below, because ingest waits for the rows until the transaction ends.
  await Promise.all(
    groups.map((group) =>
      db.query(
        `with woken as (
           select source_id, vehicle_key
             from latest_states
            where source_id = any ($1) and woken
              for no key update skip locked
         )
         update latest_states l set woken = false, awaited = false
           from woken w
          where l.source_id = any ($1) and l.source_id = w.source_id and l.vehicle_key = w.vehicle_key`,
        [group.map(({ sourceId }) => sourceId)],
      ),
    ),
  )
}

type SilentDevice = { readonly deviceId: string; readonly lastSeenAt: Date | undefined }

/**
 * The next that is heard of these devices will mark them. `lastSeenAt` is what the caller has seen of each: one that was heard since is marked
 * at once. Waits for ingest where it writes one of them, and locks in the order in which ingest does.
 */
export async function awaitDevicesAcrossResellers(db: Db, devices: readonly SilentDevice[]): Promise<void> {
  const groups = await groupByShard(db, devices.map(asSource))
  await Promise.all(
    groups.map((group) =>
      db.query(
        `with silent as (
           select l.source_id, l.vehicle_key, q.last_seen_at
             from unnest($1::text[], $2::timestamptz[]) q (source_id, last_seen_at)
             join latest_states l on l.source_id = q.source_id
            where l.source_id = any ($1)
            order by l.source_id, l.vehicle_key
              for no key update of l
         )
         update latest_states l set awaited = true, woken = l.received_at > coalesce(s.last_seen_at, '-infinity')
           from silent s
          where l.source_id = any ($1) and l.source_id = s.source_id and l.vehicle_key = s.vehicle_key`,
        [group.map(({ sourceId }) => sourceId), group.map(({ lastSeenAt }) => lastSeenAt ?? null)],
      ),
    ),
  )
}

/** Its readings of itself and of its vehicle; those of others are of other sources. */
function asSource<T extends { readonly deviceId: string }>(device: T): T & { readonly sourceId: string } {
  return { ...device, sourceId: device.deviceId }
}
