// What a migration does to tables that were there before it, as PostgreSQL itself shows it: the locks that its transaction holds, which files of
// tables it replaced, and which indexes it made.

import { buildSchema, type Migration } from '@roadworthy/service-kit/postgres/migrate'
import type pg from 'pg'

/** The strongest that its transaction holds on a table until its end: what others wait for meanwhile. */
export type HeldUp = 'nobody' | 'writers' | 'everybody'

export type TableEffect = {
  /** The partitioned table, where it is a partition. */
  readonly table: string
  readonly heldUp: HeldUp
  /** Every row is written anew, into new files. */
  readonly isRewritten: boolean
  /** Indexes that are built over the rows that are there. */
  readonly indexes: readonly string[]
}

type Relation = { readonly name: string; readonly table: string; readonly kind: 'table' | 'index'; readonly file: string }

/** PostgreSQL 18, table 13.2: what conflicts with reading (ACCESS SHARE), and with writing (ROW EXCLUSIVE). */
const LOCKS: Readonly<Record<string, HeldUp>> = {
  AccessExclusiveLock: 'everybody',
  ExclusiveLock: 'writers',
  ShareRowExclusiveLock: 'writers',
  ShareLock: 'writers',
}
const STRENGTH: readonly HeldUp[] = ['nobody', 'writers', 'everybody']

/** The schema as it is where `known` were applied, without a row. On an empty database. */
export async function buildEmpty(client: pg.Client, known: readonly Migration[]): Promise<void> {
  await client.query('begin')
  await buildSchema(client, known)
  await client.query('commit')
}

/** Applies one and returns what it did to each table that was there before. */
export async function applyAndWatch(client: pg.Client, migration: Migration): Promise<TableEffect[]> {
  await client.query('begin')
  const before = await selectRelations(client)
  await client.query(migration.sql)
  const after = await selectRelations(client)
  const locks = await selectLocks(client)
  await client.query('commit')
  const tables = new Set([...before.values()].map(({ table }) => table))
  const effects = [...tables].map((table) => effectOn(table, { before, after, locks }))
  return effects.filter(({ heldUp, isRewritten, indexes }) => heldUp !== 'nobody' || isRewritten || indexes.length > 0)
}

type Relations = ReadonlyMap<string, Relation>
type Seen = {
  readonly before: Relations
  readonly after: Relations
  readonly locks: readonly { readonly oid: string; readonly mode: string }[]
}

function effectOn(table: string, { before, after, locks }: Seen): TableEffect {
  const own = [...before].filter(([, relation]) => relation.table === table && relation.kind === 'table')
  const held = locks.filter(({ oid }) => own.some(([known]) => known === oid)).map(({ mode }) => LOCKS[mode] ?? 'nobody')
  const isBuilt = ([oid, relation]: [string, Relation]) =>
    relation.kind === 'index' && relation.table === table && before.get(oid)?.file !== relation.file
  return {
    table,
    heldUp: held.reduce<HeldUp>((most, each) => (STRENGTH.indexOf(each) > STRENGTH.indexOf(most) ? each : most), 'nobody'),
    isRewritten: own.some(([oid, { file }]) => after.has(oid) && after.get(oid)?.file !== file),
    // Of tables that were there: a new one has no row to index.
    indexes: [...new Set([...after].filter(isBuilt).map(([, { name }]) => name))],
  }
}

/** Tables and indexes with the file that holds each, by oid. A partition counts as its partitioned table, and so its indexes. */
async function selectRelations(client: pg.Client): Promise<Map<string, Relation>> {
  const { rows } = await client.query<Relation & { oid: string }>(
    `select c.oid::text as oid, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, case when c.relkind in ('i', 'I') then 'index' else 'table' end as kind,
            c.relfilenode::text as file, coalesce(pg_partition_root(t.oid), t.oid)::regclass::text as table
       from pg_class c
       left join pg_index i on i.indexrelid = c.oid
       join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'i', 'I')`,
  )
  return new Map(rows.map(({ oid, ...relation }) => [oid, relation]))
}

async function selectLocks(client: pg.Client): Promise<{ oid: string; mode: string }[]> {
  const { rows } = await client.query<{ oid: string; mode: string }>(
    `select relation::text as oid, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and granted`,
  )
  return rows
}
