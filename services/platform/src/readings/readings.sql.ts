// Every statement that writes readings. One statement stores a batch: the log, the newest state of each vehicle by source, and what is metered of
// it, so that they are committed together or not at all.

import type { CopyIn, Db, NamedStatement } from '@roadworthy/service-kit/postgres/db'
import { float8Array, jsonbArray, textArray, timestamptzArray } from '@roadworthy/service-kit/postgres/pg-arrays'
import type { UsageCount } from '../limits/usage.sql.ts'
import { offsetsStatement, type StreamProgress } from '../streams/offsets.sql.ts'
import type { CopyPartition } from './copy-partitions.read.sql.ts'
import type { LatestState } from './latest-state.ts'
import { type ActiveDevice, READING_COLUMNS, type ReadingRows } from './reading-rows.ts'
import { stateParameters } from './state-parameters.ts'

/** The tables that a batch is written to: those of the one PostgreSQL, or those of a shard by their own names, on the node that has it. */
export type ReadingTables = {
  readonly readings: string
  readonly latestStates: string
  /** Where what else follows is written down, on a shard; undefined: it is done at once. */
  readonly effects: string | undefined
}

export const WHOLE_TABLES: ReadingTables = { readings: 'readings', latestStates: 'latest_states', effects: undefined }

/** What is written of a batch beside its readings. */
export type WithReadings = {
  /** Folded from them. */
  readonly states: readonly LatestState[]
  /** The calls that brought them, where they are counted in the same transaction; on a shard there are none. */
  readonly calls: readonly UsageCount[]
}

export type ReadingWriter = {
  /**
   * Stores readings with the states folded from them. Returns the digests that were new, or undefined when all were: a device re-sends
   * whatever it was not acknowledged for, so a known digest is normal traffic.
   */
  insertReadings(db: Db, readings: ReadingRows, beside: WithReadings): Promise<ReadonlySet<string> | undefined>
  /** The same for readings of which all are new; one that is known violates the primary key. Takes a quarter less of PostgreSQL's time. */
  insertNewReadings(db: Db, readings: ReadingRows, beside: WithReadings): Promise<void>
  /**
   * The same as a part of a transaction (`copyIn`); none of the readings may make a device active. By COPY into their partitions, which takes a third less,
   * where those that hold all of the readings are given; else by INSERT. `progress`: how far streams are read with them.
   */
  partOfNew(readings: ReadingRows, beside: WithReadings, into: readonly CopyPartition[], progress?: readonly StreamProgress[]): CopyIn
}

export function createReadingWriter(tables: ReadingTables): ReadingWriter {
  const statements = statementsOf(tables)
  return {
    insertReadings: async (db, readings, beside) => {
      const active = readings.activeDevices()
      return await insertCounting(db, tables, statements.unlessKnown[active.length > 0 ? 1 : 0], readings, active, beside)
    },
    insertNewReadings: async (db, readings, beside) => {
      const active = readings.activeDevices()
      if (active.length > 0) await insertCounting(db, tables, statements.newActivating, readings, active, beside)
      else await db.query(statements.newCounted, newParameters(tables, readings, beside))
    },
    partOfNew: (readings, beside, into, progress = []) => {
      const ofStream = progress.length > 0 ? offsetsStatement(progress) : undefined
      if (into.length === 0) {
        return { copies: [], beside: ofStream, statement: statements.newCounted, values: newParameters(tables, readings, beside) }
      }
      return {
        copies: readings.toCopies(into).map(({ span, copied }) => ({ text: copyText(span.name), copied })),
        beside: ofStream,
        statement: statements.besideCopied,
        values: [...stateParameters(beside.states), ...countedParameters(tables, readings, beside)],
      }
    },
  }
}

/** PostgreSQL counts what is metered, because it alone knows which readings are stored. */
async function insertCounting(
  db: Db,
  { effects }: ReadingTables,
  statement: NamedStatement,
  readings: ReadingRows,
  active: readonly ActiveDevice[],
  { states, calls }: WithReadings,
): Promise<ReadonlySet<string> | undefined> {
  const { rows } = await db.query<{ stored_count: number; stored: string[] | null }>(statement, [
    ...readings.toParameters(),
    ...stateParameters(states),
    ...(effects === undefined ? countParameters(calls) : []),
    ...(active.length > 0 ? activeParameters(active) : []),
  ])
  const [row] = rows
  if (row === undefined || row.stored_count === readings.count) return undefined
  return new Set(row.stored ?? [])
}

/** All readings are stored or none, so that what is metered is known before: PostgreSQL need not keep the rows to count them. */
function newParameters(tables: ReadingTables, readings: ReadingRows, beside: WithReadings): Buffer[] {
  return [...readings.toParameters(), ...stateParameters(beside.states), ...countedParameters(tables, readings, beside)]
}

function countedParameters({ effects }: ReadingTables, readings: ReadingRows, { calls }: WithReadings): Buffer[] {
  const stored = readings.pointsIngested()
  return effects === undefined ? countParameters([...stored, ...calls]) : laterParameters(stored)
}

function countParameters(counts: readonly UsageCount[]): Buffer[] {
  return [
    textArray(counts.map(({ resellerId }) => resellerId)),
    textArray(counts.map(({ subClientId }) => subClientId)),
    textArray(counts.map(({ meter }) => meter)),
    timestamptzArray(counts.map(({ bucket }) => bucket.getTime())),
    float8Array(counts.map(({ count }) => count)),
  ]
}

function laterParameters(counts: readonly (UsageCount & { readonly sourceId: string })[]): Buffer[] {
  return [
    textArray(counts.map(({ sourceId }) => sourceId)),
    textArray(counts.map(({ resellerId }) => resellerId)),
    jsonbArray(counts.map(({ subClientId, bucket, count }) => JSON.stringify({ subClientId, bucket, count }))),
  ]
}

function activeParameters(active: readonly ActiveDevice[]): Buffer[] {
  return [
    textArray(active.map(({ resellerId }) => resellerId)),
    textArray(active.map(({ subClientId }) => subClientId)),
    textArray(active.map(({ deviceId }) => deviceId)),
    textArray(active.map(({ day }) => day.label)),
    timestamptzArray(active.map(({ day }) => day.fromMs)),
    timestamptzArray(active.map(({ day }) => day.untilMs)),
  ]
}

const READING_COLUMN_LIST = Object.keys(READING_COLUMNS).join(', ')

/** What `stateParameters` makes. */
const STATE_COLUMNS = {
  ...{ source_id: 'text', reseller_id: 'text', device_id: 'text', vehicle_id: 'text', recorded_at: 'timestamptz' },
  ...{ merged_from: 'timestamptz', received_at: 'timestamptz', signals: 'jsonb', states: 'jsonb', fix_recorded_at: 'timestamptz' },
  ...{ latitude: 'float8', longitude: 'float8', fix: 'jsonb' },
}

const FIRST_STATE_PARAMETER = Object.keys(READING_COLUMNS).length + 1
const FIRST_COUNT_PARAMETER = FIRST_STATE_PARAMETER + Object.keys(STATE_COLUMNS).length

/** The quarter-hour of the service's clock in which a reading was received, as `ReadingRows` counts them. */
const BUCKET = `date_bin('15 minutes', received_at, '2000-01-01T00:00:00Z')`

/** What was counted before. Rows are only added, so no two commits wait for each other here. */
const countedFrom = (first: number) =>
  `select * from unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::text[], $${first + 3}::timestamptz[], $${first + 4}::float8[])`

/**
 * What is billed: readings that were stored, in the quarter-hour they were received in, under the sub-client they belong to, and the calls that brought
 * them.
 */
const METERED = `
  select reseller_id, coalesce(sub_client_id, ''), 'points_ingested', ${BUCKET}, count(*)
    from stored
   group by 1, 2, 4
   union all
  ${countedFrom(FIRST_COUNT_PARAMETER)}`

/** The same on a shard, to be added to the ledger by a worker. */
const countedLaterFrom = (first: number) =>
  `select source_id, reseller_id, 'usage', body from unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::jsonb[]) u (source_id, reseller_id, body)`
const METERED_LATER = `
  select min(source_id) as source_id, reseller_id, 'usage' as kind,
         jsonb_build_object('subClientId', coalesce(sub_client_id, ''), 'bucket', ${BUCKET}, 'count', count(*)) as body
    from stored
   group by reseller_id, coalesce(sub_client_id, ''), ${BUCKET}`

/** A device counts in the day and in the month of the first of its readings that is stored in it; whoever comes second finds the row there. */
const ACTIVE = `
active as (
  insert into usage_active_devices (reseller_id, sub_client_id, device_id, period, bucket)
  select reseller_id, sub_client_id, device_id, period, bucket
    from (select c.reseller_id, c.sub_client_id, c.device_id, c.day, min(${BUCKET}) as bucket
            from unnest($32::text[], $33::text[], $34::text[], $35::text[], $36::timestamptz[], $37::timestamptz[])
                   as c (reseller_id, sub_client_id, device_id, day, day_from, day_until)
            join stored s on s.device_id = c.device_id and s.reseller_id = c.reseller_id
                         and coalesce(s.sub_client_id, '') = c.sub_client_id
                         and s.received_at >= c.day_from and s.received_at < c.day_until
           group by c.reseller_id, c.sub_client_id, c.device_id, c.day) a
   cross join lateral (values (day), (left(day, 7))) p (period)
   order by device_id, period
  on conflict do nothing
  returning reseller_id, sub_client_id, period, bucket
),`

const ACTIVE_METERED = `
   union all
  select reseller_id, sub_client_id, case length(period) when 7 then 'active_devices' else 'active_device_days' end, bucket, count(*)
    from active
   group by 1, 2, 3, 4`

/** On a shard it cannot be known whether the device is counted already: what it reported of another vehicle may be on another node. */
const ACTIVE_LATER = `
   union all
  select min(s.source_id), c.reseller_id, 'active device',
         jsonb_build_object('subClientId', c.sub_client_id, 'deviceId', c.device_id, 'day', c.day, 'bucket', min(${BUCKET}))
    from unnest($27::text[], $28::text[], $29::text[], $30::text[], $31::timestamptz[], $32::timestamptz[])
           as c (reseller_id, sub_client_id, device_id, day, day_from, day_until)
    join stored s on s.device_id = c.device_id and s.reseller_id = c.reseller_id and coalesce(s.sub_client_id, '') = c.sub_client_id
                 and s.received_at >= c.day_from and s.received_at < c.day_until
   group by c.reseller_id, c.sub_client_id, c.device_id, c.day`

const INSERT_USAGE = `insert into usage_entries (reseller_id, sub_client_id, meter, bucket, count)`
const insertEffects = (effects: string) => `insert into ${effects} (source_id, reseller_id, kind, body)`

const followedBy = (effects: string | undefined, isActivating: boolean) =>
  effects === undefined
    ? `${isActivating ? ACTIVE : ''} metered as (${INSERT_USAGE} ${METERED}${isActivating ? ACTIVE_METERED : ''}
)`
    : `effects as (${insertEffects(effects)} ${METERED_LATER}${isActivating ? ACTIVE_LATER : ''}
)`

/**
 * The rows of array parameters, one for each column. In the select list, the arrays are read side by side; of functions in FROM, PostgreSQL first writes
 * down all that each answers, which took an eighth of the time of the whole insert (PostgreSQL 18, a thousand readings a statement).
 */
const rowsOf = (columns: readonly (readonly [name: string, type: string])[], firstParameter: number) =>
  `select ${columns.map(([name, type], nth) => `unnest($${firstParameter + nth}::${type}[]) as ${name}`).join(', ')}`

/** Readings, sources and vehicles are locked in one order everywhere, so that two batches never wait for each other in a ring. */
const insertReadingsText = (readings: string) => `
  insert into ${readings} (${READING_COLUMN_LIST})
  select * from (${rowsOf(
    Object.entries(READING_COLUMNS).map(([name, { type }]) => [name, type]),
    1,
  )}) r
   order by source_id collate "C", recorded_at, digest`

const upsertStatesText = ({ latestStates, effects }: ReadingTables, firstParameter = FIRST_STATE_PARAMETER) => `
  insert into ${latestStates} as l (source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, signals, states,
                                  fix_recorded_at, fix_received_at, latitude, longitude, fix${effects === undefined ? '' : ', vehicle_key'})
  select source_id, reseller_id, device_id, vehicle_id, recorded_at, merged_from, received_at, coalesce(signals, '{}'), coalesce(states, '{}'),
         fix_recorded_at, case when fix_recorded_at is not null then received_at end, latitude, longitude, fix${effects === undefined ? '' : `, coalesce(vehicle_id, '')`}
    from (${rowsOf(Object.entries(STATE_COLUMNS), firstParameter)}) s
   order by source_id, coalesce(vehicle_id, '')
  on conflict (source_id, vehicle_key) do update set
    signals         = case when excluded.merged_from >= l.recorded_at then l.signals || excluded.signals else merge_latest(l.signals, excluded.signals) end,
    states          = case when excluded.merged_from >= l.recorded_at then l.states || excluded.states else merge_latest(l.states, excluded.states) end,
    recorded_at     = greatest(l.recorded_at, excluded.recorded_at),
    merged_from     = excluded.merged_from,
    received_at     = greatest(l.received_at, excluded.received_at),
    fix_recorded_at = case when excluded.fix_recorded_at >= coalesce(l.fix_recorded_at, '-infinity') then excluded.fix_recorded_at else l.fix_recorded_at end,
    fix_received_at = case when excluded.fix_recorded_at >= coalesce(l.fix_recorded_at, '-infinity') then excluded.received_at else l.fix_received_at end,
    latitude        = case when excluded.fix_recorded_at >= coalesce(l.fix_recorded_at, '-infinity') then excluded.latitude else l.latitude end,
    longitude       = case when excluded.fix_recorded_at >= coalesce(l.fix_recorded_at, '-infinity') then excluded.longitude else l.longitude end,
    fix             = case when excluded.fix_recorded_at >= coalesce(l.fix_recorded_at, '-infinity') then excluded.fix else l.fix end,
    due             = true,
    woken           = l.woken or l.awaited`

const insertCountingText = (tables: ReadingTables, onConflict: string, isActivating: boolean) => `
with stored as (${insertReadingsText(tables.readings)}
  ${onConflict}
  returning ${tables.effects === undefined ? '' : 'source_id, '}reseller_id, sub_client_id, device_id, received_at, digest
), ${followedBy(tables.effects, isActivating)}, latest as (${upsertStatesText(tables)}
)
select count(*)::int as stored_count,
       case when count(*) < cardinality($1::text[]) then array_agg(encode(digest, 'hex')) end as stored
  from stored`

const insertCountedText = (tables: ReadingTables) => `
with metered as (
  ${insertCountsText(tables, FIRST_COUNT_PARAMETER)}
), latest as (${upsertStatesText(tables)}
)${insertReadingsText(tables.readings)}`

const copyText = (partition: string) => `copy ${partition} (${READING_COLUMN_LIST}) from stdin (format binary)`

/** What is written of readings that are copied. */
const besideCopiedText = (tables: ReadingTables) => `
with metered as (
  ${insertCountsText(tables, Object.keys(STATE_COLUMNS).length + 1)}
)${upsertStatesText(tables, 1)}`

const insertCountsText = ({ effects }: ReadingTables, first: number) =>
  effects === undefined ? `${INSERT_USAGE} ${countedFrom(first)}` : `${insertEffects(effects)} ${countedLaterFrom(first)}`

type Statements = {
  /** Without and with devices that become active, which is once a day for each: their share costs nothing the rest of the day. */
  readonly unlessKnown: readonly [NamedStatement, NamedStatement]
  readonly newCounted: NamedStatement
  readonly newActivating: NamedStatement
  readonly besideCopied: NamedStatement
}

function statementsOf(tables: ReadingTables): Statements {
  // Prepared statements are known by their names, of which each shard has its own.
  const named = (name: string, text: string): NamedStatement => ({ name: `${name} into ${tables.readings}`, text })
  return {
    unlessKnown: [
      named('insert unless known', insertCountingText(tables, 'on conflict do nothing', false)),
      named('insert unless known, activating,', insertCountingText(tables, 'on conflict do nothing', true)),
    ],
    newCounted: named('insert new', insertCountedText(tables)),
    besideCopied: named('beside copied', besideCopiedText(tables)),
    newActivating: named('insert new, activating,', insertCountingText(tables, '', true)),
  }
}

/** Creates the weekly partitions that cover the span; ones that exist are left alone. Returns how many were made. */
export async function ensureReadingPartitions(db: Db, from: Date, to: Date): Promise<number> {
  const { rows } = await db.query<{ created: number }>('select ensure_reading_partitions($1, $2) as created', [from, to])
  return rows[0]?.created ?? 0
}
