// What a month's invoices are rated from, as other slices wrote it down: histories and usage of SIMs, and the chains of metered usage.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import type { Period } from '@roadworthy/service-kit/time/zoned-time'
import type { PlatformMeter, RatedSim, RatingInput, SimRow, SimStatus } from '../rating/rating-input.ts'

/**
 * SIMs that were the customer's at any time of the month, or of which it used data. Looked for among those that ever were its own: a reseller may have a
 * hundred times as many. The history of each is read by its key, whatever the planner knows of the table: after a first synchronisation it knows nothing.
 */
export async function selectSimsOfCustomer(db: Db, resellerId: string, customerId: string, { fromMs, untilMs }: Period): Promise<SimId[]> {
  const { rows } = await db.query<{ sim_id: string; iccid: string }>(
    `with owned as (
       select distinct sim_id from sim_history where reseller_id = $1 and sub_client_id = $2
     )
     select s.sim_id, s.iccid
       from owned
       join sims s on s.reseller_id = $1 and s.sim_id = owned.sim_id
      cross join lateral (
            select bool_or(at >= $3 and at < $4 and sub_client_id = $2) as is_in_month,
                   (array_agg(sub_client_id order by seq desc) filter (where at < $3))[1] as before_month
              from sim_history
             where reseller_id = $1 and sim_id = owned.sim_id) h
      where h.is_in_month or h.before_month = $2
         or exists (select from sim_usage u
                     where u.reseller_id = $1 and u.sim_id = owned.sim_id and u.received_at >= $3 and u.received_at < $4 and u.sub_client_id = $2)
      order by s.sim_id collate "C"`,
    [resellerId, customerId, new Date(fromMs), new Date(untilMs)],
  )
  return rows.map(({ sim_id, iccid }) => ({ simId: sim_id, iccid }))
}

type SimId = Pick<RatedSim, 'simId' | 'iccid'>

/** Of these SIMs what the month is rated from, as `RatingInput` wants it. */
export async function selectRatedSims(
  db: Db,
  resellerId: string,
  customerId: string,
  month: Period,
  sims: readonly SimId[],
): Promise<RatedSim[]> {
  const values = [resellerId, sims.map(({ simId }) => simId), new Date(month.fromMs), new Date(month.untilMs)]
  const history = groupBySim((await db.query<HistoryRow>(HISTORY_OF_MONTH, values)).rows)
  const custody = groupBySim((await db.query<CustodyRow>(CUSTODY_BEFORE_MONTH, values.slice(0, 3))).rows)
  const first = groupBySim((await db.query<HistoryRow>(FIRST_ACTIVATION_IN_MONTH, values)).rows)
  const usage = groupBySim((await db.query<UsageRow>(USAGE_OF_MONTH, [...values, customerId])).rows)
  return sims.map(({ simId, iccid }) => {
    const [activation] = first.get(simId) ?? []
    const [since] = custody.get(simId) ?? []
    return {
      simId,
      iccid,
      history: (history.get(simId) ?? []).map(simRowOf),
      custodySince: since === undefined ? null : { seq: Number(since.seq), at: since.at.toISOString() },
      firstActivation: activation === undefined ? null : simRowOf(activation),
      usage: (usage.get(simId) ?? []).map((row) => ({
        fromSeq: Number(row.from_seq),
        toSeq: Number(row.to_seq),
        firstReceivedAt: row.first_at.toISOString(),
        lastReceivedAt: row.last_at.toISOString(),
        bytes: row.bytes,
        customerId,
        planId: row.plan_id,
      })),
    }
  })
}

/** The last row before the month, and those within it. */
const HISTORY_OF_MONTH = `
  select h.sim_id, h.seq, h.at, h.status, h.sub_client_id, h.plan_id
    from unnest($2::text[]) as s (sim_id)
    left join lateral (
         select seq from sim_history b where b.reseller_id = $1 and b.sim_id = s.sim_id and b.at < $3 order by b.seq desc limit 1) before on true
    join sim_history h
      on h.reseller_id = $1 and h.sim_id = s.sim_id and h.seq >= coalesce(before.seq, 0) and h.at < $4
   order by h.sim_id, h.seq`

/** Where the last row before the month is custody: the first row of that run of custody. */
const CUSTODY_BEFORE_MONTH = `
  select s.sim_id, c.seq, c.at
    from unnest($2::text[]) as s (sim_id)
    join lateral (
         select seq, status from sim_history b where b.reseller_id = $1 and b.sim_id = s.sim_id and b.at < $3 order by b.seq desc limit 1) before
      on before.status = 'safe_custody'
    join lateral (
         select c.seq, c.at from sim_history c
          where c.reseller_id = $1 and c.sim_id = s.sim_id and c.seq <= before.seq
            and c.seq > coalesce((select max(o.seq) from sim_history o
                                   where o.reseller_id = $1 and o.sim_id = s.sim_id and o.seq < before.seq and o.status <> 'safe_custody'), -1)
          order by c.seq limit 1) c on true`

const FIRST_ACTIVATION_IN_MONTH = `
  select f.*
    from unnest($2::text[]) as s (sim_id)
    join lateral (
         select h.sim_id, h.seq, h.at, h.status, h.sub_client_id, h.plan_id
           from sim_history h
          where h.reseller_id = $1 and h.sim_id = s.sim_id and h.status = 'active'
          order by h.seq limit 1) f on f.at >= $3 and f.at < $4
   where exists (select from sim_history b
                  where b.reseller_id = $1 and b.sim_id = s.sim_id and b.seq < f.seq and b.status in ('inventory', 'test'))`

const USAGE_OF_MONTH = `
  select u.sim_id, u.plan_id, min(u.seq)::text as from_seq, max(u.seq)::text as to_seq, min(u.received_at) as first_at,
         max(u.received_at) as last_at, sum(u.bytes)::text as bytes
    from sim_usage u
   where u.reseller_id = $1 and u.sim_id = any ($2) and u.received_at >= $3 and u.received_at < $4 and u.sub_client_id = $5
   group by u.sim_id, u.plan_id
   order by u.sim_id, min(u.seq)`

type MeterTotal = RatingInput['meterTotals'][number]

/** Metered usage of a month that is closed: of one sub-client, or of all that a reseller has. */
export async function selectMeterTotals(
  db: Db,
  resellerId: string,
  subClientId: string | undefined,
  { fromMs, untilMs }: Period,
): Promise<MeterTotal[]> {
  const { rows } = await db.query<MeteredRow>(
    `select c.sub_client_id, m.billed as meter, sum(l.count)::text as count, e.first::text as first, e.last::text as last,
            encode(e.hash, 'hex') as hash
       from usage_chains c
       join lateral (
            select min(seq) as first, max(seq) as last, (array_agg(hash order by seq desc))[1] as hash
              from usage_lines e
             where e.reseller_id = c.reseller_id and e.sub_client_id = c.sub_client_id and e.bucket >= $3 and e.bucket < $4) e on e.first is not null
       join usage_lines l on l.reseller_id = c.reseller_id and l.sub_client_id = c.sub_client_id and l.bucket >= $3 and l.bucket < $4
       join unnest($5::text[], $6::text[]) as m (ledger, billed) on m.ledger = l.meter
      where c.reseller_id = $1 and ($2::text is null or c.sub_client_id = $2)
      group by c.sub_client_id, m.billed, e.first, e.last, e.hash
      order by c.sub_client_id collate "C", m.billed`,
    [
      ...[resellerId, subClientId ?? null, new Date(fromMs), new Date(untilMs)],
      ...[LEDGER_METERS.map(([ledger]) => ledger), LEDGER_METERS.map(([, billed]) => billed)],
    ],
  )
  return [...Map.groupBy(rows, ({ meter }) => meter)].map(([meter, ofMeter]) => ({
    meter,
    count: ofMeter.reduce((sum, { count }) => sum + Number(count), 0),
    sources: ofMeter.map((row) => ({
      ledger: 'usage_lines' as const,
      subClientId: row.sub_client_id,
      fromSeq: Number(row.first),
      toSeq: Number(row.last),
      lastHash: row.hash,
    })),
  }))
}

/** What a meter of the usage chains is billed as. Devices are billed by the day, so `active_devices` is not. */
const LEDGER_METERS: readonly (readonly [string, PlatformMeter])[] = [
  ['points_ingested', 'readings'],
  ['predictions', 'predictions'],
  ['active_device_days', 'device_days'],
  ['api_calls_external', 'api_calls'],
  ['api_calls_platform', 'api_calls'],
]

function groupBySim<R extends { readonly sim_id: string }>(rows: readonly R[]): Map<string, R[]> {
  return Map.groupBy(rows, ({ sim_id }) => sim_id)
}

function simRowOf({ seq, at, status, sub_client_id, plan_id }: HistoryRow): SimRow {
  return { seq: Number(seq), at: at.toISOString(), status, customerId: sub_client_id, planId: plan_id }
}

type HistoryRow = { sim_id: string; seq: string; at: Date; status: SimStatus; sub_client_id: string | null; plan_id: string | null }
type CustodyRow = { sim_id: string; seq: string; at: Date }
type UsageRow = { sim_id: string; plan_id: string | null; from_seq: string; to_seq: string; first_at: Date; last_at: Date; bytes: string }
type MeteredRow = { sub_client_id: string; meter: PlatformMeter; count: string; first: string; last: string; hash: string }
