import type { Db } from '@roadworthy/service-kit/postgres/db'
import { activeSpan } from '@roadworthy/service-kit/telemetry/tracing'
import { type ClaimedJob, INSTALLATION, type JobId, type NewJob } from './job.ts'

/**
 * Asks for work: what is due earlier stays so. Within the transaction of the change that makes it needed. The work is part of the trace that it is
 * asked for in, or of the one that `traceparent` is of.
 */
export async function upsertJob(
  db: Db,
  { resellerId, kind, key, group = '' }: NewJob,
  dueAt: Date,
  traceparent = activeSpan()?.traceparent,
): Promise<void> {
  await db.query(
    `insert into jobs as j (reseller_id, kind, key, slot_group, due_at, revision, failures, created_at, traceparent)
     values ($1, $2, $3, $6, $4, 0, 0, clock_timestamp(), $5)
         on conflict (reseller_id, kind, key) do update
            set due_at = least(j.due_at, excluded.due_at), revision = j.revision + 1,
                traceparent = coalesce(excluded.traceparent, j.traceparent)`,
    [resellerId, kind, key, dueAt, traceparent ?? null, group],
  )
}

/** The same of many of a kind, by one statement. */
export async function upsertJobs(
  db: Db,
  { resellerId, kind }: Omit<JobId, 'key'>,
  keys: readonly string[],
  dueAt: Date,
  traceparent = activeSpan()?.traceparent,
): Promise<void> {
  await db.query(
    `insert into jobs as j (reseller_id, kind, key, due_at, revision, failures, created_at, traceparent)
     select $1, $2, key, $4, 0, 0, clock_timestamp(), $5 from unnest($3::text[]) key order by key
         on conflict (reseller_id, kind, key) do update
            set due_at = least(j.due_at, excluded.due_at), revision = j.revision + 1,
                traceparent = coalesce(excluded.traceparent, j.traceparent)`,
    [resellerId, kind, keys, dueAt, traceparent ?? null],
  )
}

/** Asks for work at that time and no earlier, whatever was asked for before. A process that is at it goes on, and no other begins meanwhile. */
export async function setJob(db: Db, { resellerId, kind, key }: JobId, dueAt: Date): Promise<void> {
  await db.query(
    `insert into jobs as j (reseller_id, kind, key, due_at, revision, failures, created_at, traceparent)
     values ($1, $2, $3, $4, 0, 0, clock_timestamp(), $5)
         on conflict (reseller_id, kind, key) do update set due_at = excluded.due_at, revision = j.revision + 1, failures = 0`,
    [resellerId, kind, key, dueAt, activeSpan()?.traceparent ?? null],
  )
}

/** Takes it back. A process that is at it goes on, and leaves nothing behind. */
export async function deleteJob(db: Db, { resellerId, kind, key }: JobId): Promise<void> {
  await db.query('delete from jobs where reseller_id = $1 and kind = $2 and key = $3', [resellerId, kind, key])
}

/** Since when it is there: asked for, and not done since. */
export async function selectJobCreatedAt(db: Db, { resellerId, kind, key }: JobId): Promise<Date | undefined> {
  const { rows } = await db.query<{ created_at: Date }>('select created_at from jobs where reseller_id = $1 and kind = $2 and key = $3', [
    resellerId,
    kind,
    key,
  ])
  return rows[0]?.created_at
}

/** For how many seconds the installation's own work has been due that nobody is at; 0: none is. A job that failed is due later. */
export async function selectOldestDueAcrossResellers(db: Db): Promise<number> {
  const { rows } = await db.query<{ waitingS: number }>(
    `select greatest(0, coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0))::float8 as "waitingS"
       from jobs
      where reseller_id = $1 and (claimed_until is null or claimed_until < clock_timestamp())`,
    [INSTALLATION],
  )
  return rows[0]?.waitingS ?? 0
}

/** Of whom nothing is done: what is due waits until somebody makes the reseller active again, or has moved it elsewhere (docs/guides/moving.md). */
const IS_CANCELED = (owner: string) => `exists (select from resellers r where r.reseller_id = ${owner} and r.subscription = 'canceled')`

/** Of these kinds, those of which something is due that nobody is at. */
export async function selectDueKindsAcrossResellers(db: Db, kinds: readonly string[], at: Date): Promise<string[]> {
  const { rows } = await db.query<{ kind: string }>(
    `select k.kind
       from unnest($1::text[]) k(kind)
      where exists (select 1 from jobs j
                     where j.kind = k.kind and j.due_at <= $2 and (j.claimed_until is null or j.claimed_until <= $2)
                       and not ${IS_CANCELED('j.reseller_id')})`,
    [kinds, at],
  )
  return rows.map(({ kind }) => kind)
}

export type JobClaim = {
  readonly claimId: string
  readonly at: Date
  readonly until: Date
  readonly limit: number
  readonly perReseller: number
  readonly perGroup: number
  /** Groups of the kind that the process is at or that rest: how many jobs are under way, and how many may be. */
  readonly groups: readonly GroupUse[]
}
export type GroupUse = { readonly resellerId: string; readonly group: string; readonly underWay: number; readonly most: number }

/**
 * Claims what is due and nobody is at: of each group as many as `perGroup` leaves beside those under way, and so of each reseller, the longest due first. A group
 * with fewer under way comes first among those of its reseller, and a reseller with fewer before others, so that none with much to do, or at an operator that does
 * not answer, keeps the others waiting.
 */
export async function claimDueJobsAcrossResellers(db: Db, kind: string, claim: JobClaim): Promise<ClaimedJob[]> {
  const { claimId, at, until, limit, perReseller, perGroup, groups } = claim
  const { rows } = await db.query<JobRow>(
    `with recursive groups as (
       (select reseller_id, slot_group from jobs where kind = $1 and due_at <= $2 order by reseller_id, slot_group limit 1)
       union all
       select next.reseller_id, next.slot_group
         from groups g
        cross join lateral (
              (select reseller_id, slot_group from jobs
                where kind = $1 and reseller_id = g.reseller_id and slot_group > g.slot_group and due_at <= $2 order by slot_group limit 1)
               union all
              (select reseller_id, slot_group from jobs
                where kind = $1 and reseller_id > g.reseller_id and due_at <= $2 order by reseller_id, slot_group limit 1)
               order by reseller_id, slot_group
               limit 1) next
     ), used as (
       select * from unnest($7::text[], $8::text[], $9::integer[], $10::integer[]) as u (reseller_id, slot_group, under_way, most)
     ), due as (
       select j.reseller_id, j.key, j.due_at, j.nth
         from groups g
         left join used u on u.reseller_id = g.reseller_id and u.slot_group = g.slot_group
        cross join lateral (
              select reseller_id, key, due_at, coalesce(u.under_way, 0) + row_number() over (order by due_at, key) as nth
                from jobs
               where kind = $1 and reseller_id = g.reseller_id and slot_group = g.slot_group and due_at <= $2
                 and (claimed_until is null or claimed_until <= $2)
               order by due_at, key
               limit greatest(0, coalesce(u.most, $11) - coalesce(u.under_way, 0))) j
        where not ${IS_CANCELED('g.reseller_id')}
     ), shared as (
       select d.*, coalesce(u.under_way, 0) + row_number() over (partition by d.reseller_id order by d.nth, d.due_at, d.key) as place
         from due d
         left join (select reseller_id, sum(under_way) as under_way from used group by reseller_id) u on u.reseller_id = d.reseller_id
     ), chosen as (
       select reseller_id, key from shared where place <= $5 order by place, due_at limit $6
     ), locked as (
       select j.reseller_id, j.key
         from jobs j
         join chosen using (reseller_id, key)
        where j.kind = $1 and (j.claimed_until is null or j.claimed_until <= $2)
          for update of j skip locked
     )
     update jobs j
        set claim_id = $3, claimed_until = $4
       from locked
      where j.kind = $1 and j.reseller_id = locked.reseller_id and j.key = locked.key
  returning j.reseller_id, j.kind, j.key, j.slot_group, j.revision, j.failures, j.traceparent`,
    [
      ...[kind, at, claimId, until, perReseller, limit, groups.map(({ resellerId }) => resellerId), groups.map(({ group }) => group)],
      ...[groups.map(({ underWay }) => underWay), groups.map(({ most }) => most), perGroup],
    ],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    kind: row.kind,
    key: row.key,
    group: row.slot_group,
    claimId,
    revision: row.revision,
    failureCount: row.failures,
    traceparent: row.traceparent ?? undefined,
  }))
}

/** Whether the claim still holds; it then does until then. */
export async function extendClaimAcrossResellers(db: Db, job: ClaimedJob, until: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'update jobs set claimed_until = $5 where reseller_id = $1 and kind = $2 and key = $3 and claim_id = $4',
    [job.resellerId, job.kind, job.key, job.claimId, until],
  )
  return rowCount === 1
}

/** Done: gone, unless it was asked for again meanwhile. */
export async function deleteDoneJobAcrossResellers(db: Db, job: ClaimedJob): Promise<void> {
  await db.query(
    `with gone as (
       delete from jobs where reseller_id = $1 and kind = $2 and key = $3 and claim_id = $4 and revision = $5)
     update jobs
        set claim_id = null, claimed_until = null, failures = 0, last_error = null
      where reseller_id = $1 and kind = $2 and key = $3 and claim_id = $4 and revision <> $5`,
    [job.resellerId, job.kind, job.key, job.claimId, job.revision],
  )
}

/** Given back: due again at `dueAt`, or earlier where it was asked for meanwhile. `error`: of an attempt that failed. */
export async function updateJobAgainAcrossResellers(db: Db, job: ClaimedJob, dueAt: Date, error: string | undefined): Promise<void> {
  await db.query(
    `update jobs
        set due_at = case when revision = $5 then $6 else least(due_at, $6) end, claim_id = null, claimed_until = null,
            failures = case when $7::text is null then 0 else failures + 1 end, last_error = $7,
            traceparent = case when $7::text is null and revision = $5 then null else traceparent end
      where reseller_id = $1 and kind = $2 and key = $3 and claim_id = $4`,
    [job.resellerId, job.kind, job.key, job.claimId, job.revision, dueAt, error ?? null],
  )
}

type JobRow = {
  reseller_id: string
  kind: string
  key: string
  slot_group: string
  revision: string
  failures: number
  traceparent: string | null
}
