// Goal: what is asked of incidents does not grow with those that ended. What grows is measured by the pages of tables and indexes that PostgreSQL
// touches, which no other work on the machine changes.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { lastFirst } from '../surfaces/test-api.ts'
import { connectAsOwner, insertReseller, openTestDatabase } from '../test-support.ts'
import {
  countIncidents,
  selectEmptiedIncidentsAcrossResellers,
  selectIncidents,
  selectLostAssignmentsAcrossResellers,
} from './incidents.read.sql.ts'
import { selectKnownIncidentsAcrossResellers } from './incidents.sql.ts'

const ENDED = 20_000
const LIVE = 20
/** An incident, its vehicle, its device, its alerts and its health, each through an index of two or three levels. */
const PAGES_PER_ROW = 20
const cleanUp = lastFirst({ after })
const { database, ownerUrl } = await openTestDatabase(cleanUp)
const at = new Date()

before(async () => {
  await insertReseller(database, 'acme')
  // A session of the service has five seconds for a statement, which a busy machine may take longer than for so many rows.
  const owner = await connectAsOwner(cleanUp, ownerUrl)
  await owner.query(`insert into vehicles (reseller_id, vehicle_id) select 'acme', 'veh-' || n from generate_series(1, ${LIVE}) n`)
  await owner.query(
    `insert into incidents (reseller_id, incident_id, vehicle_id, source, cause, component, severity, status, title, recommendation, occurrences,
                              opened_at, updated_at, resolved_at, resolved_by, resolution_reason, resumes_as, published_live, published_severity)
       select 'acme', 'inc-' || n, 'veh-' || 1 + n % ${LIVE}, 'engine', 'cooling', 'cooling', 'high', case when ended then 'resolved' else 'open' end,
              'Hot', 'Stop', 1, opened, opened, case when ended then opened + interval '1 hour' end, case when ended then 'engine' end,
              case when ended then 'other' end, 'open', not ended, 'high'
         from generate_series(1, ${ENDED + LIVE}) n,
              -- The oldest live: whoever goes through all from the newest on finds them last.
              lateral (select n > ${LIVE} as ended, now() - make_interval(mins => ${ENDED + LIVE} - n, hours => 3) as opened) o`,
  )
  // As on a table that has stood for a while: how PostgreSQL reads what it knows nothing of yet depends on when its own maintenance comes round.
  await owner.query('vacuum analyze incidents, vehicles')
})

async function pagesTouched(read: (db: Db) => Promise<unknown>): Promise<number> {
  let pages = 0
  const explain = async (statement: string, values: readonly unknown[]) => {
    const { rows } = await database.systemPool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${statement}`,
      values,
    )
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    return { rows: [], rowCount: 0 }
  }
  await read({ query: (statement: string, values: readonly unknown[] = []) => explain(statement, values) } as unknown as Db)
  return pages
}

const open = { status: 'open', subClientPin: undefined } as const
const page = pageRequest('incidents', { limit: LIVE }, 'newest first')
const scopes = Array.from({ length: LIVE }, (_, n) => {
  return { subject: { resellerId: 'acme', vehicleId: `veh-${n + 1}`, deviceId: undefined }, source: 'engine', cause: undefined } as const
})
const reads: Record<string, (db: Db) => Promise<unknown>> = {
  'a page of open incidents': (db) => selectIncidents(db, 'acme', open, page),
  'their count': (db) => countIncidents(db, 'acme', open),
  'the newest page of all': (db) => selectIncidents(db, 'acme', { subClientPin: undefined }, page),
  'what a score asks of twenty vehicles': (db) => selectKnownIncidentsAcrossResellers(db, scopes, at, 'unlocked'),
  'those that live without an alert': (db) => selectEmptiedIncidentsAcrossResellers(db, 1000),
  'those whose assignee does not see them': (db) => selectLostAssignmentsAcrossResellers(db, 1000),
}
for (const [name, read] of Object.entries(reads)) {
  test(`${name}: touches those that live, not those that ended`, async () => {
    const pages = await pagesTouched(read)
    assert.ok(pages > 0 && pages < LIVE * PAGES_PER_ROW, `${pages} pages for ${LIVE} rows`)
  })
}
