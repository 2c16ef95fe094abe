import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Viewer } from '../fleet/viewer.ts'
import type { SimStatus } from './operators/operator.ts'

const simChangeKinds = ['created', 'status', 'allocation', 'plan', 'details'] as const
export type SimChangeKind = (typeof simChangeKinds)[number]
export type SimChangeSource = 'request' | 'system' | 'operator'

/** The whole state after a change. */
export type HistoryEntry = {
  readonly seq: number
  readonly at: Date
  readonly change: SimChangeKind
  readonly status: SimStatus
  readonly subClientId: string | undefined
  readonly deviceId: string | undefined
  readonly planId: string | undefined
  readonly source: SimChangeSource
  readonly actorType: string
  readonly actorId: string
  readonly reason: string | undefined
  readonly actionId: string | undefined
}

/** In the transaction of the change, with the SIM held. */
export async function insertHistory(db: Db, sim: { resellerId: string; simId: string }, entry: HistoryEntry): Promise<void> {
  await db.query(
    `insert into sim_history
       (reseller_id, sim_id, seq, at, change, status, sub_client_id, device_id, plan_id, source, actor_type, actor_id, reason, action_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      ...[sim.resellerId, sim.simId, entry.seq, entry.at, entry.change, entry.status, entry.subClientId ?? null, entry.deviceId ?? null],
      ...[entry.planId ?? null, entry.source, entry.actorType, entry.actorId, entry.reason ?? null, entry.actionId ?? null],
    ],
  )
}

/** Newest first, before a row of it; one more than the page holds. To a viewer of one sub-client, what happened while it had the SIM. */
export async function selectHistory(
  db: Db,
  { resellerId, subClientPin }: Viewer,
  simId: string,
  page: { readonly beforeSeq: number | undefined; readonly limit: number },
): Promise<HistoryEntry[]> {
  const { rows } = await db.query<HistoryRow>(
    `select * from sim_history
      where reseller_id = $1 and sim_id = $2 and ($3::text is null or sub_client_id = $3) and ($4::bigint is null or seq < $4)
      order by seq desc
      limit $5`,
    [resellerId, simId, subClientPin ?? null, page.beforeSeq ?? null, page.limit + 1],
  )
  return rows.map(historyFromRow)
}

export async function countHistory(db: Db, { resellerId, subClientPin }: Viewer, simId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from sim_history
      where reseller_id = $1 and sim_id = $2 and ($3::text is null or sub_client_id = $3)`,
    [resellerId, simId, subClientPin ?? null],
  )
  return rows[0]?.count ?? 0
}

/** Whether it ever had a rate plan. */
export async function hadRatePlan(db: Db, { resellerId, simId }: { resellerId: string; simId: string }): Promise<boolean> {
  const { rows } = await db.query<{ had: boolean }>(
    'select exists (select from sim_history where reseller_id = $1 and sim_id = $2 and plan_id is not null) as had',
    [resellerId, simId],
  )
  return rows[0]?.had === true
}

type HistoryRow = {
  seq: string
  at: Date
  change: SimChangeKind
  status: SimStatus
  sub_client_id: string | null
  device_id: string | null
  plan_id: string | null
  source: SimChangeSource
  actor_type: string
  actor_id: string
  reason: string | null
  action_id: string | null
}

function historyFromRow(row: HistoryRow): HistoryEntry {
  return {
    seq: Number(row.seq),
    at: row.at,
    change: row.change,
    status: row.status,
    subClientId: row.sub_client_id ?? undefined,
    deviceId: row.device_id ?? undefined,
    planId: row.plan_id ?? undefined,
    source: row.source,
    actorType: row.actor_type,
    actorId: row.actor_id,
    reason: row.reason ?? undefined,
    actionId: row.action_id ?? undefined,
  }
}
