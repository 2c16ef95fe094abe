// Goal: a backup of hours keeps no process from starting and no reading from being stored. Method: a session that holds what pg_dump holds, and
// partitions that are missing and partitions that are past their time when a second process starts beside the first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastFirst } from '../../services/platform/src/surfaces/test-api.ts'
import { connectAsOwner } from '../../services/platform/src/test-support.ts'
import { callPatiently as call, startPlatform } from '../support/running-platform.ts'
import { until } from '../support/until.ts'

test('while a backup holds every table, a second process starts, and both store readings', async (t) => {
  const cleanUp = lastFirst(t)
  const first = await startPlatform(cleanUp)
  const { api_key: key } = first.credentials
  const owner = await connectAsOwner(cleanUp, first.databaseUrl)
  const backup = await connectAsOwner(cleanUp, first.databaseUrl)
  const partitions = async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'readings'::regclass order by 1`,
    )
    return rows.map(({ name }) => name)
  }
  const newest = (await partitions()).at(-1) ?? assert.fail()
  await owner.query(`drop table ${newest}`)
  // The first process may drop the old partition before it is held; then it is made again.
  do await owner.query(`select ensure_reading_partitions('2020-01-06', '2020-01-06')`)
  while (!(await holdEveryTable(backup)))

  const second = await startPlatform(cleanUp, {
    env: { DATABASE_URL: first.databaseUrl },
    flags: ['--log-level', 'error'],
  })
  for (const [nth, { base_url: baseUrl }] of [first.credentials, second.credentials].entries()) {
    const body = { vehicle_id: `truck-${nth}`, coolant_temp: 90 }
    const { status } = await call(baseUrl, 'POST', '/api/external/telemetry', { key, body })
    assert.equal(status, 200)
    await until('it is ready', async () => (await call(baseUrl, 'GET', '/readyz')).status === 200)
  }
  assert.ok((await partitions()).includes(newest), 'what was missing was made')
  // What could not be done is logged, by the process that had the turn.
  await until('it is logged', () => [first, second].some(({ output }) => output().includes('drop partitions of readings')))
})

/** As pg_dump does, to the end of the transaction. False, and nothing held, when a table went meanwhile. */
async function holdEveryTable(backup: Awaited<ReturnType<typeof connectAsOwner>>): Promise<boolean> {
  await backup.query('begin isolation level repeatable read')
  const { rows: tables } = await backup.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  try {
    for (const { name } of tables) await backup.query(`lock table ${name} in access share mode`)
    if (tables.some(({ name }) => name === 'readings_20200106')) return true
    await backup.query('rollback')
    return false
  } catch (error) {
    await backup.query('rollback')
    if ((error as { code?: unknown }).code !== '42P01') throw error
    return false
  }
}
