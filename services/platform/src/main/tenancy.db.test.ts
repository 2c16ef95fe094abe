// Goal: the second wall stands whatever the queries do. Method: ask PostgreSQL's catalogue about every table, and be each role.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import { isTestCluster } from '@roadworthy/service-kit/postgres/test-database'
import pg from 'pg'
import { insertReseller, openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'

const { database, ownerUrl } = await openTestDatabase({ after })
await insertReseller(database, 'acme')
await insertReseller(database, 'rival')
for (const reseller of ['acme', 'rival']) {
  await database.tenant(reseller, (db) =>
    db.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ($1, 'one', 'One')`, [reseller]),
  )
}

async function asApp<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrls(ownerUrl, TEST_SECRET_KEY).app })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/**
 * Attempts to sign in are counted before it is known whose account it is, and calls of operators by credential, whoever has it stored; receivers of
 * streams are processes of the installation. The API's role sees nothing of them.
 */
const OF_NO_TENANT: readonly string[] = ['sign_in_rates', 'operator_calls', 'readings_sealed', 'stream_receivers']

/** On a cluster, where their shards are moved as the owner (ADR 0039). */
const SECURED_FOR_OTHERS = isTestCluster() ? '^(readings|latest_states|reading_effects)$' : '^$'

test('every table has row-level security enabled and forced, and every tenant table both policies', async () => {
  const { rows } = await database.systemPool.query<{
    name: string
    secured: boolean
    tenant: boolean
    policies: string[] | null
    partition: boolean
  }>(
    `select c.relname as name, c.relrowsecurity and (c.relforcerowsecurity or c.relname ~ $1) as secured, c.relispartition as partition,
            exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'reseller_id' and not a.attisdropped) as tenant,
            (select array_agg(polname::text order by polname) from pg_policy p where p.polrelid = c.oid and p.polpermissive) as policies
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and c.relname not in ('schema_migrations', 'installation_key')`,
    [SECURED_FOR_OTHERS],
  )
  assert.ok(rows.length > 15)
  for (const { name, secured, tenant, policies, partition } of rows) {
    if (OF_NO_TENANT.includes(name)) {
      assert.deepEqual({ secured, tenant, policies }, { secured: true, tenant: false, policies: ['system'] })
      continue
    }
    assert.ok(tenant, `${name} has no reseller_id`)
    assert.equal(secured, !/^readings_[0-9]{8}$/.test(name), name)
    // Partitions are reached through their parent, whose policies hold; by their own name they show nothing to anyone.
    assert.deepEqual(policies, partition ? null : ['system', 'tenant'], name)
  }
})

test('by the name of a partition of readings, the API’s role adds rows and does nothing else; the other role does nothing', async () => {
  const { rows } = await database.systemPool.query<{ name: string; app: string[]; system: string[] }>(
    `select relid::regclass::text as name,
            (select array_agg(p order by p) from unnest($1::text[]) p where has_table_privilege('roadworthy_app', relid, p)) as app,
            (select coalesce(array_agg(p order by p), '{}') from unnest($1::text[]) p where has_table_privilege('roadworthy_system', relid, p)) as system
       from pg_partition_tree('readings') where isleaf`,
    [['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger', 'maintain']],
  )
  assert.ok(rows.length > 3)
  for (const { name, app, system } of rows) assert.deepEqual({ app, system }, { app: ['insert'], system: [] }, name)
  await asApp(async (client) => {
    await client.query(`set app.resellers = '{acme}'`)
    for (const statement of ['select from', 'delete from', 'table']) {
      await assert.rejects(client.query(`${statement} ${rows[0]?.name}`), /permission denied/, statement)
    }
  })
})

test('the API’s role is an ordinary one, owns nothing, and cannot become more', async () => {
  const { rows } = await database.systemPool.query<{ rolname: string; mighty: boolean; owned: number; member: boolean }>(
    `select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb as mighty,
            (select count(*)::int from pg_class where relowner = r.oid) as owned,
            exists (select 1 from pg_auth_members m where m.member = r.oid) as member
       from pg_roles r where rolname in ('roadworthy_app', 'roadworthy_system') order by 1`,
  )
  assert.deepEqual(rows, [
    { rolname: 'roadworthy_app', mighty: false, owned: 0, member: false },
    { rolname: 'roadworthy_system', mighty: false, owned: 0, member: false },
  ])
})

test('without a tenant every table is empty; with one only its rows are there, to read and to write', async () => {
  await asApp(async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname not in ('schema_migrations', 'installation_key')`,
    )
    for (const { name } of tables) {
      if (OF_NO_TENANT.includes(name)) {
        await assert.rejects(client.query(`select 1 from ${name}`), /permission denied/)
        continue
      }
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${name}`)
      assert.equal(rows[0]?.n, 0, name)
    }
    await client.query(`begin; set local app.resellers = '{acme}'`)
    const { rows } = await client.query('select reseller_id from sub_clients')
    assert.deepEqual(rows, [{ reseller_id: 'acme' }])
    assert.equal((await client.query(`update sub_clients set name = 'mine now' where reseller_id = 'rival'`)).rowCount, 0)
    await assert.rejects(
      client.query(`insert into sub_clients (reseller_id, sub_client_id, name) values ('rival', 'two', 'Two')`),
      /row-level security/,
    )
    await client.query('rollback')
    // The setting ended with its transaction: a pooled connection carries no tenant over.
    assert.deepEqual((await client.query('select reseller_id from sub_clients')).rows, [])
  })
})

test('a reseller id that is not one never reaches the database', async () => {
  for (const id of ['acme,rival', '{rival}', "x'; drop table readings; --", '', 'ACME']) {
    await assert.rejects(
      database.tenant(id, async () => assert.fail('ran')),
      /not a reseller id/,
    )
  }
})
