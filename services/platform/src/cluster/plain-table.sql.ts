// Builds a table that is spread over nodes anew on this PostgreSQL, as the migrations make it. It is built in a schema of its own, where its constraints and
// indexes can have the names that those of the spread one have in `public`. `undistribute_table` of Citus keeps neither the names of constraints nor, of
// `latest_states`, the place of the column that is generated again.

import type { Db } from '@roadworthy/service-kit/postgres/db'

export type PlainTable = { readonly name: string; readonly rowCount: number }

const SCHEMA = 'roadworthy_plain'

export async function createPlainSchema(db: Db): Promise<void> {
  // Nodes have no use for it.
  await db.query(`set local citus.enable_ddl_propagation = off; create schema ${SCHEMA}; set local citus.enable_ddl_propagation = on`)
}

export async function dropPlainSchema(db: Db): Promise<void> {
  await db.query(`set local citus.enable_ddl_propagation = off; drop schema ${SCHEMA}; set local citus.enable_ddl_propagation = on`)
}

/**
 * Replaces the table and its partitions by ones on this PostgreSQL that have the same rows. `generated`: expressions of columns that the spread table has as plain
 * ones. Call in a transaction in which nobody else can write to the table.
 */
export async function replaceByPlainTable(db: Db, name: string, generated: Readonly<Record<string, string>>): Promise<PlainTable> {
  await createTable(db, name, generated)
  const partitions = await selectPartitionNames(db, name)
  const rowCounts = []
  for (const partition of partitions) rowCounts.push(await bringPartitionBack(db, name, partition))
  if (partitions.length === 0) rowCounts.push(await fillAndIndex(db, name))
  else await createIndexes(db, name)
  await db.query(`drop table public.${name}`)
  // Only now: the owner, as whom rows are copied, is one for whom no policy holds.
  await db.query(`alter table ${SCHEMA}.${name} force row level security`)
  for (const each of [name, ...partitions]) await db.query(`alter table ${SCHEMA}.${each} set schema public`)
  await db.query(`analyze public.${name}`)
  return { name, rowCount: rowCounts.reduce((sum, count) => sum + count, 0) }
}

async function createTable(db: Db, name: string, generated: Readonly<Record<string, string>>): Promise<void> {
  const [{ definition = '' } = {}] = await selectTexts(
    db,
    `select format('create table ${SCHEMA}.%I (%s)%s%s', c.relname,
              (select string_agg(part, ', ' order by place, part) from (
                 select a.attnum as place,
                        format('%I %s%s', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation else '' end)
                          || coalesce(' constraint ' || quote_ident(n.conname) || ' not null', case when a.attnotnull then ' not null' else '' end)
                          || case when $2::jsonb ? a.attname then format(' generated always as (%s) stored', $2::jsonb ->> a.attname)
                                  else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end as part
                   from pg_attribute a
                   join pg_type t on t.oid = a.atttypid
                   left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                   left join pg_constraint n on n.conrelid = a.attrelid and n.contype = 'n' and n.conkey = array[a.attnum]
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                 union all
                 select 32767, format('constraint %I %s', conname, pg_get_constraintdef(oid)) from pg_constraint where conrelid = c.oid and contype = 'c') parts),
              ' partition by ' || pg_get_partkeydef(c.oid), ' with (' || array_to_string(c.reloptions, ', ') || ')') as definition
       from pg_class c where c.oid = $1::regclass`,
    [`public.${name}`, JSON.stringify(generated)],
  )
  await db.query(definition)
  await db.query(
    `select enable_tenancy('${SCHEMA}.${name}');
     alter table ${SCHEMA}.${name} no force row level security;
     revoke all on ${SCHEMA}.${name} from roadworthy_app, roadworthy_system`,
  )
  const grants = await selectTexts(
    db,
    `select format('grant %s on ${SCHEMA}.%I to %I', string_agg(e.privilege_type, ', '), c.relname, e.grantee::regrole) as definition
       from pg_class c, aclexplode(c.relacl) e where c.oid = $1::regclass and e.grantee <> c.relowner group by c.relname, e.grantee`,
    [`public.${name}`],
  )
  for (const grant of grants) await db.query(grant.definition)
}

/**
 * As `create_partition` of the migrations does of readings, which alone have partitions, but attached when it has its rows, because Citus plans no insert into a partition from a table that is spread. As each
 * of them was held against the bounds, they are not read once more for it.
 */
async function bringPartitionBack(db: Db, name: string, partition: string): Promise<number> {
  await db.query(
    `create table ${SCHEMA}.${partition} (like ${SCHEMA}.${name} including all);
     select open_partition_for_copy('${SCHEMA}.${partition}')`,
  )
  const [{ bounds, bound, options, comment } = NO_FACTS] = (
    await db.query<PartitionFacts>(
      `select pg_get_partition_constraintdef(oid) as bounds, pg_get_expr(relpartbound, oid) as bound, array_to_string(reloptions, ', ') as options,
              quote_literal(obj_description(oid, 'pg_class')) as comment
         from pg_class where oid = $1::regclass`,
      [`public.${partition}`],
    )
  ).rows
  await db.query(`alter table ${SCHEMA}.${partition} add constraint bounds check (${bounds})`)
  if (options !== null) await db.query(`alter table ${SCHEMA}.${partition} set (${options})`)
  if (comment !== null) await db.query(`comment on table ${SCHEMA}.${partition} is ${comment}`)
  const rowCount = await fillAndIndex(db, partition)
  await db.query(
    `alter table ${SCHEMA}.${name} attach partition ${SCHEMA}.${partition} ${bound};
     alter table ${SCHEMA}.${partition} drop constraint bounds`,
  )
  return rowCount
}

type PartitionFacts = { bounds: string; bound: string; options: string | null; comment: string | null }
const NO_FACTS: PartitionFacts = { bounds: '', bound: '', options: null, comment: null }

/** The rows first: an index is made faster of all of them than by each. */
async function fillAndIndex(db: Db, name: string): Promise<number> {
  const [{ definition: columns = '' } = {}] = await selectTexts(
    db,
    `select string_agg(quote_ident(attname), ', ' order by attnum) as definition from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`${SCHEMA}.${name}`],
  )
  const { rowCount } = await db.query(`insert into ${SCHEMA}.${name} (${columns}) select ${columns} from public.${name}`)
  const { rows } = await db.query<{ count: number }>(`select count(*)::float8 as count from public.${name}`)
  const [{ count = 0 } = {}] = rows
  if (rowCount !== count) throw new Error(`of ${count} rows of ${name}, ${rowCount} came back`)
  await createIndexes(db, name)
  const isClosed = await db.query(`select from pg_constraint where conrelid = $1::regclass and conname = 'sealed'`, [`public.${name}`])
  if (isClosed.rowCount === 1) {
    await db.query(`create trigger sealed before insert on ${SCHEMA}.${name} for each row execute function public.refuse_sealed_reading()`)
  }
  return count
}

/** Of a table with partitions, they join those that the partitions have. */
async function createIndexes(db: Db, name: string): Promise<void> {
  const constraints = await selectTexts(
    db,
    `select format('alter table ${SCHEMA}.%I add constraint %I %s', $2::text, conname, pg_get_constraintdef(oid)) as definition
       from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u') order by conname`,
    [`public.${name}`, name],
  )
  const indexes = await selectTexts(
    db,
    `select regexp_replace(pg_get_indexdef(i.indexrelid), ' ON (ONLY )?public[.]', ' ON ${SCHEMA}.') as definition
       from pg_index i
      where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)
      order by i.indexrelid::regclass::text`,
    [`public.${name}`],
  )
  for (const { definition } of [...constraints, ...indexes]) await db.query(definition)
}

async function selectPartitionNames(db: Db, name: string): Promise<string[]> {
  const rows = await selectTexts(
    db,
    `select c.relname as definition from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
    [`public.${name}`],
  )
  return rows.map(({ definition }) => definition)
}

async function selectTexts(db: Db, sql: string, values: unknown[]): Promise<{ definition: string }[]> {
  const { rows } = await db.query<{ definition: string }>(sql, values)
  return rows
}
