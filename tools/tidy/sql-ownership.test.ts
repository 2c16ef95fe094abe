import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repositoryOf } from './repository.ts'
import { checkSqlOwnership } from './sql-ownership.ts'

const migrations = {
  'services/platform/migrations/0001_access.sql': '-- Owner: access. Keys.\ncreate table usage_entries (a text);',
  'services/platform/migrations/0002_fleet.sql': '-- Owner: fleet. Vehicles.\ncreate table vehicles (\n  id text\n);',
}
const check = (files: Record<string, string>) =>
  checkSqlOwnership(repositoryOf({ ...migrations, ...files })).map(({ path, line, message }) => `${path}:${line} ${message}`)
const inSlice = (name: string, sql: string) => check({ [`services/platform/src/${name}`]: `const a = \`${sql}\`` })

test('SQL outside *.sql.ts is found, in strings and in templates', () => {
  for (const sql of [
    "'select * from vehicles'",
    '`\n  insert into vehicles (id)\n  values ($1)`',
    '"update vehicles set id = $1"',
    "'delete from vehicles'",
    '`with due as (select 1) select * from due`',
    "'select pg_notify($1, $2)'",
    "'create table trucks (name text)'",
  ]) {
    assert.equal(check({ 'services/platform/src/fleet/list.ts': `db.query(${sql})` }).length, 1, sql)
    assert.deepEqual(check({ 'services/platform/src/fleet/list.sql.ts': `db.query(${sql})` }), [], sql)
    assert.deepEqual(check({ 'services/platform/src/fleet/list.test.ts': `db.query(${sql})` }), [], sql)
  }
})

test('plain English is not SQL', () => {
  for (const text of [
    "'Select a vehicle'",
    "'Update the device'",
    "'Create an API key'",
    "'delete it'",
    "'With care'",
    '/* select * from x */ 1',
  ]) {
    assert.deepEqual(check({ 'services/platform/src/fleet/list.ts': `say(${text})` }), [], text)
  }
})

test('the kit may speak to the database it connects to', () => {
  assert.deepEqual(check({ 'packages/service-kit/src/postgres/db.ts': "pool.query('select 1')" }), [])
  assert.equal(check({ 'packages/service-kit/src/http/http.ts': "pool.query('select 1')" }).length, 1)
})

test('a slice writes its own tables', () => {
  assert.deepEqual(inSlice('fleet/vehicles.sql.ts', 'insert into vehicles as v (id) values ($1) on conflict do update set id = $1'), [])
  assert.deepEqual(inSlice('devices/a.sql.ts', 'select * from vehicles for update'), [])
  assert.match(
    inSlice('devices/a.sql.ts', 'with x as (\n  update vehicles set id = 1) select 1')[0] ?? '',
    /a\.sql\.ts:2 update vehicles: .* belongs to fleet/,
  )
  assert.equal(inSlice('devices/a.sql.ts', 'delete from vehicles').length, 1)
  assert.equal(inSlice('devices/a.sql.ts', 'insert into vehicles (id) values ($1)').length, 1)
})

test('a read file writes nothing, not even its own tables', () => {
  assert.match(inSlice('fleet/a.read.sql.ts', 'update vehicles set id = $1')[0] ?? '', /writes nothing/)
})

test('the documented foreign writes are what is metered, where it is counted', () => {
  assert.deepEqual(inSlice('readings/readings.sql.ts', 'insert into usage_entries as u (a) values ($1)'), [])
  assert.equal(inSlice('readings/other.sql.ts', 'insert into usage_entries (a) values ($1)').length, 1)
})

test('a migration names its owner in its first line', () => {
  assert.match(check({ 'services/platform/migrations/0003_x.sql': 'create table x (a text);' })[0] ?? '', /names the slice that owns it/)
})
