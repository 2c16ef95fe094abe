// Tables that only grow are cut into partitions by time: made before they are needed, dropped whole after their time. Nothing here makes
// anybody wait who reads or writes them, a backup of hours included; what cannot be had at once is tried again in the next round.

import type { Db } from '@roadworthy/service-kit/postgres/db'
import { mondayMs, WEEK_MS } from '@roadworthy/service-kit/time/weeks'
import pg from 'pg'
import {
  createPartition,
  detachPartition,
  dropDetached,
  type Partition,
  selectDetached,
  selectPartitions,
  tryLockRemoval,
} from './partitions.sql.ts'

export type GrowingTable = {
  readonly name: string
  /** Rows of up to this age are still written. */
  readonly writtenBackDays: number
}

export type PartitionedTable = GrowingTable & {
  /** Partitions of which every row is older are dropped. */
  readonly keptDays: number
  /** Longer than `keptDays` where that is asked for. */
  readonly longestDays?: () => Promise<number>
  /** Partitions that end then or earlier are dropped too: what they hold is kept elsewhere. */
  readonly sealedUntil?: () => Promise<Date | undefined>
  /** Run before partitions that end at `until` or earlier are dropped. */
  readonly beforeRemoval?: (until: Date) => Promise<void>
}

const DAY_MS = 86_400_000
/** Partitions are made this far ahead, so that weeks of failing housekeeping do no harm. */
export const PARTITIONS_AHEAD_DAYS = 28
/** Others wait behind a statement that waits for a lock. */
const LOCK_WAIT_MS = 200
const STATEMENT_TIMEOUT_MS = 30_000

/** Makes what is missing of a table's weeks, from Monday to Monday in UTC. Stops at the first that cannot be made now. */
export async function ensurePartitions(db: Db, { name, writtenBackDays }: GrowingTable, at: Date): Promise<void> {
  const kept = await selectPartitions(db, name)
  const endMs = at.getTime() + PARTITIONS_AHEAD_DAYS * DAY_MS
  for (let fromMs = mondayMs(at.getTime() - writtenBackDays * DAY_MS); fromMs <= endMs; ) {
    const there = kept.find((partition) => holds(partition, fromMs))
    // One that does not end on a Monday is followed by a shorter one.
    const toMs = there === undefined ? mondayMs(fromMs) + WEEK_MS : there.to.getTime()
    if (there === undefined) await createPartition(db, name, new Date(fromMs), new Date(toMs))
    fromMs = toMs
  }
}

/** Makes the weeks that hold these times, where no partition does. Older ones than those there are may be asked for. */
export async function ensurePartitionsOf(db: Db, name: string, times: readonly Date[]): Promise<void> {
  for (const at of times) {
    const kept = await selectPartitions(db, name)
    const atMs = at.getTime()
    if (kept.some((partition) => holds(partition, atMs))) continue
    // Neighbours that do not end on a Monday are not overlapped.
    const ends = kept.flatMap(({ to }) => (to.getTime() <= atMs ? [to.getTime()] : []))
    const begins = kept.flatMap(({ from }) => (from !== undefined && from.getTime() > atMs ? [from.getTime()] : []))
    const fromMs = Math.max(mondayMs(atMs), ...ends)
    await createPartition(db, name, new Date(fromMs), new Date(Math.min(mondayMs(atMs) + WEEK_MS, ...begins)))
  }
}

/** For how many days from now on every row of the table has a partition. */
export async function partitionHorizonDays(db: Db, { name }: GrowingTable, at: Date): Promise<number> {
  const partitions = await selectPartitions(db, name)
  let endMs = at.getTime()
  for (const partition of partitions) if (holds(partition, endMs)) endMs = partition.to.getTime()
  return (endMs - at.getTime()) / DAY_MS
}

/** Drops the partitions of a table whose time is over. One process does it at a time. */
export async function removeOldPartitions(
  ownerUrl: string,
  { name, keptDays, longestDays, sealedUntil, beforeRemoval }: PartitionedTable,
  at: Date,
): Promise<void> {
  const owner = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: 5_000,
    lock_timeout: LOCK_WAIT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    application_name: 'roadworthy-housekeeping',
  })
  // The statement under way is rejected as well.
  owner.on('error', () => undefined)
  await owner.connect()
  try {
    const db = owner as unknown as Db
    if (!(await tryLockRemoval(db))) return
    const days = Math.max(keptDays, (await longestDays?.()) ?? 0)
    const untilMs = Math.max(at.getTime() - days * DAY_MS, (await sealedUntil?.())?.getTime() ?? 0)
    // A table can have one that is being detached; it comes first.
    const old = (await selectPartitions(db, name))
      .filter(({ to, isDetaching }) => isDetaching || to.getTime() <= untilMs)
      .sort((a, b) => Number(b.isDetaching) - Number(a.isDetaching))
    const until = old.at(-1)?.to
    if (until !== undefined) await beforeRemoval?.(until)
    for (const partition of old) await detachPartition(db, name, partition)
    for (const detached of await selectDetached(db, name)) await dropDetached(db, detached)
  } finally {
    await owner.end()
  }
}

const holds = ({ from, to, isDetaching }: Partition, atMs: number) =>
  !isDetaching && (from === undefined || from.getTime() <= atMs) && to.getTime() > atMs
