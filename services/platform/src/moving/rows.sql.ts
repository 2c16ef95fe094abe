// Rows of one reseller as lines of JSON, out of a table and into it again. PostgreSQL writes and reads the JSON itself, so that every value is the one that it was.

import type pg from 'pg'
import { type CopyStreamQuery, type CopyToStreamQuery, from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { quoted } from '../backup/snapshot.sql.ts'
import { isOfSpread, WRITTEN_WHEN_SPREAD } from '../cluster/spread-tables.sql.ts'
import type { MovedTable } from './moved-tables.ts'

/** Control characters are escaped within JSON, so neither of them is ever part of a value. */
const FORM = `(format csv, quote e'\\x01', delimiter e'\\x02')`
/** Between a row and its secrets. */
export const SEPARATOR = '\x02'

/** Columns that a row is written with: neither generated, on one PostgreSQL or on several nodes, nor numbers that each installation counts by itself. */
export async function selectColumns(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname::text as name from pg_attribute
      where attrelid = format('public.%I', $1::text)::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
        and attname <> all ($2)
      order by attnum`,
    [table, Object.keys(WRITTEN_WHEN_SPREAD[table] ?? {})],
  )
  return rows.map(({ name }) => name)
}

/** Those that are in the files in the clear. */
export function openColumns({ secrets = {}, arrivesAs = {} }: MovedTable, columns: readonly string[]): string[] {
  return columns.filter((name) => !Object.hasOwn(secrets, name) && !Object.hasOwn(arrivesAs, name))
}

/** Rows that are on several nodes are read by themselves, and then held against others. */
const rowsOf = (client: pg.Client, { name, only }: MovedTable, resellerId: string) => {
  const ofReseller = `reseller_id = ${client.escapeLiteral(resellerId)}`
  if (isOfSpread(name)) return `(select * from ${quoted(name)} where ${ofReseller} offset 0) t${only === undefined ? '' : ` where ${only}`}`
  return `${quoted(name)} t where t.${ofReseller}${only === undefined ? '' : ` and ${only}`}`
}

const asJson = (columns: readonly string[]) =>
  `translate((select row_to_json(r)::text from (select ${columns.map((name) => `t.${quoted(name)}`).join(', ')}) r), e'\\n\\r\\t', '   ')`

/** A line for each row; with `isWithSecrets` those of the row behind the separator. */
export function copyRowsOut(
  client: pg.Client,
  table: MovedTable,
  { resellerId, columns, isWithSecrets }: { resellerId: string; columns: readonly string[]; isWithSecrets: boolean },
): CopyToStreamQuery {
  const secrets = Object.keys(table.secrets ?? {})
  const parts = [asJson(columns), ...(isWithSecrets && secrets.length > 0 ? [asJson(secrets)] : [])]
  return client.query(copyTo(`copy (select ${parts.join(', ')} from ${rowsOf(client, table, resellerId)}) to stdout ${FORM}`))
}

/** Mondays in UTC, oldest first; none of a table that is not partitioned. */
export async function selectWeeks(client: pg.Client, table: MovedTable, resellerId: string): Promise<string[]> {
  if (table.weeksOf === undefined) return []
  const { rows } = await client.query<{ week: string }>(
    `select distinct to_char(date_trunc('week', t.${quoted(table.weeksOf)}::timestamptz, 'UTC') at time zone 'UTC', 'YYYY-MM-DD') as week
       from ${rowsOf(client, table, resellerId)} order by 1`,
  )
  return rows.map(({ week }) => week)
}

/** Holds lines until they have been looked at. Of the transaction. */
export async function createIncoming(client: pg.Client): Promise<void> {
  await client.query('create temporary table incoming (line json not null, secrets json) on commit drop')
}

export function copyIncoming(client: pg.Client): CopyStreamQuery {
  return client.query(copyFrom(`copy incoming (line, secrets) from stdin ${FORM}`))
}

/** How many lines there are, and how many of them are of no or another reseller. */
export async function countIncoming(client: pg.Client, resellerId: string): Promise<{ rowCount: number; foreignCount: number }> {
  const { rows } = await client.query<{ rows: number; foreign: number }>(
    `select count(*)::float8 as rows, count(*) filter (where line ->> 'reseller_id' is distinct from $1)::float8 as foreign from incoming`,
    [resellerId],
  )
  return { rowCount: rows[0]?.rows ?? 0, foreignCount: rows[0]?.foreign ?? 0 }
}

/** Moves the lines into their table. */
export async function insertIncoming(client: pg.Client, table: MovedTable, columns: readonly string[]): Promise<void> {
  const { name, secrets = {}, arrivesAs = {} } = table
  const names = [...columns, ...Object.keys(secrets), ...Object.keys(arrivesAs)]
  const values = [
    ...columns.map((column) => `r.${quoted(column)}`),
    ...Object.keys(secrets).map((column) => `s.${quoted(column)}`),
    ...Object.values(arrivesAs),
  ]
  for (const [column, expression] of await selectWritten(client, name)) {
    names.push(column)
    values.push(`(select ${expression} from (select r.*) written)`)
  }
  const populated = (json: string) => `json_populate_record(null::${quoted(name)}, ${json})`
  // With an answer: otherwise Citus copies into tables that are spread, which row-level security forbids.
  await client.query(
    `insert into ${quoted(name)} (${names.map(quoted).join(', ')})
     select ${values.join(', ')}
       from incoming i cross join lateral ${populated('i.line')} r cross join lateral ${populated(`coalesce(i.secrets, '{}')`)} s
     ${isOfSpread(name) ? 'returning reseller_id' : ''}`,
  )
  await client.query('truncate incoming')
}

/** Columns that are not generated here, as the table is on several nodes, with what they are written as. */
async function selectWritten(client: pg.Client, table: string): Promise<[string, string][]> {
  const written = WRITTEN_WHEN_SPREAD[table]
  if (written === undefined) return []
  const { rows } = await client.query<{ name: string }>(
    `select attname::text as name from pg_attribute where attrelid = format('public.%I', $1::text)::regclass and attname = any ($2) and attgenerated = ''`,
    [table, Object.keys(written)],
  )
  return Object.entries(written).filter(([column]) => rows.some(({ name }) => name === column))
}

export type Known = { readonly name: string; readonly sha256: string }

/** Undefined: the database has no schema yet. */
export async function selectMigrations(client: pg.Client): Promise<Known[] | undefined> {
  const { rows } = await client.query<{ has: boolean }>(`select to_regclass('public.schema_migrations') is not null as has`)
  if (rows[0]?.has !== true) return undefined
  return (await client.query<Known>('select name, sha256 from schema_migrations order by name')).rows
}

/** `imported`: it came from the export with this hash of its manifest. */
export async function selectReseller(client: pg.Client, resellerId: string, sha256: string): Promise<'none' | 'imported' | 'taken'> {
  const { rows } = await client.query<{ imported: boolean }>(
    `select exists (select from audit_log a where a.reseller_id = r.reseller_id and a.action = 'reseller.imported'
                       and a.changes -> 'manifest' ->> 'to' = $2) as imported
       from resellers r where r.reseller_id = $1`,
    [resellerId, sha256],
  )
  if (rows[0] === undefined) return 'none'
  return rows[0].imported ? 'imported' : 'taken'
}

/** Devices and vehicles that the export has and another reseller of the installation has as well, some of them. Of lines of one of the two. */
export async function selectTaken(client: pg.Client, of: 'device' | 'vehicle', resellerId: string, limit: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select k.${of}_id as id from ${of}s k join incoming i on i.line ->> '${of}_id' = k.${of}_id where k.reseller_id <> $1 order by 1 limit $2`,
    [resellerId, limit],
  )
  return rows.map(({ id }) => id)
}
