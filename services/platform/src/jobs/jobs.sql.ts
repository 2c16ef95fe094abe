import type { Db } from '@roadworthy/service-kit/db'
import { activeSpan } from '@roadworthy/service-kit/tracing'
import type { ClaimedJob, JobId } from './job.ts'

/**
 * Asks for work: what is due earlier stays so. Within the transaction of the change that makes it needed. The work is part of the trace that it is
 * asked for in, or of the one that `traceparent` is of.
 */
export async function upsertJob(
  db: Db,
  { resellerId, kind, key }: JobId,
  dueAt: Date,
  traceparent = activeSpan()?.traceparent,
): Promise<void> {
  await db.query(
    `insert into jobs as j (reseller_id, kind, key, due_at, revision, failures, created_at, traceparent)
     values ($1, $2, $3, $4, 0, 0, clock_timestamp(), $5)
         on conflict (reseller_id, kind, key) do update
            set due_at = least(j.due_at, excluded.due_at), revision = j.revision + 1,
                traceparent = coalesce(excluded.traceparent, j.traceparent)`,
    [resellerId, kind, key, dueAt, traceparent ?? null],
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

/** Takes it back. Whoever is at it goes on, and leaves nothing behind. */
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

/**
 * Claims what is due and nobody is at: of each reseller at most `perReseller`, the longest due first, resellers in turns from one that
 * `startAt` picks, so that one with much to do does not keep the others waiting.
 */
export async function claimDueJobsAcrossResellers(
  db: Db,
  kind: string,
  claim: { readonly claimId: string; readonly at: Date; readonly until: Date; readonly limit: number; readonly perReseller: number },
): Promise<ClaimedJob[]> {
  const { claimId, at, until, limit, perReseller } = claim
  const { rows } = await db.query<JobRow>(
    `with recursive owners as (
       (select reseller_id from jobs where kind = $1 and due_at <= $2 order by reseller_id limit 1)
       union all
       select (select j.reseller_id from jobs j where j.kind = $1 and j.due_at <= $2 and j.reseller_id > o.reseller_id
                order by j.reseller_id limit 1)
         from owners o
        where o.reseller_id is not null
     ), due as (
       select j.reseller_id, j.key, j.due_at, j.nth
         from owners o
        cross join lateral (
              select reseller_id, key, due_at, row_number() over (order by due_at, key) as nth
                from jobs
               where kind = $1 and reseller_id = o.reseller_id and due_at <= $2 and (claimed_until is null or claimed_until <= $2)
               order by due_at, key
               limit $5) j
        where not ${IS_CANCELED('o.reseller_id')}
        order by j.nth, j.due_at
        limit $6
     ), locked as (
       select j.reseller_id, j.key
         from jobs j
         join due using (reseller_id, key)
        where j.kind = $1 and (j.claimed_until is null or j.claimed_until <= $2)
          for update of j skip locked
     )
     update jobs j
        set claim_id = $3, claimed_until = $4
       from locked
      where j.kind = $1 and j.reseller_id = locked.reseller_id and j.key = locked.key
  returning j.reseller_id, j.kind, j.key, j.revision, j.failures, j.traceparent`,
    [kind, at, claimId, until, perReseller, limit],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    kind: row.kind,
    key: row.key,
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

type JobRow = { reseller_id: string; kind: string; key: string; revision: string; failures: number; traceparent: string | null }
