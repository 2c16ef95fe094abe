// Loads what a snapshot holds into an empty database, in a transaction of the caller's: until its commit nobody sees anything of it.

import type pg from 'pg'
import { type CopyStreamQuery, type CopyToStreamQuery, from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Manifest, TableEntry } from './manifest.ts'
import { copyStatement, quoted } from './snapshot.sql.ts'

/** What is in the schema that everything of Roadworthy is in; nothing where the database is empty. */
export async function selectOccupants(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not c.relispartition
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** What is out of the way while rows are loaded, and how it comes back. */
export type Suspended = {
  readonly tables: readonly string[]
  readonly forced: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
}
type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string }

/**
 * Rows come in the order of the names of their tables, after what they refer to or before it, and what their triggers did has been done. Policies that hold for the
 * owner as well would keep it from writing. What migrations stored themselves is emptied, because the backup has it.
 */
export async function suspendChecks(client: pg.Client): Promise<Suspended> {
  const { rows: tables } = await client.query<{ name: string; forced: boolean }>(
    `select relname as name, relforcerowsecurity as forced from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'schema_migrations'
      order by relname`,
  )
  const { rows: foreignKeys } = await client.query<ForeignKey>(
    `select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c join pg_class r on r.oid = c.conrelid
      where c.contype = 'f' and c.conparentid = 0 and r.relnamespace = 'public'::regnamespace
      order by 1, 2`,
  )
  for (const { table, name } of foreignKeys) await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  const names = tables.map(({ name }) => name)
  const forced = tables.filter((each) => each.forced).map(({ name }) => name)
  await client.query(`truncate ${names.map(quoted).join(', ')}`)
  for (const name of names) await client.query(`alter table ${quoted(name)} disable trigger user`)
  for (const name of forced) await client.query(`alter table ${quoted(name)} no force row level security`)
  return { tables: names, forced, foreignKeys }
}

/** Checks every row against the foreign keys. */
export async function resumeChecks(client: pg.Client, { tables, forced, foreignKeys }: Suspended): Promise<void> {
  for (const name of tables) await client.query(`alter table ${quoted(name)} enable trigger user`)
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
  }
  for (const name of forced) await client.query(`alter table ${quoted(name)} force row level security`)
}

/**
 * Puts the partitions of the backup in the place of those that the migrations made for today, as `create_partition` makes them. One that was a table before there were
 * partitions (`…_before`) loses the indexes of that time, which only the version before used.
 */
export async function replacePartitions(client: pg.Client, { name: parent, partitions }: TableEntry): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [`public.${quoted(parent)}`],
  )
  for (const { name } of rows) await client.query(`drop table ${quoted(name)}`)
  const isCopied = parent === 'readings' && (await areReadingsCopied(client))
  for (const { name, bound, options } of partitions) {
    await client.query(`create table ${quoted(name)} (like ${quoted(parent)} including all)`)
    if (isCopied) await client.query('select open_partition_for_copy($1::regclass)', [`public.${quoted(name)}`])
    else {
      // By its own name it shows nothing to anyone.
      await client.query(`alter table ${quoted(name)} enable row level security`)
      await client.query(`alter table ${quoted(name)} force row level security`)
    }
    if (options.length > 0) await client.query(`alter table ${quoted(name)} set (${options.join(', ')})`)
    await client.query(`alter table ${quoted(parent)} attach partition ${quoted(name)} ${bound}`)
  }
}

/** A backup of a version before is loaded into the schema of that version. */
async function areReadingsCopied(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`select where to_regprocedure('open_partition_for_copy(regclass)') is not null`)
  return rowCount === 1
}

export function copyIn(client: pg.Client, { name, columns }: TableEntry): CopyStreamQuery {
  return client.query(copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`))
}

/** The columns of the backup, whatever else the table has. */
export function copyOut(client: pg.Client, table: TableEntry): CopyToStreamQuery {
  return client.query(copyTo(copyStatement(table)))
}

/** A partition whose readings are being sealed takes nothing more in. */
export async function closePartitions(client: pg.Client, { tables }: Manifest): Promise<void> {
  const closed = tables.flatMap(({ name, partitions }) => (name === 'readings' ? partitions.filter(({ isClosed }) => isClosed) : []))
  for (const { name } of closed) await client.query('select close_readings_partition($1)', [name])
}

export async function setSequences(client: pg.Client, { sequences }: Manifest): Promise<void> {
  for (const { name, lastValue } of sequences) await client.query('select setval($1::regclass, $2)', [`public.${quoted(name)}`, lastValue])
}

/** Undefined: the key of the installation was never noted. */
export async function selectKeyCheckValue(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ check_value: string }>('select check_value from installation_key')
  return rows[0]?.check_value
}

/** Until then PostgreSQL knows nothing about the tables, and plans badly. */
export async function analyze(client: pg.Client): Promise<void> {
  await client.query('analyze')
}

export async function checkpoint(client: pg.Client): Promise<void> {
  await client.query('checkpoint')
}

export type Recovered = {
  /** Of the newest transaction; undefined where the log had none. */ readonly lastCommitAt: Date | undefined
  readonly segment: string
}

/** Up to where a recovery has read the log. */
export async function selectRecovered(client: pg.Client): Promise<Recovered> {
  const { rows } = await client.query<{ at: Date | null; segment: string }>(
    'select pg_last_xact_replay_timestamp() as at, pg_walfile_name(pg_last_wal_replay_lsn()) as segment',
  )
  return { lastCommitAt: rows[0]?.at ?? undefined, segment: rows[0]?.segment ?? '' }
}
