// Goal: reconnecting, restarts, several processes and their deaths change nothing of what is true of a device. Method: see test-bench.ts.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '@roadworthy/service-kit/text/ids'
import { insertConnectionsAcrossResellers, renewLeasesAcrossResellers, takeLostConnectionsAcrossResellers } from './connections.sql.ts'
import { LiveConnections } from './live-connections.ts'
import { createConnectionRound, createPresenceRounds } from './presence-rounds.ts'
import { limits, openPresenceBench } from './test-bench.ts'

const bench = await openPresenceBench({ after })
const { database, clock, query, start, startListening, pass, register, report, connect, published, reasons, shownOnline } = bench

test('a device that loses its connection again and again, or is taken over by itself, makes no noise', async () => {
  const service = await startListening()
  const deviceId = await register()
  let close = connect(service, deviceId)
  await pass(5, service)
  for (let i = 0; i < 20; i++) {
    close()
    await pass(25, service)
    close = connect(service, deviceId)
    await pass(5, service)
  }
  for (let i = 0; i < 5; i++) {
    const closeOlder = close
    close = connect(service, deviceId)
    if (i % 2 === 0) await service.rounds()
    closeOlder()
    await pass(60, service)
  }
  assert.deepEqual(await reasons(deviceId), ['online connected'])
  close()
  const tooShort = connect(service, deviceId)
  tooShort()
  await pass(30, service)
  assert.deepEqual(await reasons(deviceId), ['online connected', 'offline disconnected'])
})

test('connections of a process that was killed end with its lease, and those of one that goes with it', async () => {
  const service = await startListening()
  const [killed, leaving] = [start(), start()]
  const [lost, moved, left] = [await register(), await register(), await register()]
  connect(killed, lost)
  connect(killed, moved)
  connect(leaving, left)
  await killed.rounds()
  await leaving.rounds()
  await pass(5, service)
  assert.deepEqual([await reasons(lost), await shownOnline(left)], [['online connected'], true])
  connect(service, moved)
  await leaving.connections.release(database, clock.now)
  await service.rounds()
  assert.deepEqual([await shownOnline(lost), await shownOnline(left)], [true, false])
  await pass(30, service)
  assert.deepEqual([await reasons(left), await reasons(lost)], [['online connected', 'offline disconnected'], ['online connected']])
  await pass(60, service)
  assert.deepEqual([await reasons(lost), await reasons(moved)], [['online connected', 'offline disconnected'], ['online connected']])
  assert.deepEqual(await query('select 1 from connection_leases where lease_until <= $1', clock.now), [])
})

test('a process that was taken for dead and lives has its connections believed again', async () => {
  const [service, frozen] = [await startListening(), start()]
  const deviceId = await register()
  const close = connect(frozen, deviceId)
  await frozen.rounds()
  await pass(75, service)
  assert.equal(await shownOnline(deviceId), false)
  await pass(5, frozen, service)
  assert.equal(await shownOnline(deviceId), true)
  assert.deepEqual(await reasons(deviceId), ['online connected'])
  close()
  await pass(30, frozen, service)
  assert.deepEqual(await reasons(deviceId), ['online connected', 'offline disconnected'])
})

test('a lease that was cleared is void for its holder, whatever its own clock shows', async () => {
  const [deviceId, pool] = [await register(), database.systemPool]
  const after = (seconds: number) => new Date(clock.now.getTime() + seconds * 1_000)
  const renew = (seconds: number) => renewLeasesAcrossResellers(pool, 'hld-slow', ['acme'], after(seconds), after(seconds + 60))
  assert.deepEqual([await renew(0), await renew(15)], [['acme'], []])
  const connection = { resellerId: 'acme', deviceId, connectionId: 'con-slow', connectedAt: clock.now }
  await insertConnectionsAcrossResellers(pool, 'hld-slow', [connection])
  assert.deepEqual(await takeLostConnectionsAcrossResellers(pool, after(74), 10), [])
  assert.deepEqual(await takeLostConnectionsAcrossResellers(pool, after(75), 10), [{ resellerId: 'acme', deviceId, endedAt: after(75) }])
  assert.deepEqual([await renew(30), await renew(45)], [['acme'], []])
})

test('many rounds at once publish each device once', async () => {
  const services = [await startListening(), start(), start(), start()]
  await pass(300, ...services)
  const many = Array.from({ length: 300 }, () => newId('dev'))
  await query(
    `insert into devices (reseller_id, device_id, device_type, connection_method, status)
     select 'rival', unnest($1::text[]), 'other', 'mqtt', 'active'`,
    many,
  )
  const count = async () => {
    const rows = await query(
      `select type, count(*)::int as published, count(distinct data->>'deviceId')::int as devices
         from event_outbox where reseller_id = 'rival' group by type order by type`,
    )
    return rows.map(({ type, published: publishedCount, devices }) => [type, publishedCount, devices])
  }
  const atOnce = () => Promise.all(services.map((each) => each.rounds()))
  for (const deviceId of many) await bench.hear('rival', deviceId, {}, clock.now)
  await atOnce()
  assert.deepEqual(await count(), [['device.online', 300, 300]])
  for (let step = 0; step <= limits.offlineAfterMs; step += 5_000) {
    clock.now = new Date(clock.now.getTime() + 5_000)
    await atOnce()
  }
  assert.deepEqual(await count(), [
    ['device.offline', 300, 300],
    ['device.online', 300, 300],
  ])
})

test('nobody is reported offline for a time in which nobody could be heard: after a start, and after the database was away', async () => {
  const before = await startListening()
  const deviceId = await register()
  await report(deviceId)
  await pass(5, before)
  clock.now = new Date(clock.now.getTime() + 3_600_000)
  const restarted = start()
  await restarted.rounds()
  await pass(295, restarted)
  assert.deepEqual(await reasons(deviceId), ['online data'])
  await pass(5, restarted)
  assert.deepEqual(await reasons(deviceId), ['online data', 'offline silent'])
  await report(deviceId)
  await pass(200, restarted)
  clock.now = new Date(clock.now.getTime() + 600_000)
  await restarted.rounds()
  await pass(295, restarted)
  assert.deepEqual(await reasons(deviceId), ['online data', 'offline silent', 'online data'])
  await pass(5, restarted)
  assert.equal((await reasons(deviceId)).at(-1), 'offline silent')
})

test('by their times the events of a device are in order, even when the clock of a process is behind', async () => {
  const service = await startListening()
  const behind = start(() => new Date(clock.now.getTime() - 20_000))
  const deviceId = await register()
  const close = connect(service, deviceId)
  await service.rounds()
  close()
  await pass(30, service)
  await report(deviceId)
  await behind.rounds()
  const times = (await published(deviceId)).map(({ at }) => at.getTime())
  assert.equal(times.length, 3)
  assert.deepEqual(
    [...new Set(times)].sort((a, b) => a - b),
    times,
  )
})

test('a part of what is connected is written at a time, and all of it in the end', async () => {
  const service = start()
  const deviceIds = Array.from({ length: 2_100 }, () => newId('dev'))
  await query(
    `insert into devices (reseller_id, device_id, device_type, connection_method, status)
     select 'acme', unnest($1::text[]), 'other', 'mqtt', 'active'`,
    deviceIds,
  )
  const closes = deviceIds.map((deviceId) => connect(service, deviceId))
  await service.rounds()
  const connected = async () =>
    (await query('select count(*)::int as n from device_connections where device_id = any ($1)', deviceIds))[0]?.['n']
  const online = async () =>
    (await query('select count(*)::int as n from device_presence where is_online and device_id = any ($1)', deviceIds))[0]?.['n']
  assert.deepEqual([await connected(), await online()], [2_100, 2_100])
  for (const close of closes) close()
  await service.rounds()
  assert.equal(await connected(), 0)
})

test('whatever happens at once in three processes, online and offline take turns, and the last published is what is', async () => {
  const listeners = [await startListening(), start(), start()]
  await pass(300, ...listeners)
  const deviceIds = await Promise.all(Array.from({ length: 24 }, () => register()))
  const open = new Map<string, (() => void)[]>(deviceIds.map((deviceId) => [deviceId, []]))
  // By steps that share no factor, so that every device meets every kind of step, in every process, in another order.
  const act = async (deviceId: string, step: number, nth: number) => {
    const kind = (step * 5 + nth * 7) % 11
    const closes = open.get(deviceId) ?? []
    if (kind < 2 && nth % 4 === 0) await report(deviceId)
    if (kind >= 2 && kind < 5) closes.push(connect(listeners[(step + nth) % 3] ?? assert.fail('no process'), deviceId))
    if (kind >= 5) closes.shift()?.()
  }
  for (let step = 0; step < 60; step++) {
    clock.now = new Date(clock.now.getTime() + 20_000)
    await Promise.all([...deviceIds.map((deviceId, nth) => act(deviceId, step, nth)), ...listeners.map((each) => each.rounds())])
  }
  for (let step = 0; step < 20; step++) await pass(20, ...listeners)
  const publishedTypes = await Promise.all(deviceIds.map(async (deviceId) => (await published(deviceId)).map(({ type }) => type)))
  for (const [nth, deviceId] of deviceIds.entries()) {
    const types = publishedTypes[nth] ?? []
    assert.deepEqual(
      types,
      types.map((_type, i) => (i % 2 === 0 ? 'device.online' : 'device.offline')),
      deviceId,
    )
    const isConnected = (open.get(deviceId) ?? []).length > 0
    assert.deepEqual([types.at(-1) === 'device.online', await shownOnline(deviceId)], [isConnected, isConnected], deviceId)
  }
  const longest = Math.max(...publishedTypes.map((types) => types.length))
  assert.ok(longest > 4, `${longest} events are too few to have come apart`)
})

test('a process whose clock is an hour off ends no live connection, and its own live on for the others', async (t) => {
  const process = () => {
    const connections = new LiveConnections(() => performance.now())
    const [write, { publish }] = [
      createConnectionRound({ database, connections, now: database.now }),
      createPresenceRounds({ database, limits, now: database.now }),
    ]
    return { connections, round: async () => [await write(), await publish()] }
  }
  for (const hours of [1, -1]) {
    const [right, wrong] = [process(), process()]
    const [theirs, its] = [await register(), await register()]
    right.connections.open({ resellerId: 'acme', deviceId: theirs })
    await right.round()
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hours * 3_600_000 })
    wrong.connections.open({ resellerId: 'acme', deviceId: its })
    await wrong.round()
    t.mock.timers.reset()
    await right.round()
    const rows = await query(
      `select device_id from device_connections c join connection_leases l using (reseller_id, holder_id)
        where device_id = any ($1) and lease_until > now() and lease_until <= now() + interval '1 minute'
          and connected_at between now() - interval '1 minute' and now()`,
      [theirs, its],
    )
    assert.deepEqual(new Set(rows.map((row) => row['device_id'])), new Set([theirs, its]), `${hours} h`)
    assert.deepEqual([await reasons(theirs), await reasons(its)], [['online connected'], ['online connected']])
    // The clock of the app, which the tests before have moved, is hours ahead.
    assert.deepEqual([await shownOnline(theirs), await shownOnline(its)], [true, true])
  }
})
