// For tests only: a schema as lines, each a fact of PostgreSQL's catalogue, so that two databases can be compared and the first difference is named.

import type { Db } from '@roadworthy/service-kit/postgres/db'

/** `name|fact`, sorted. Nothing of an extension, and no number that PostgreSQL chose by itself. */
export async function readCatalogue(db: Db): Promise<string[]> {
  const lines: string[] = []
  for (const [kind, sql] of Object.entries(FACTS)) {
    const { rows } = await db.query<{ name: string; fact: Record<string, unknown> }>(sql)
    lines.push(...rows.map(({ name, fact }) => `${kind} ${name}|${JSON.stringify(fact)}`))
  }
  return lines.sort()
}

/** Undefined: the same. */
export function firstDifference(actual: readonly string[], expected: readonly string[]): string | undefined {
  const [has, needs] = [new Set(actual), new Set(expected)]
  const extra = actual.find((line) => !needs.has(line))
  const missing = expected.find((line) => !has.has(line))
  if (extra === undefined && missing === undefined) return undefined
  return `is: ${extra ?? 'nothing that should not be'}\nshould be: ${missing ?? 'all that is'}`
}

/** Not of an extension. */
const isOurs = (classId: string, oid: string) =>
  `not exists (select from pg_depend x where x.classid = '${classId}'::regclass and x.objid = ${oid} and x.deptype = 'e')`
const TABLES = `c.relnamespace = 'public'::regnamespace and ${isOurs('pg_class', 'c.oid')}`
const acl = (list: string, kind: string, owner: string) =>
  `(select jsonb_agg(format('%s %s by %s%s', coalesce(e.grantee::regrole::text, '?'), e.privilege_type, e.grantor::regrole, case when e.is_grantable then ' *' else '' end)
      order by e.grantee::regrole::text, e.privilege_type) from aclexplode(coalesce(${list}, acldefault('${kind}', ${owner}))) e)`

const FACTS = {
  relation: `
    select c.relname as name, jsonb_build_object('kind', c.relkind, 'persistence', c.relpersistence, 'owner', c.relowner::regrole::text,
             'row security', c.relrowsecurity, 'forced', c.relforcerowsecurity, 'options', c.reloptions, 'replica identity', c.relreplident,
             'comment', obj_description(c.oid, 'pg_class'), 'bound', pg_get_expr(c.relpartbound, c.oid), 'partition key', pg_get_partkeydef(c.oid),
             'access method', (select amname from pg_am where oid = c.relam), 'tablespace', c.reltablespace, 'view', pg_get_viewdef(c.oid),
             'parent', (select inhparent::regclass::text from pg_inherits where inhrelid = c.oid),
             'granted', case when c.relkind in ('r', 'p', 'v', 'm') then ${acl('c.relacl', 'r', 'c.relowner')} when c.relkind = 'S' then ${acl('c.relacl', 's', 'c.relowner')} end) as fact
      from pg_class c where ${TABLES}`,
  column: `
    select format('%s.%s', c.relname, a.attname) as name,
           jsonb_build_object('place', row_number() over (partition by c.oid order by a.attnum), 'type', format_type(a.atttypid, a.atttypmod),
             'collation', a.attcollation::regcollation::text, 'not null', a.attnotnull, 'generated', a.attgenerated, 'identity', a.attidentity,
             'default', pg_get_expr(d.adbin, d.adrelid), 'storage', a.attstorage, 'compression', a.attcompression, 'options', a.attoptions,
             'statistics', a.attstattarget, 'is local', a.attislocal, 'granted', a.attacl::text, 'comment', col_description(c.oid, a.attnum)) as fact
      from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where ${TABLES} and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped`,
  constraint: `
    select format('%s.%s', n.conrelid::regclass, n.conname) as name,
           jsonb_build_object('is', pg_get_constraintdef(n.oid), 'validated', n.convalidated, 'local', n.conislocal, 'inherited', n.coninhcount,
             'no inherit', n.connoinherit, 'parent', (select conname from pg_constraint where oid = n.conparentid)) as fact
      from pg_constraint n join pg_class c on c.oid = n.conrelid where ${TABLES}`,
  index: `
    select i.indexrelid::regclass::text as name,
           jsonb_build_object('is', pg_get_indexdef(i.indexrelid), 'valid', i.indisvalid, 'clustered', i.indisclustered, 'replica identity', i.indisreplident,
             'parent', (select inhparent::regclass::text from pg_inherits where inhrelid = i.indexrelid)) as fact
      from pg_index i join pg_class c on c.oid = i.indrelid where ${TABLES}`,
  trigger: `
    select format('%s.%s', t.tgrelid::regclass, t.tgname) as name,
           jsonb_build_object('is', pg_get_triggerdef(t.oid), 'enabled', t.tgenabled) as fact
      from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${TABLES} and not t.tgisinternal`,
  policy: `
    select format('%s.%s', p.polrelid::regclass, p.polname) as name,
           jsonb_build_object('command', p.polcmd, 'permissive', p.polpermissive, 'using', pg_get_expr(p.polqual, p.polrelid),
             'check', pg_get_expr(p.polwithcheck, p.polrelid), 'roles', array(select r::regrole::text from unnest(p.polroles) r order by 1)) as fact
      from pg_policy p`,
  function: `
    select p.oid::regprocedure::text as name, jsonb_build_object('is', pg_get_functiondef(p.oid), 'owner', p.proowner::regrole::text,
             'granted', ${acl('p.proacl', 'f', 'p.proowner')}, 'comment', obj_description(p.oid, 'pg_proc')) as fact
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a' and ${isOurs('pg_proc', 'p.oid')}`,
  sequence: `
    select c.relname as name, jsonb_build_object('type', s.seqtypid::regtype::text, 'from', s.seqstart, 'by', s.seqincrement, 'least', s.seqmin, 'most', s.seqmax,
             'cache', s.seqcache, 'cycles', s.seqcycle,
             'of', (select format('%s.%s', d.refobjid::regclass, a.attname) from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
                     where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))) as fact
      from pg_sequence s join pg_class c on c.oid = s.seqrelid where ${TABLES}`,
  type: `
    select format_type(t.oid, null) as name, jsonb_build_object('kind', t.typtype, 'owner', t.typowner::regrole::text,
             'labels', array(select enumlabel::text from pg_enum where enumtypid = t.oid order by enumsortorder)) as fact
      from pg_type t where t.typnamespace = 'public'::regnamespace and t.typrelid = 0 and t.typelem = 0 and ${isOurs('pg_type', 't.oid')}`,
  'statistics object': `
    select stxname as name, jsonb_build_object('is', pg_get_statisticsobjdef(oid)) as fact from pg_statistic_ext`,
  rule: `
    select format('%s.%s', ev_class::regclass, rulename) as name, jsonb_build_object('is', pg_get_ruledef(r.oid)) as fact
      from pg_rewrite r join pg_class c on c.oid = r.ev_class where ${TABLES}`,
  publication: `select pubname as name, jsonb_build_object('all tables', puballtables) as fact from pg_publication`,
  schema: `
    select n.nspname as name, jsonb_build_object('owner', n.nspowner::regrole::text, 'granted', ${acl('n.nspacl', 'n', 'n.nspowner')}) as fact
      from pg_namespace n where n.nspname !~ '^pg_(toast|temp|catalog)' and n.nspname <> 'information_schema' and ${isOurs('pg_namespace', 'n.oid')}`,
  'default privileges': `
    select format('%s %s', defaclrole::regrole, defaclobjtype) as name, jsonb_build_object('is', defaclacl::text) as fact from pg_default_acl`,
  role: `
    select r.rolname as name, jsonb_build_object('logs in', r.rolcanlogin, 'inherits', r.rolinherit, 'bypasses', r.rolbypassrls, 'super', r.rolsuper,
             'settings', (select array(select s from unnest(d.setconfig) s order by 1) from pg_db_role_setting d where d.setrole = r.oid and d.setdatabase = 0),
             'settings here', (select array(select s from unnest(d.setconfig) s order by 1) from pg_db_role_setting d
                                where d.setrole = r.oid and d.setdatabase = (select oid from pg_database where datname = current_database()))) as fact
      from pg_roles r where r.rolname like 'roadworthy%'`,
} as const
