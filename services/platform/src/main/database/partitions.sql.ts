// Partitions of every table that has them. What detaches runs on a connection of the owner and outside of transactions.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { isDistributed } from '../../cluster/is-distributed.sql.ts'

export type Partition = {
  readonly name: string
  /** Undefined: from the beginning. */
  readonly from: Date | undefined
  readonly to: Date
  /** Detaching began and was interrupted: nobody sees its rows through the table any more. */
  readonly isDetaching: boolean
}

/** Of one table, oldest first. */
export async function selectPartitions(db: Db, table: string): Promise<Partition[]> {
  const { rows } = await db.query<{ name: string; from_at: Date | null; to_at: Date; is_detaching: boolean }>(
    `select name, is_detaching,
            case when lower_bound is null then null else (lower_bound || case when length(lower_bound) = 10 then ' 00:00+00' else '' end)::timestamptz end as from_at,
            (upper_bound || case when length(upper_bound) = 10 then ' 00:00+00' else '' end)::timestamptz as to_at
       from (select c.relname as name, i.inhdetachpending as is_detaching,
                    substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([^'']+)''\\)') as lower_bound,
                    substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)') as upper_bound
               from pg_inherits i
               join pg_class c on c.oid = i.inhrelid
              where i.inhparent = format('public.%I', $1::text)::regclass) p
      order by to_at`,
    [table],
  )
  return rows.map((row) => ({ name: row.name, from: row.from_at ?? undefined, to: row.to_at, isDetaching: row.is_detaching }))
}

/** Whether there is such a table and it has partitions. */
export async function selectIsPartitioned(db: Db, table: string): Promise<boolean> {
  const { rowCount } = await db.query(`select from pg_partitioned_table where partrelid = to_regclass(format('public.%I', $1::text))`, [
    table,
  ])
  return rowCount === 1
}

/** Nothing when it is there, whoever made it. */
export async function createPartition(db: Db, table: string, from: Date, to: Date): Promise<void> {
  await db.query('select create_partition($1, $2, $3)', [table, from, to])
}

/** Marks a table so that, detached, it is known for one of ours to be dropped, and not for one that a person keeps. */
const DROPPED_MARK = 'Past its retention: housekeeping detaches and drops it.'

/**
 * Takes it out of its table without holding up who reads or writes that; where the table is spread over nodes, which Citus cannot do so, it holds them up for a
 * moment, and waits for none of them longer than the session's `lock_timeout`. What is interrupted is finished the next time.
 */
export async function detachPartition(owner: Db, table: string, { name, isDetaching }: Partition): Promise<void> {
  if (await isDistributed(owner, table)) {
    await owner.query(`comment on table public.${name} is '${DROPPED_MARK}'`)
    await owner.query(`alter table public.${table} detach partition public.${name}`)
    return
  }
  if (!isDetaching) await owner.query(`comment on table public.${name} is '${DROPPED_MARK}'`)
  await owner.query(`alter table public.${table} detach partition public.${name} ${isDetaching ? 'finalize' : 'concurrently'}`)
}

/** Names of the partitions of a table that were detached to be dropped. */
export async function selectDetached(db: Db, table: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition and starts_with(relname, $1 || '_')
        and obj_description(oid, 'pg_class') = $2`,
    [table, DROPPED_MARK],
  )
  return rows.map(({ name }) => name)
}

/** Waits for nobody but those who still read this partition. */
export async function dropDetached(owner: Db, name: string): Promise<void> {
  await owner.query(`drop table if exists public.${name}`)
}

/** Whether this session is the one that removes partitions; it is until it ends. */
export async function tryLockRemoval(owner: Db): Promise<boolean> {
  const { rows } = await owner.query<{ locked: boolean }>('select pg_try_advisory_lock(7305512250) as locked')
  return rows[0]?.locked === true
}
