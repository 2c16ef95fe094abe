// Goal: the log holds what changed, bounded and without secrets, together with the change or not at all, and nobody rewrites it. Method: the
// database as the service opens it, with both of its roles.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createReseller } from '../resellers/resellers.ts'
import { openTestDatabase } from '../test-support.ts'
import { deleteOldAuditRowsAcrossResellers, selectAuditRows } from './audit.sql.ts'
import { type Author, systemAuthor, writeAudit } from './audit.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const { database } = await openTestDatabase({ after })
const author: Author = { resellerId: 'acme', type: 'cli', id: 'operator', at: now }
await createReseller(database, { slug: 'acme', name: 'Acme' }, now, author)
await createReseller(database, { slug: 'rival', name: 'Rival' }, now)

const anything = { actorId: undefined, action: undefined, objectId: undefined, from: undefined, to: undefined }
async function rowsAbout(objectId: string, resellerId = 'acme') {
  const page = { after: { at: 'infinity', id: '' }, limit: 100 } as const
  return await database.tenant(resellerId, (db) => selectAuditRows(db, resellerId, { ...anything, objectId }, page))
}

test('what is made by the command line and by the service itself is distinguished', async () => {
  assert.deepEqual(
    (await rowsAbout('acme')).map(({ type, id, action, changes }) => [type, id, action, changes['plan']]),
    [['cli', 'operator', 'reseller.created', { from: null, to: 'enterprise' }]],
  )
  assert.deepEqual(
    (await rowsAbout('rival', 'rival')).map(({ type }) => type),
    ['system'],
  )
})

test('only what differs is kept, long values are cut, and of a secret nothing is kept', async () => {
  const before = { name: 'One', note: 'x'.repeat(5_000), same: { a: [1] }, gone: true, mqttPassword: 'hunter2' }
  const then = {
    name: 'Two',
    note: 'y'.repeat(5_000),
    same: { a: [1] },
    gone: undefined,
    mqttPassword: 'hunter3',
    metadata: { big: 'z'.repeat(900) },
  }
  await database.tenant('acme', (db) => writeAudit(db, author, { action: 'thing.updated', objectId: 'thing-1', before, after: then }))
  const [row] = await rowsAbout('thing-1')
  assert.deepEqual(row?.changes, {
    name: { from: 'One', to: 'Two' },
    note: { from: `${'x'.repeat(200)}…`, to: `${'y'.repeat(200)}…` },
    gone: { from: true, to: null },
    mqttPassword: {},
    metadata: { from: null, to: `${JSON.stringify(then.metadata).slice(0, 200)}…` },
  })
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field${i}`, i]))
  await database.tenant('acme', (db) => writeAudit(db, author, { action: 'thing.created', objectId: 'thing-2', after: many }))
  assert.equal(Object.keys((await rowsAbout('thing-2'))[0]?.changes ?? {}).length, 40)
})

test('a change that is rolled back leaves no row, and one that changes nothing neither', async () => {
  const failing = database.tenant('acme', async (db) => {
    await writeAudit(db, author, { action: 'thing.updated', objectId: 'thing-3' })
    throw new Error('given up')
  })
  await assert.rejects(failing, /given up/)
  await database.tenant('acme', (db) => {
    return writeAudit(db, author, { action: 'thing.updated', objectId: 'thing-3', before: { name: 'x' }, after: { name: 'x' } })
  })
  assert.deepEqual(await rowsAbout('thing-3'), [])
})

test('no role rewrites the log, the role of the APIs removes nothing from it, and no reseller writes into that of another', async () => {
  await database.tenant('acme', (db) => writeAudit(db, author, { action: 'thing.made', objectId: 'thing-4' }))
  for (const run of [database.tenant.bind(undefined, 'acme'), database.system]) {
    await assert.rejects(
      run((db) => db.query("update audit_log set action = 'thing.hidden'")),
      /permission denied/,
    )
    await assert.rejects(
      run((db) => db.query('truncate audit_log')),
      /permission denied/,
    )
  }
  await assert.rejects(
    database.tenant('acme', (db) => db.query('delete from audit_log')),
    /permission denied/,
  )
  const foreign = database.tenant('acme', (db) => writeAudit(db, systemAuthor('rival', now), { action: 'thing.made', objectId: 'x' }))
  await assert.rejects(foreign, /row-level security/)
  assert.equal((await rowsAbout('thing-4')).length, 1)
})

test('housekeeping removes what is older than the retention, a bounded number at a time', async () => {
  const old: Author = { ...author, at: new Date('2020-01-01T00:00:00.000Z') }
  for (let i = 0; i < 3; i++) await database.tenant('acme', (db) => writeAudit(db, old, { action: 'thing.made', objectId: 'thing-old' }))
  const before = new Date('2021-01-01T00:00:00.000Z')
  assert.equal(await deleteOldAuditRowsAcrossResellers(database.systemPool, before, 2), 2)
  assert.equal(await deleteOldAuditRowsAcrossResellers(database.systemPool, before, 2), 1)
  assert.equal((await rowsAbout('thing-old')).length, 0)
  assert.equal((await rowsAbout('thing-4')).length, 1)
})
