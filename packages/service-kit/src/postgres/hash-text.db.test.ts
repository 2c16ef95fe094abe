// Goal: the hash is the one by which PostgreSQL and Citus choose where a row is, for every length and every script.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { hashText } from './hash-text.ts'
import { createTestDatabase } from './test-database.ts'

test('texts hash as in PostgreSQL', async (t) => {
  const { url } = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const lengths = Array.from({ length: 64 }, (_, length) => 'veh-k3x9'.repeat(8).slice(0, length))
  const some = Array.from(
    { length: 500 },
    (_, nth) => `${'ü🚚漢٣'.repeat(nth % 7)}${(nth * 2_654_435_761).toString(36)}${'ß'.repeat(nth % 13)}`,
  )
  const texts = [...lengths, ...some]
  const { rows } = await client.query<{ hash: number }>(
    'select hashtext(t) as hash from unnest($1::text[]) with ordinality as u (t, nth) order by nth',
    [texts],
  )
  await client.end()
  assert.deepEqual(
    texts.map(hashText),
    rows.map(({ hash }) => hash),
  )
})
