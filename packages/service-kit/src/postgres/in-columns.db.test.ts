import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Db } from './db.ts'
import { selectInColumns } from './in-columns.sql.ts'
import { createTestDatabase } from './test-database.ts'

type Found = { id: string; half: number | null; is_even: boolean; at_ms: number; more: unknown }
const columns = {
  id: `'"}'',\\' || n`,
  half: 'case when n = 2 then null else n / 2.0::float8 end',
  is_even: 'n % 2 = 0',
  at_ms: `round(date_part('epoch', '2026-11-30T10:00:00.125Z'::timestamptz) * 1000)`,
  more: `jsonb_build_object('n', array[n, null])`,
}

test('rows come in their order and as they are, and none are none', async (t) => {
  const { url } = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const statement = { name: 'numbers', columns, rest: 'from generate_series($1::int, 1, -1) n order by n desc limit $2' }
    const select = (from: number) => selectInColumns<Found>(client as Db, statement, [from, 2])
    const atMs = Date.parse('2026-11-30T10:00:00.125Z')
    assert.deepEqual(await select(3), [
      { id: `"}',\\3`, half: 1.5, is_even: false, at_ms: atMs, more: { n: [3, null] } },
      { id: `"}',\\2`, half: null, is_even: true, at_ms: atMs, more: { n: [2, null] } },
    ])
    assert.deepEqual(await select(0), [])
  } finally {
    await client.end()
  }
})
