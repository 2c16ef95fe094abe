// Goal: a reader that follows the log misses nothing, whatever commits when, and is shown nothing that is not his.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Event, eventTypes } from '@roadworthy/contracts/webhooks/events'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { errorOf, startTestSurface, type TestCaller } from '../predictions/test-surface.ts'
import { platformSurface } from '../surfaces/errors.ts'
import { insertReseller, openTestDatabase } from '../test-support.ts'
import type { LoggedEvent, NewEvent } from './event.ts'
import { readableTypes } from './event-scopes.ts'
import { deleteOldEventsAcrossResellers } from './events.sql.ts'
import { writeEvents } from './outbox.ts'
import { type EventRecorder, relayEvents, startRelay } from './relay.ts'
import { eventPlatformRoutes } from './routes.platform-v1.ts'

const { database } = await openTestDatabase({ after })
const AT = new Date('2026-11-20T12:00:00.000Z')
const surface = await startTestSurface({ after }, platformSurface, [eventPlatformRoutes({ database })])

const newReseller = () => insertReseller(database, newId('r').slice(0, 12))

function wentOffline(resellerId: string, deviceId: string, subClientId?: string): NewEvent {
  const data = {
    deviceId,
    imei: null,
    name: null,
    vehicleId: null,
    online: false,
    reason: 'silent',
    lastSeenAt: null,
    disconnectedAt: null,
  } as const
  return { resellerId, type: 'device.offline', data, subClientId, occurredAt: AT }
}

const relay = (recorders: readonly EventRecorder[] = []) => relayEvents({ database, recorders, now: () => AT })

type Page = { events: Event[]; pagination: { endCursor: string | null; hasNextPage: boolean } }

/** Everything after the cursor, in pages, and where it ends. */
async function follow(
  caller: TestCaller,
  cursor: string | null,
  query = 'limit=3',
): Promise<{ devices: unknown[]; cursor: string | null }> {
  const devices: unknown[] = []
  let after = cursor
  for (;;) {
    const { status, body } = await surface.as(caller).get<Page>(`/events?${query}${after === null ? '' : `&after=${after}`}`)
    assert.equal(status, 200, JSON.stringify(body))
    devices.push(...body.events.map(({ data }) => data['deviceId']))
    after = body.pagination.endCursor
    if (!body.pagination.hasNextPage) return { devices, cursor: after }
  }
}

test('an event is committed with its change, in the form of spec §6.1', async () => {
  const resellerId = await newReseller()
  await database.tenant(resellerId, (db) => writeEvents(db, [wentOffline(resellerId, 'dev-1', undefined)]))
  const givenUp = database.tenant(resellerId, async (db) => {
    await writeEvents(db, [wentOffline(resellerId, 'dev-2')])
    throw new Error('given up')
  })
  await assert.rejects(givenUp, /given up/)
  assert.equal(await relay(), 1)
  const { body } = await surface.as({ resellerId }).get<Page>('/events')
  const [event] = body.events
  assert.equal(body.events.length, 1)
  assert.match(event?.id ?? '', /^evt-/)
  assert.deepEqual(event, {
    id: event?.id,
    event: 'device.offline',
    timestamp: AT.toISOString(),
    data: wentOffline(resellerId, 'dev-1').data,
    sub_client_id: null,
  })
})

test('an event whose transaction commits late comes after what a reader has seen', async () => {
  const resellerId = await newReseller()
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
  const late = database.tenant(resellerId, async (db) => {
    await writeEvents(db, [wentOffline(resellerId, 'dev-late')])
    written()
    await mayCommit
  })
  await isWritten
  await database.tenant(resellerId, (db) => writeEvents(db, [wentOffline(resellerId, 'dev-early')]))
  await relay()
  const first = await follow({ resellerId }, null)
  assert.deepEqual(first.devices, ['dev-early'])
  commit()
  await late
  await relay()
  assert.deepEqual((await follow({ resellerId }, first.cursor)).devices, ['dev-late'])
  assert.deepEqual((await follow({ resellerId }, null)).devices, ['dev-early', 'dev-late'])
})

test('several relays, many writers and a reader: each event once, in one order', async () => {
  const resellerId = await newReseller()
  const log = { error: (details: object) => assert.fail(JSON.stringify(details)) }
  const relays = [1, 2, 3].map(() => startRelay({ database, recorders: [], now: () => AT, log }))
  const expected = Array.from({ length: 60 }, (_, nth) => `dev-${nth}`)
  const writers = expected.map((deviceId) => database.tenant(resellerId, (db) => writeEvents(db, [wentOffline(resellerId, deviceId)])))
  const seen: unknown[] = []
  let cursor: string | null = null
  while (seen.length < expected.length) {
    const more: Awaited<ReturnType<typeof follow>> = await follow({ resellerId }, cursor)
    seen.push(...more.devices)
    cursor = more.cursor
    await Promise.race([Promise.all(writers), new Promise((resume) => setImmediate(resume))])
  }
  await Promise.all(relays.map((each) => each.stop()))
  assert.deepEqual([...seen].sort(), [...expected].sort())
  assert.deepEqual((await follow({ resellerId }, null)).devices, seen)
})

test('what follows from an event is stored with its place in the log, or neither', async () => {
  const resellerId = await newReseller()
  await database.tenant(resellerId, (db) =>
    writeEvents(db, [wentOffline(resellerId, 'dev-1', undefined), wentOffline(resellerId, 'dev-2', undefined)]),
  )
  const failing: EventRecorder = async (db: Db) => {
    await db.query('select 1 / 0')
  }
  await assert.rejects(relay([failing]), /division by zero/)
  assert.deepEqual((await follow({ resellerId }, null)).devices, [])
  const recorded: LoggedEvent[] = []
  await relay([async (_db, events) => void recorded.push(...events)])
  assert.deepEqual(
    recorded.map(({ body }) => (JSON.parse(body) as Event).data['deviceId']),
    ['dev-1', 'dev-2'],
  )
  assert.ok((recorded[0]?.position ?? 0) < (recorded[1]?.position ?? 0))
  const { rows } = await database.systemPool.query<{ position: string; body: string }>(
    'select position, body from events where reseller_id = $1 order by position',
    [resellerId],
  )
  assert.deepEqual(
    rows.map(({ position, body }) => [Number(position), body]),
    recorded.map(({ position, body }) => [position, body]),
  )
})

test('a reader sees what is his: of his reseller, of the sub-client his key is pinned to, of the types asked for', async () => {
  const [resellerId, rival] = [await newReseller(), await newReseller()]
  await database.tenant([resellerId, rival], (db) =>
    writeEvents(db, [
      wentOffline(resellerId, 'dev-north', 'north'),
      wentOffline(resellerId, 'dev-south', 'south'),
      wentOffline(rival, 'dev-rival'),
      { ...wentOffline(resellerId, 'dev-north', 'north'), type: 'device.online' } as NewEvent,
      wentOffline(resellerId, 'dev-of-nobody'),
    ]),
  )
  await relay()
  assert.deepEqual((await follow({ resellerId }, null)).devices, ['dev-north', 'dev-south', 'dev-north', 'dev-of-nobody'])
  assert.deepEqual((await follow({ resellerId, subClientPin: 'south' }, null)).devices, ['dev-south'])
  assert.deepEqual((await follow({ resellerId: rival }, null)).devices, ['dev-rival'])
  assert.deepEqual((await follow({ resellerId }, null, 'type=device.online')).devices, ['dev-north'])
  assert.deepEqual((await follow({ resellerId }, null, 'type=device.online,device.offline')).devices.length, 4)
  const wrong = await surface.as({ resellerId }).get('/events?type=device.lost')
  assert.equal(wrong.status, 400)
  assert.match(String(errorOf(wrong)['message']), /"device\.lost".*device\.offline/)
})

test('a key sees the events of what it may read', () => {
  const holder = { resellerId: 'acme', keyId: 'key-1', scopes: new Set(['predict']), subClientPin: undefined }
  const ofIncidents = ['incident.opened', 'incident.updated', 'incident.resolved'] as const
  assert.deepEqual(readableTypes(holder, undefined), [
    'alert.created',
    'alert.updated',
    'alert.resolved',
    ...ofIncidents,
    'prediction.created',
  ])
  assert.throws(() => readableTypes(holder, 'device.offline'), { code: 'missing_scope' })
  assert.equal(readableTypes({ ...holder, scopes: new Set(['*']) }, undefined).length, eventTypes.length)
})

test('an empty page keeps the place, and a cursor of another kind is refused', async () => {
  const resellerId = await newReseller()
  assert.deepEqual(await follow({ resellerId }, null), { devices: [], cursor: null })
  await database.tenant(resellerId, (db) => writeEvents(db, [wentOffline(resellerId, 'dev-1')]))
  await relay()
  const { cursor } = await follow({ resellerId }, null)
  assert.deepEqual(await follow({ resellerId }, cursor), { devices: [], cursor })
  for (const bad of ['x', 'cDE', `${cursor}A`, Buffer.from('p1e3').toString('base64url')]) {
    if (bad === cursor) continue
    const { status } = await surface.as({ resellerId }).get(`/events?after=${bad}`)
    assert.equal(status, bad === 'cDE' ? 200 : 400, bad)
  }
})

test('a cursor from before events were removed is refused; one after them is not', async () => {
  const resellerId = await newReseller()
  const write = async (deviceId: string, loggedAt: Date) => {
    await database.tenant(resellerId, (db) => writeEvents(db, [wentOffline(resellerId, deviceId)]))
    await relayEvents({ database, recorders: [], now: () => loggedAt })
    return (await follow({ resellerId }, null)).cursor
  }
  const day = (count: number) => new Date(AT.getTime() + count * 86_400_000)
  const cursorA = await write('dev-a', day(-100))
  const cursorB = await write('dev-b', day(-90))
  await write('dev-c', day(-1))
  assert.equal(await deleteOldEventsAcrossResellers(database.systemPool, day(-30), 100), 2)
  assert.equal(await deleteOldEventsAcrossResellers(database.systemPool, day(-30), 100), 0)
  assert.deepEqual((await follow({ resellerId }, null)).devices, ['dev-c'])
  assert.deepEqual((await follow({ resellerId }, cursorB)).devices, ['dev-c'])
  const missed = await surface.as({ resellerId }).get(`/events?after=${cursorA}`)
  assert.equal(missed.status, 400)
  assert.match(String(errorOf(missed)['message']), /no longer kept/)
})

test('data that are too large for a receiver are refused where they are written', async () => {
  const resellerId = await newReseller()
  await assert.rejects(
    database.tenant(resellerId, (db) => writeEvents(db, [wentOffline(resellerId, 'd'.repeat(20_000))])),
    /device\.offline have 20\d+ characters/,
  )
})
