// Goal: what may take minutes is not ended after seconds, on whichever node it runs. Method: a statement that reads the readings is asked which timeouts hold where it runs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrls } from '@roadworthy/service-kit/postgres/db'
import pg from 'pg'
import { openSlowSession } from '../history/sealing-session.ts'
import { createReading } from '../readings/reading.ts'
import { insertReseller, onACluster, openTestDatabase, storeReadings, TEST_SECRET_KEY } from '../test-support.ts'
import { patiently } from './patient-session.ts'

const SOURCES = 20
/** What holds where the readings are read, which on a cluster is on their nodes. */
const TIMEOUTS = `select distinct current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle from readings`

async function openFleet(t: Parameters<typeof openTestDatabase>[0]) {
  const { database, ownerUrl } = await openTestDatabase(t)
  await insertReseller(database, 'acme')
  const about = { kind: 'telemetry', resellerId: 'acme', vehicleId: undefined, subClientId: undefined, receivedAtMs: Date.now() } as const
  const content = { recordedAtMs: Date.now(), position: undefined, signals: { coolantTempC: 88 }, attributes: {}, implausible: [] }
  const ids = Array.from({ length: SOURCES }, (_, nth) => `dev-${nth}`)
  await storeReadings(
    database,
    ids.map((id) => createReading(content, { ...about, sourceId: id, deviceId: id })),
  )
  return { database, urls: databaseUrls(ownerUrl, TEST_SECRET_KEY) }
}

test('a statement of an ordinary session is ended after five seconds on the nodes too', onACluster, async (t) => {
  const { database } = await openFleet(t)
  assert.deepEqual((await database.systemPool.query(TIMEOUTS)).rows, [{ statement: '5s', idle: '10s' }])
})

test('sealing may read for half an hour, and is left nothing by a statement that fails', async (t) => {
  const { urls } = await openFleet(t)
  const { db, end } = await openSlowSession(urls.system)
  t.after(end)
  assert.deepEqual((await db.query(TIMEOUTS)).rows, [{ statement: '30min', idle: '0' }])
  await assert.rejects(db.query('select 1 / $1::int', [0]), { code: '22012' })
  assert.deepEqual((await db.query('select $1::int as value', [7])).rows, [{ value: 7 }])
})

test('a transaction that reads for hours, as an export does, may wait between two statements on every node', async (t) => {
  const { urls } = await openFleet(t)
  const client = new pg.Client({ connectionString: urls.system })
  await client.connect()
  try {
    await client.query(['begin isolation level repeatable read, read only', ...patiently(0)].join('; '))
    assert.deepEqual((await client.query(TIMEOUTS)).rows, [{ statement: '0', idle: '0' }])
  } finally {
    await client.end()
  }
})
