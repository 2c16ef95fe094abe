import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from '../fleet/viewer.ts'
import type { Sim } from './sim.ts'

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

type Cycle = { readonly simId: string; readonly cycleStart: Date }

/** In the transaction that stores the counters, with the SIMs held. */
export async function insertUsages(
  db: Db,
  resellerId: string,
  entries: readonly (UsageEntry & { readonly simId: string })[],
): Promise<void> {
  if (entries.length === 0) return
  await db.query(
    `insert into sim_usage (reseller_id, sim_id, seq, received_at, cycle_start, bytes, sub_client_id, plan_id)
     select $1, * from unnest($2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::bigint[], $7::text[], $8::text[])`,
    [
      resellerId,
      entries.map(({ simId }) => simId),
      entries.map(({ seq }) => seq),
      entries.map(({ receivedAt }) => receivedAt),
      entries.map(({ cycleStart }) => cycleStart),
      entries.map(({ bytes }) => bytes),
      entries.map(({ subClientId }) => subClientId ?? null),
      entries.map(({ planId }) => planId ?? null),
    ],
  )
}

/** What was added to cycles so far, by `cycleKey`: the counter of a cycle that is over goes on from there. */
export async function selectSumsOfCycles(db: Db, resellerId: string, cycles: readonly Cycle[]): Promise<Map<string, number>> {
  if (cycles.length === 0) return new Map()
  const { rows } = await db.query<{ sim_id: string; cycle_start: Date; bytes: string }>(
    `select c.sim_id, c.cycle_start, u.bytes
       from unnest($2::text[], $3::timestamptz[]) c (sim_id, cycle_start),
            lateral (select coalesce(sum(bytes), 0) as bytes
                       from sim_usage
                      where reseller_id = $1 and sim_id = c.sim_id and cycle_start = c.cycle_start) u`,
    [resellerId, cycles.map(({ simId }) => simId), cycles.map(({ cycleStart }) => cycleStart)],
  )
  return new Map(rows.map((row) => [cycleKey({ simId: row.sim_id, cycleStart: row.cycle_start }), Number(row.bytes)]))
}

export function cycleKey({ simId, cycleStart }: Cycle): string {
  return `${simId} ${cycleStart.getTime()}`
}

/** Of SIMs that are held: what they are counted to, and nothing else of them. */
export async function updateUsageCounters(db: Db, resellerId: string, sims: readonly Sim[]): Promise<void> {
  if (sims.length === 0) return
  await db.query(
    `update sims s
        set cycle_start = c.cycle_start, cycle_end = c.cycle_end, cycle_bytes = c.cycle_bytes, cycle_sms = c.cycle_sms,
            cycle_sessions = c.cycle_sessions, usage_at = c.usage_at, last_usage_seq = c.last_usage_seq
       from unnest($2::text[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::bigint[], $7::bigint[], $8::timestamptz[], $9::bigint[])
            c (sim_id, cycle_start, cycle_end, cycle_bytes, cycle_sms, cycle_sessions, usage_at, last_usage_seq)
      where s.reseller_id = $1 and s.sim_id = c.sim_id`,
    [
      resellerId,
      sims.map(({ simId }) => simId),
      sims.map(({ cycleStart }) => cycleStart ?? null),
      sims.map(({ cycleEnd }) => cycleEnd ?? null),
      sims.map(({ cycleBytes }) => cycleBytes),
      sims.map(({ cycleSms }) => cycleSms),
      sims.map(({ cycleSessions }) => cycleSessions),
      sims.map(({ usageAt }) => usageAt ?? null),
      sims.map(({ lastUsageSeq }) => lastUsageSeq),
    ],
  )
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
