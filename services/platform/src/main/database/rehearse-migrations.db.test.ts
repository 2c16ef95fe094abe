// Goal: an operator reads which tables an upgrade locks, rewrites and indexes. Method: migrations of each kind, on the PostgreSQL of a rehearsal.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { Migration } from '@roadworthy/service-kit/postgres/migrate'
import { rehearseMigrations } from './rehearse-migrations.ts'

const migration = (name: string, sql: string, isBreaking = false): Migration => ({ name, sql, sha256: '0'.repeat(64), isBreaking })

const known = [
  migration(
    '0001_first.sql',
    `create table things (id int primary key, name text, size int);
     create table parts (id int, at date) partition by range (at);
     create table parts_1 partition of parts for values from ('2026-01-01') to ('2027-01-01')`,
  ),
]

test('a rehearsal names what each migration locks, rewrites and indexes, and leaves nothing behind', async () => {
  const pending = [
    migration('0002_column.sql', 'alter table things add column colour text; create table more (id int primary key)'),
    migration('0003_index.sql', 'create index parts_by_id on parts (id)'),
    migration('0004_type.sql', 'alter table parts alter column id type bigint', true),
    migration('0005_rows.sql', 'update things set size = 1'),
  ]
  const rehearsed = await rehearseMigrations({ known, pending }, new AbortController().signal)
  assert.deepEqual(
    rehearsed.map(({ migration: name, isBreaking, effects }) => [name, isBreaking, effects]),
    [
      ['0002_column.sql', false, [{ table: 'things', heldUp: 'everybody', isRewritten: false, indexes: [] }]],
      ['0003_index.sql', false, [{ table: 'parts', heldUp: 'writers', isRewritten: false, indexes: ['parts_by_id'] }]],
      ['0004_type.sql', true, [{ table: 'parts', heldUp: 'everybody', isRewritten: true, indexes: ['parts_by_id'] }]],
      ['0005_rows.sql', false, []],
    ],
  )
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => name.startsWith('roadworthy-rehearsal-')),
    [],
  )
})
