// How those that read a connection are doing, as they report themselves.

import type { Db } from '@roadworthy/service-kit/postgres/db'

/** `waiting`: connected, and held up by what stands in `detail`. `failed`: not connected; tried again. */
export type ConsumerState = 'connecting' | 'running' | 'waiting' | 'failed'

/** A field that was stored and not used: how often since the process began, and when last. */
export type ConsumerWarning = { readonly field: string; readonly reason: string; readonly count: number; readonly lastAt: Date }

export type StreamConsumerStatus = {
  readonly consumerId: string
  readonly state: ConsumerState
  /** What is wrong and what would be right; of a running one, what it went on without. */
  readonly detail: string | undefined
  readonly partitions: readonly number[]
  readonly lagMessageCount: number | undefined
  readonly storedCount: number
  readonly duplicateCount: number
  /** Messages that went to the topic of dead letters. */
  readonly setAsideCount: number
  readonly lastMessageAt: Date | undefined
  readonly since: Date
  readonly updatedAt: Date
  /** A few, the most frequent first. */
  readonly warnings: readonly ConsumerWarning[]
}

export async function upsertConsumer(db: Db, resellerId: string, status: StreamConsumerStatus): Promise<void> {
  await db.query(
    `insert into stream_consumers (reseller_id, consumer_id, state, detail, partitions, lag, stored, duplicates, set_aside, last_message_at,
                                   since, updated_at, warnings)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         on conflict (reseller_id, consumer_id) do update
            set state = excluded.state, detail = excluded.detail, partitions = excluded.partitions, lag = excluded.lag,
                stored = excluded.stored, duplicates = excluded.duplicates, set_aside = excluded.set_aside,
                last_message_at = excluded.last_message_at, updated_at = excluded.updated_at, warnings = excluded.warnings`,
    [
      resellerId,
      status.consumerId,
      status.state,
      status.detail ?? null,
      status.partitions,
      status.lagMessageCount ?? null,
      status.storedCount,
      status.duplicateCount,
      status.setAsideCount,
      status.lastMessageAt ?? null,
      status.since,
      status.updatedAt,
      JSON.stringify(status.warnings),
    ],
  )
}

export async function deleteConsumer(db: Db, resellerId: string, consumerId: string): Promise<void> {
  await db.query('delete from stream_consumers where reseller_id = $1 and consumer_id = $2', [resellerId, consumerId])
}

/** Of processes that ended without a word. */
export async function deleteSilentConsumersAcrossResellers(db: Db, before: Date): Promise<void> {
  await db.query('delete from stream_consumers where updated_at < $1', [before])
}

/** Those that have reported since. */
export async function selectConsumers(db: Db, resellerId: string, since: Date): Promise<StreamConsumerStatus[]> {
  const { rows } = await db.query<ConsumerRow>(
    `select consumer_id, state, detail, partitions, lag::float8 as lag, stored::float8 as stored, duplicates::float8 as duplicates,
            set_aside::float8 as set_aside, last_message_at, since, updated_at, warnings
       from stream_consumers where reseller_id = $1 and updated_at >= $2 order by since, consumer_id`,
    [resellerId, since],
  )
  return rows.map((row) => ({
    consumerId: row.consumer_id,
    state: row.state,
    detail: row.detail ?? undefined,
    partitions: row.partitions,
    lagMessageCount: row.lag ?? undefined,
    storedCount: row.stored,
    duplicateCount: row.duplicates,
    setAsideCount: row.set_aside,
    lastMessageAt: row.last_message_at ?? undefined,
    since: row.since,
    updatedAt: row.updated_at,
    warnings: row.warnings.map((each) => ({ ...each, lastAt: new Date(each.lastAt) })),
  }))
}

type ConsumerRow = {
  consumer_id: string
  state: ConsumerState
  detail: string | null
  partitions: number[]
  lag: number | null
  stored: number
  duplicates: number
  set_aside: number
  last_message_at: Date | null
  since: Date
  updated_at: Date
  warnings: (Omit<ConsumerWarning, 'lastAt'> & { lastAt: string })[]
}
