// Goal: a wrong secret key changes nothing on a server, and a right one always gets in. Method: a server of its own, because roles belong
// to the whole server and the other tests share one; databases on it are installations.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import { databaseUrls } from './db.ts'
import { migrate } from './migrate.ts'
import { startTestServer } from './test-database.ts'

const KEY = 'the secret key of this installation, long'
const OTHER_KEY = 'the secret key of another installation!!'

const server = await startTestServer()
const directory = mkdtempSync(join(tmpdir(), 'roadworthy-migrations-'))
writeFileSync(
  join(directory, '0001_things.sql'),
  'create table things (thing_id text); grant select on things to roadworthy_app, roadworthy_system;',
)
after(async () => {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
})

const urlOf = (name: string) => {
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}
const start = (name: string, secretKey: string) => migrate(urlOf(name), { directory, secretKey })

async function run(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

async function assertWorks(name: string, secretKey: string): Promise<void> {
  const { app, system } = databaseUrls(urlOf(name), secretKey)
  for (const url of [app, system]) assert.deepEqual(await run(url, 'select * from things'), [])
}

beforeEach(async () => {
  await run(server.url, 'drop database if exists one', 'drop database if exists two')
  await run(server.url, 'drop role if exists roadworthy_app', 'drop role if exists roadworthy_system')
  await run(server.url, 'create database one', 'create database two')
})

test('a replica without the shared key is refused with what to bring back, and the others go on', async () => {
  await start('one', KEY)
  await assert.rejects(start('one', OTHER_KEY), /set up with another SECRET_KEY.*bring back.*secret-key of the data folder/)
  await assertWorks('one', KEY)
  assert.deepEqual((await start('one', KEY)).applied, [])
})

test('replicas that start at once on a new database with keys of their own: one gets it, the other is refused', async () => {
  const outcomes = await Promise.allSettled([start('one', KEY), start('one', OTHER_KEY)])
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.deepEqual(
    refused.map(({ reason }) => /another SECRET_KEY/.test(String(reason))),
    [true],
  )
  await assertWorks('one', outcomes[0]?.status === 'fulfilled' ? KEY : OTHER_KEY)
})

test('a second installation on the server is refused by the name of the first one’s database, unless it has the same key', async () => {
  await start('one', KEY)
  await assert.rejects(start('two', OTHER_KEY), /uses this PostgreSQL server \(database one\).*server of its own, or the same SECRET_KEY/)
  await assertWorks('one', KEY)
  await start('two', KEY)
  await assertWorks('two', KEY)
  await assertWorks('one', KEY)
})

test('installations that start at once on one server: the first one’s roles stay its own', async () => {
  const outcomes = await Promise.allSettled([start('one', KEY), start('two', OTHER_KEY)])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await (outcomes[0]?.status === 'fulfilled' ? assertWorks('one', KEY) : assertWorks('two', OTHER_KEY))
})

test('a database of before check values takes the key that its roles have, and refuses another', async () => {
  await start('one', KEY)
  await run(urlOf('one'), 'drop table installation_key')
  await assert.rejects(start('one', OTHER_KEY), /set up with another SECRET_KEY/)
  await assertWorks('one', KEY)
  await start('one', KEY)
  assert.equal((await run(urlOf('one'), 'select * from installation_key')).length, 1)
})

test('a backup comes back on a new server with its key, whether its roles were made by hand or by nobody', async () => {
  await start('one', KEY)
  const kept = await run(urlOf('one'), 'select * from installation_key')
  // What pg_restore leaves on a server of its own: the tables, and roles that nobody can sign in as.
  await run(urlOf('one'), 'alter role roadworthy_app nologin password null', 'alter role roadworthy_system nologin password null')
  await assert.rejects(start('one', OTHER_KEY), /set up with another SECRET_KEY/)
  await start('one', KEY)
  await assertWorks('one', KEY)
  // The roles of a cluster that was restored without their passwords.
  await run(urlOf('one'), `alter role roadworthy_app password 'x'`, 'alter role roadworthy_system password null')
  await start('one', KEY)
  await assertWorks('one', KEY)
  assert.deepEqual(await run(urlOf('one'), 'select * from installation_key'), kept)
})

test('roles that a removed database left over get the password of the new one', async () => {
  await start('one', KEY)
  await run(server.url, 'drop database one')
  await start('two', OTHER_KEY)
  await assertWorks('two', OTHER_KEY)
})

test('a role that cannot sign in for another reason than its password keeps that, and the start reports why', async () => {
  await start('one', KEY)
  await run(urlOf('one'), 'alter role roadworthy_app connection limit 0', 'drop table installation_key')
  const passwords = `select rolname, rolpassword from pg_authid where rolname like 'roadworthy\\_%' order by 1`
  const before = await run(urlOf('one'), passwords)
  await assert.rejects(start('one', OTHER_KEY), /too many connections for role|another SECRET_KEY/)
  await assert.rejects(start('one', KEY), { code: '53300' })
  assert.deepEqual(await run(urlOf('one'), passwords), before)
  await run(urlOf('one'), 'alter role roadworthy_app connection limit -1')
  await start('one', KEY)
  await assertWorks('one', KEY)
})

test('who lost the key and removes the check value goes on with a new one', async () => {
  await start('one', KEY)
  await run(urlOf('one'), 'delete from installation_key')
  await start('one', OTHER_KEY)
  await assertWorks('one', OTHER_KEY)
  await assert.rejects(start('one', KEY), /set up with another SECRET_KEY/)
})
