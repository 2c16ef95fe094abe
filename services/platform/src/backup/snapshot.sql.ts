// Reads a whole database as it was at one moment, while others change it.

import { type Db, databaseUrls, SYSTEM_ROLE } from '@roadworthy/service-kit/postgres/db'
import pg from 'pg'
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams'
import { isDistributed } from '../cluster/is-distributed.sql.ts'
import { patiently } from '../cluster/patient-session.ts'
import { BackupProblem } from './backup-problem.ts'
import type { PartitionEntry } from './manifest.ts'

/** Reading takes hours. A lock is not waited for longer than others should wait behind it. */
const SESSION = {
  statement_timeout: 0,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 0,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  application_name: 'roadworthy-backup',
}

/** What the text of values depends on, so that it is the same from every server (PostgreSQL's pg_dump sets the same). */
const TEXT_FORMS = `set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 1; set bytea_output = 'hex'; set synchronize_seqscans = off`

/** A partition may be dropped between being listed and being locked. */
const ATTEMPTS = 5

export type Snapshot = {
  readonly at: string
  readonly postgresVersion: string
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[]
  readonly tables: readonly TableFacts[]
  readonly sequences: readonly { readonly name: string; readonly lastValue: string }[]
  /** Undefined: there is none yet. */
  readonly keyCheckValue: string | undefined
  readonly historyFiles: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[]
  copyOut(table: TableFacts): CopyToStreamQuery
  /** Of a role that sees every row, in the transaction of the snapshot. */
  readonly reader: pg.Client
  close(): Promise<void>
}

export type TableFacts = {
  readonly name: string
  /** Those that are not generated. */
  readonly columns: readonly string[]
  readonly isPartitioned: boolean
  /** Emptied by PostgreSQL after a crash. */
  readonly isUnlogged: boolean
  readonly hasRowSecurity: boolean
  readonly comment: string | null
  readonly partitions: readonly PartitionEntry[]
}

/**
 * `secretKey`: for an owner from whom policies hide rows, which every owner is that is no superuser. The tables are then read as the role that may see all of them,
 * in the same snapshot. Where readings are spread over nodes it is one snapshot only while nobody writes to them as it is opened (`withWritesHeld`): who has seen
 * to that sets `areWritesHeld`.
 */
export async function openSnapshot(
  ownerUrl: string,
  secretKey: string | undefined,
  { areWritesHeld }: { areWritesHeld: boolean } = { areWritesHeld: false },
): Promise<Snapshot> {
  const owner = await connect(ownerUrl)
  const sessions = [owner]
  const close = async () => void (await Promise.all(sessions.map((each) => each.end())))
  try {
    const isSpread = await isDistributed(dbOf(owner), 'readings')
    if (isSpread && !areWritesHeld) throw onCluster()
    const tables = await lockTables(owner)
    const seesAll = await ownerSeesAll(owner)
    const reader = seesAll ? owner : await openReader(owner, ownerUrl, secretKey)
    if (reader !== owner) sessions.push(reader)
    if (isSpread) await openOnNodes(reader)
    const sessionFor = ({ hasRowSecurity }: TableFacts) => (hasRowSecurity ? reader : owner)
    return {
      ...(await readFacts(owner)),
      historyFiles: await selectHistoryFiles(tables.some(({ name }) => name === 'sealed_readings_files') ? reader : undefined),
      tables,
      reader,
      copyOut: (table) => sessionFor(table).query(copyTo(copyStatement(table))),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function onCluster(): BackupProblem {
  return new BackupProblem(
    'Readings are spread over the nodes of a Citus cluster, which has no snapshot that all nodes share. Back up each node with pgBackRest or another tool of ' +
      'PostgreSQL, restore all of them to one point of citus_create_restore_point(), and keep the secret key and the files of the history beside it (docs/guides/backup.md).',
  )
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...SESSION })
  // A connection that is lost rejects the statement under way; between statements the next one is rejected.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(TEXT_FORMS)
  return client
}

/** Begins the transaction whose snapshot everything is read in, and holds every table as pg_dump does. */
async function lockTables(owner: pg.Client): Promise<TableFacts[]> {
  for (let attempt = 1; ; attempt++) {
    await owner.query('begin isolation level repeatable read, read only')
    try {
      const tables = await selectTables(owner)
      for (const { name } of tables) await owner.query(`lock table ${quoted(name)} in access share mode`)
      return tables
    } catch (error) {
      await owner.query('rollback')
      const { code } = error as { code?: unknown }
      if (code === '55P03') {
        const fix = 'pg_stat_activity shows which session holds it; make the backup when that has ended.'
        throw new BackupProblem(`A table could not be locked for reading within ${SESSION.lock_timeout / 1000} s. ${fix}`, { cause: error })
      }
      if (code !== '42P01' || attempt === ATTEMPTS) throw error
    }
  }
}

async function selectTables(owner: pg.Client): Promise<TableFacts[]> {
  const { rows: partitions } = await owner.query<PartitionEntry & { parent: string }>(
    `select parent.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, coalesce(c.reloptions, '{}') as options,
            exists (select from pg_trigger where tgrelid = c.oid and tgname = 'sealed') as "isClosed"
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class parent on parent.oid = i.inhparent
      where parent.relnamespace = 'public'::regnamespace and c.relispartition and not i.inhdetachpending
      order by c.relname`,
  )
  const { rows } = await owner.query<Omit<TableFacts, 'partitions'>>(
    `select c.relname as name, c.relkind = 'p' as "isPartitioned", c.relpersistence = 'u' as "isUnlogged", c.relrowsecurity as "hasRowSecurity",
            obj_description(c.oid, 'pg_class') as comment,
            array(select a.attname::text from pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by c.relname`,
  )
  return rows.map((row) => ({
    ...row,
    partitions: partitions.filter(({ parent }) => parent === row.name).map(({ parent: _parent, ...partition }) => partition),
  }))
}

async function ownerSeesAll(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ sees: boolean }>(
    'select rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user',
  )
  return rows[0]?.sees === true
}

/** The role of the service that policies hide nothing from, in the same snapshot. Throws where one of them might. */
async function openReader(owner: pg.Client, ownerUrl: string, secretKey: string | undefined): Promise<pg.Client> {
  const { rows: hiding } = await owner.query<{ name: string }>(
    `select c.relname as name
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity
        and (not exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('*', 'r')
                            and $1::regrole = any (p.polroles) and pg_get_expr(p.polqual, p.polrelid) = 'true')
             or exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive and p.polcmd in ('*', 'r')
                          and (0 = any (p.polroles) or $1::regrole = any (p.polroles)))
             or not has_table_privilege($1, c.oid, 'select'))
      order by 1`,
    [SYSTEM_ROLE],
  )
  if (hiding.length > 0) {
    throw new BackupProblem(
      `Row-level security may hide rows of ${hiding.map(({ name }) => name).join(', ')} from both the owner and ${SYSTEM_ROLE}, so the backup would not be whole. ` +
        'Make it as a superuser, or as a role with BYPASSRLS.',
    )
  }
  if (secretKey === undefined) {
    throw new BackupProblem(
      `The owner of this database does not see every row. Set SECRET_KEY, from which the password of ${SYSTEM_ROLE} follows.`,
    )
  }
  const { rows } = await owner.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot')
  const reader = await connect(databaseUrls(ownerUrl, secretKey).direct.system)
  try {
    // The role has timeouts of its own, on every node.
    await reader.query(['begin isolation level repeatable read, read only', ...patiently(0)].join('; '))
    await reader.query(`set transaction snapshot '${rows[0]?.snapshot ?? ''}'`)
    return reader
  } catch (error) {
    await reader.end()
    throw error
  }
}

/** Begins the transaction on every node. With one connection to each it is the one that all statements of the transaction use, so that each node has one snapshot. */
async function openOnNodes(reader: pg.Client): Promise<void> {
  await reader.query('set local citus.max_adaptive_executor_pool_size = 1')
  await reader.query('select count(*) from latest_states')
}

async function readFacts(
  owner: pg.Client,
): Promise<Pick<Snapshot, 'at' | 'postgresVersion' | 'migrations' | 'sequences' | 'keyCheckValue'>> {
  const { rows: moments } = await owner.query<{ at: Date; version: string }>(
    `select now() as at, current_setting('server_version') as version`,
  )
  const found = await owner.query<{ has: boolean }>(`select to_regclass('public.schema_migrations') is not null as has`)
  if (found.rows[0]?.has !== true) throw new BackupProblem('The database is empty: no Roadworthy was started on it.')
  const { rows: migrations } = await owner.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  )
  const { rows: sequences } = await owner.query<{ name: string; lastValue: string }>(
    `select sequencename as name, last_value::text as "lastValue" from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
  )
  const { rows: keys } = await owner.query<{ check_value: string }>('select check_value from installation_key')
  const at = moments[0]?.at.toISOString() ?? ''
  return { at, postgresVersion: moments[0]?.version ?? '', migrations, sequences, keyCheckValue: keys[0]?.check_value }
}

export async function selectHistoryFiles(reader: pg.Client | undefined): Promise<Snapshot['historyFiles']> {
  if (reader === undefined) return []
  const { rows } = await reader.query<{ path: string; bytes: number; sha256: string }>(
    `select path, bytes::float8 as bytes, encode(sha256, 'hex') as sha256 from sealed_readings_files where state = 'live' order by path`,
  )
  return rows
}

/** A partitioned table is read by a query: COPY of the table itself would read none of its partitions. */
export function copyStatement({ name, columns, isPartitioned }: Pick<TableFacts, 'name' | 'columns' | 'isPartitioned'>): string {
  const listed = columns.map(quoted).join(', ')
  return isPartitioned ? `copy (select ${listed} from ${quoted(name)}) to stdout` : `copy ${quoted(name)} (${listed}) to stdout`
}

export function quoted(name: string): string {
  return pg.escapeIdentifier(name)
}

export function dbOf(client: pg.Client): Db {
  return client as unknown as Db
}
