import type { Db } from '@roadworthy/service-kit/db'
import type { Viewer } from '../fleet/viewer.ts'

export type UsageEntry = {
  readonly seq: number
  /** By our clock. */
  readonly receivedAt: Date
  readonly cycleStart: Date
  /** What the counter rose by. */
  readonly bytes: number
  /** Whose the SIM was then. */
  readonly subClientId: string | undefined
  readonly planId: string | undefined
}

/** In the transaction that stores the counter, with the SIM held. */
export async function insertUsage(db: Db, sim: { resellerId: string; simId: string }, entry: UsageEntry): Promise<void> {
  await db.query(
    `insert into sim_usage (reseller_id, sim_id, seq, received_at, cycle_start, bytes, sub_client_id, plan_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[sim.resellerId, sim.simId, entry.seq, entry.receivedAt, entry.cycleStart, entry.bytes],
      ...[entry.subClientId ?? null, entry.planId ?? null],
    ],
  )
}

/** What was added to a cycle so far: the counter of a cycle that is over goes on from there. */
export async function sumOfCycle(db: Db, sim: { resellerId: string; simId: string }, cycleStart: Date): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(
    'select coalesce(sum(bytes), 0) as bytes from sim_usage where reseller_id = $1 and sim_id = $2 and cycle_start = $3',
    [sim.resellerId, sim.simId, cycleStart],
  )
  return Number(rows[0]?.bytes ?? 0)
}

export type DailyUsage = { readonly nth: number; readonly bytes: number }

/** By the days that begin at `starts`, of which the last is where the range ends. To a viewer of one sub-client, while it had the SIM. */
export async function selectDailyUsage(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  simId: string,
  starts: readonly Date[],
): Promise<DailyUsage[]> {
  const { rows } = await db.query<{ nth: number; bytes: string }>(
    `select width_bucket(received_at, $4::timestamptz[]) - 1 as nth, sum(bytes) as bytes
       from sim_usage
      where reseller_id = $1 and sim_id = $2 and ($3::text is null or sub_client_id = $3) and received_at >= $5 and received_at < $6
      group by 1
      order by 1`,
    [resellerId, simId, subClientPin ?? null, starts, starts[0] ?? null, starts.at(-1) ?? null],
  )
  return rows.map(({ nth, bytes }) => ({ nth, bytes: Number(bytes) }))
}
