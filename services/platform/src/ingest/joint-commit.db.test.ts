// Goal: what a caller sends of many sources is one transaction on each node, and whatever is refused of it, or fails, is nobody else's. Method: the real pipeline on a
// real cluster (npm run test:citus), whose transactions of several shards are watched.

import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { insertReseller, onACluster, openTestDatabase } from '../test-support.ts'
import { applyEffects } from './apply-effects.ts'
import { shardOf as findShard } from './shard-map.ts'
import { type Shard, selectShardsAcrossResellers } from './shards.read.sql.ts'
import { openTestPipeline } from './test-pipeline.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const SOURCES = 48
const { database } = await openTestDatabase({ after }, NOW)
await insertReseller(database, 'acme')
await insertReseller(database, 'bolt')
const shards = (await selectShardsAcrossResellers(database.systemPool)) ?? []

/** Of transactions of several shards: on which node, how each begins, of which shards in which order, and how it ended. */
type Joint = { readonly port: number; readonly preamble: string; readonly into: readonly string[]; readonly ended: string }
const joints: Joint[] = []
/** How transactions on nodes ended, of several shards or of one. */
const ends: string[] = []
const noting = <T>(written: Promise<T>): Promise<T> => {
  void written.then(
    () => ends.push('stored'),
    (error: { code?: string }) => ends.push(String(error.code)),
  )
  return written
}
/** What the next transactions on nodes, of several shards or of one, fail with before they are sent. */
const failures: object[] = []
const failing = () => {
  const failure = failures.shift()
  return failure === undefined ? undefined : Promise.reject(Object.assign(new Error('made to fail'), failure))
}
const watchedDatabase: Database = {
  ...database,
  onNode: (node, preamble) => {
    const rows = database.onNode(node, preamble)
    return {
      ...rows,
      tenantPool: (resellerIds) => ({ query: (...statement) => noting(failing() ?? rows.tenantPool(resellerIds).query(...statement)) }),
      copyIn: async (resellerIds, parts) => {
        const written = noting(failing() ?? rows.copyIn(resellerIds, parts))
        const ended = await written.then(() => 'stored').catch((error: { code?: string }) => String(error.code))
        const into = parts.map(({ statement }) => / into (\w+)$/.exec(statement.name)?.[1] ?? assert.fail(statement.name))
        if (parts.length > 1) joints.push({ port: node.port, preamble, into, ended })
        await written
      },
    }
  },
}

let nthTest = 0
beforeEach(() => {
  nthTest++
})
afterEach(() => {
  assert.deepEqual(failures, [], 'all were asked for')
  joints.length = 0
  ends.length = 0
})

const deviceOf = (nth: number) => `dev-joint${nthTest}-${String(nth).padStart(4, '0')}`
const devices = () => Array.from({ length: SOURCES }, (_, nth) => deviceOf(nth))
const recordOf = (deviceId: string, rpm: number, more: object = {}) => {
  const recordedAt = new Date(NOW.getTime() - 3_600_000 + rpm * 1_000).toISOString()
  return { device_id: deviceId, rpm, timestamp: recordedAt, lat: 48.1, lon: 11.5, ...more }
}
const all = (status: string) => Array.from({ length: SOURCES }, () => status)
const shardOf = (deviceId: string): Shard => findShard(shards, deviceId)

/** As one process. */
function openProcess({ unstorable = [] as string[] } = {}) {
  const { ingest } = openTestPipeline(watchedDatabase, () => NOW, { onUnstorable: (error) => unstorable.push(String(error)) })
  const outcomes = async (records: readonly object[], resellerId = 'acme') => {
    const batch = records.map((record) => ({ resellerId, kind: 'telemetry', record, receivedAt: NOW }) as const)
    return await ingest(batch, undefined, { byIndex: true })
  }
  const send = async (records: readonly object[], resellerId?: string) =>
    (await outcomes(records, resellerId)).map((outcome) => (outcome.status === 'refused' ? outcome.problem.code : outcome.status))
  /** The first reading of a day makes a device active, which each shard does by itself. */
  const activate = async (deviceIds = devices()) => {
    await send(deviceIds.map((deviceId) => recordOf(deviceId, 0)))
    joints.length = 0
  }
  return { send, activate }
}

const storedCount = async () => {
  const { rows } = await database.systemPool.query<{ count: number }>(
    'select count(*)::int as count from readings where source_id = any ($1)',
    [devices()],
  )
  return rows[0]?.count
}
const speedsOf = async () => {
  const { rows } = await database.systemPool.query<{ rpm: number }>(
    `select distinct (signals -> 'engineSpeedRpm' -> 0)::int as rpm from latest_states where source_id = any ($1)`,
    [devices()],
  )
  return rows.map(({ rpm }) => rpm)
}
const meteredCount = async () => {
  await applyEffects(database)
  const { rows } = await database.systemPool.query<{ count: number }>(
    `select coalesce(sum(count), 0)::int as count from usage_entries where meter = 'points_ingested'`,
  )
  return rows[0]?.count ?? 0
}
const onBothNodes = (ended: string) => joints.filter((joint) => joint.ended === ended).length === 2

test('readings of many sources are one transaction on each node, with their states and what is metered', onACluster, async () => {
  const { send, activate } = openProcess()
  await activate()
  const foreign = (rpm: number) => devices().map((deviceId) => recordOf(deviceId.replace('joint', 'bolts'), rpm))
  await send(foreign(0), 'bolt')
  joints.length = 0
  ends.length = 0
  const before = await meteredCount()
  // Of two resellers, by callers that come together.
  const [ofAcme, ofBolt] = await Promise.all([send(devices().map((deviceId) => recordOf(deviceId, 1))), send(foreign(1), 'bolt')])
  assert.deepEqual([ofAcme, ofBolt], [all('stored'), all('stored')])
  assert.deepEqual(new Set(joints.map(({ ended }) => ended)), new Set(['stored']))
  assert.deepEqual(new Set(joints.map(({ port }) => port)).size, 2)
  assert.ok(joints.length <= 4, JSON.stringify(joints))
  // What holds one of the rows holds up the others no longer than this.
  for (const { preamble } of joints) assert.match(preamble, /^select set_config\('lock_timeout', '200', true\), hold_shard/)
  // Rows are locked in one order, in whatever order the readings come.
  await send(
    devices()
      .map((deviceId) => recordOf(deviceId, 2))
      .toReversed(),
  )
  const inOrder = shards.map(({ tables }) => tables.readings)
  for (const { into } of joints)
    assert.deepEqual(
      into,
      inOrder.filter((table) => into.includes(table)),
    )
  assert.equal(await storedCount(), SOURCES * 3)
  assert.equal((await meteredCount()) - before, SOURCES * 3)
})

test('where one reading is known already it is answered so, and all others are stored and metered once', onACluster, async () => {
  const { send, activate } = openProcess()
  await activate()
  const before = await meteredCount()
  await send([recordOf(deviceOf(7), 1)])
  const answers = await send(devices().map((deviceId) => recordOf(deviceId, 1)))
  assert.deepEqual(answers, all('stored').with(7, 'duplicate'))
  assert.deepEqual(joints.map(({ ended }) => ended).sort(), ['23505', 'stored'])
  assert.equal((await meteredCount()) - before, SOURCES)
  // From now on its shard is written by itself, the others together.
  joints.length = 0
  assert.deepEqual(await send(devices().map((deviceId) => recordOf(deviceId, 1))), all('duplicate'))
  assert.deepEqual(await send(devices().map((deviceId) => recordOf(deviceId, 2))), all('stored'))
  assert.equal(await storedCount(), SOURCES * 3)
  assert.equal((await meteredCount()) - before, SOURCES * 2)
  assert.deepEqual(await speedsOf(), [2])
})

test('of readings that the store cannot take only those are refused', onACluster, async () => {
  const unstorable: string[] = []
  const { send, activate } = openProcess({ unstorable })
  await activate()
  // Only direct callers of ingest can hand this over: every receiver refuses NUL before.
  const records = devices().map((deviceId, nth) => recordOf(deviceId, 1, nth === 11 ? { note: 'a\u0000b' } : {}))
  const answers = await send(records)
  assert.deepEqual(
    answers.map((answer) => answer === 'stored'),
    devices().map((_, nth) => nth !== 11),
  )
  assert.equal(unstorable.length, 1)
  assert.ok(joints.some(({ ended }) => ended === '22P05'))
  assert.equal(await storedCount(), SOURCES * 2 - 1)
})

test(
  'of a device whose row is held only the reading is refused, and for a while each shard of its node is written by itself',
  onACluster,
  async () => {
    const { send, activate } = openProcess()
    await activate()
    const held = deviceOf(5)
    const sendAll = (rpm: number) => send(devices().map((deviceId) => recordOf(deviceId, rpm)))
    const lockTimeouts = () => ends.filter((ended) => ended === '55P03').length
    await database.system(async (db) => {
      await db.query('select from latest_states where source_id = $1 for update', [held])
      const answers = await sendAll(1)
      assert.equal(answers[5], 'unavailable')
      assert.deepEqual(answers.with(5, 'stored'), all('stored'))
      assert.deepEqual(joints.map(({ ended }) => ended).sort(), ['55P03', 'stored'])
      assert.equal(lockTimeouts(), 2, 'it was waited for shortly with others, and by its shard')
      joints.length = 0
      // Nobody waits for the row again.
      assert.deepEqual((await sendAll(2)).with(5, 'stored'), all('stored'))
      assert.deepEqual(
        joints.map(({ ended, port }) => ({ ended, port })),
        [{ ended: 'stored', port: shards.find(({ node }) => node.port !== shardOf(held).node.port)?.node.port }],
      )
    })
    assert.equal(lockTimeouts(), 2)
    assert.equal(await storedCount(), SOURCES * 3 - 2)
  },
)

test('callers that wait for the same rows behind one that is held are refused for nothing but that one', onACluster, async () => {
  const { send, activate } = openProcess()
  await activate()
  // On the shard that is written last, so that the rows of the others are locked when it is waited for.
  const last = Math.max(...shards.map(({ shardId }) => Number(shardId)))
  const held = devices().findIndex((deviceId) => shardOf(deviceId).shardId === String(last))
  assert.ok(held >= 0)
  await database.system(async (db) => {
    await db.query('select from latest_states where source_id = $1 for update', [deviceOf(held)])
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async (rpm) => {
        await sleep((rpm - 1) * 30)
        return await send(devices().map((deviceId) => recordOf(deviceId, rpm)))
      }),
    )
    for (const each of answers) assert.deepEqual(each, all('stored').with(held, 'unavailable'))
  })
  assert.equal(await storedCount(), SOURCES * 5 - 4)
})

test('a failure of one shard’s file takes no other shard with it, and one that is the node’s is everybody’s', onACluster, async () => {
  const { send, activate } = openProcess()
  await activate()
  failures.push({ code: '58030' }, { code: '58030' })
  assert.deepEqual(await send(devices().map((deviceId) => recordOf(deviceId, 1))), all('stored'))
  assert.ok(onBothNodes('58030'))
  joints.length = 0
  assert.deepEqual(await send(devices().map((deviceId) => recordOf(deviceId, 2))), all('stored'))
  assert.deepEqual(joints, [], 'each shard is written by itself')
})

test('a shard that moved in between takes nothing with it', onACluster, async () => {
  const { send, activate } = openProcess()
  await activate()
  // What both nodes answer first, and then one shard by itself.
  failures.push({ code: '55000' }, { code: '55000' }, { code: '55000' })
  assert.deepEqual(await send(devices().map((deviceId) => recordOf(deviceId, 1))), all('stored'))
  assert.ok(onBothNodes('55000'))
  assert.equal(await storedCount(), SOURCES * 2)
})

test('readings of a node that is away are refused at once, those of the other are stored', onACluster, async () => {
  const { send, activate } = openProcess()
  await activate()
  failures.push({ code: '57P01' })
  const answers = await send(devices().map((deviceId) => recordOf(deviceId, 1)))
  const away = joints.find(({ ended }) => ended === '57P01')?.port
  assert.deepEqual(
    answers,
    devices().map((deviceId) => (shardOf(deviceId).node.port === away ? 'unavailable' : 'stored')),
  )
  assert.deepEqual(new Set(answers), new Set(['unavailable', 'stored']))
  assert.deepEqual(joints.length, 2)
})

test('processes that are sent the same at once store it once, and none is refused', onACluster, async () => {
  const processes = [openProcess(), openProcess(), openProcess()]
  await processes[0]?.activate()
  const before = await meteredCount()
  for (let round = 1; round <= 10; round++) {
    const records = devices().map((deviceId) => recordOf(deviceId, round))
    const answers = await Promise.all(
      processes.map(async ({ send }, nth) => {
        await sleep(nth === 2 ? 2 : 0)
        return await send(nth === 1 ? records.toReversed() : records)
      }),
    )
    const statuses = answers.flat()
    assert.equal(statuses.filter((status) => status === 'stored').length, SOURCES, `round ${round}`)
    assert.equal(statuses.filter((status) => status === 'duplicate').length, SOURCES * 2, `round ${round}`)
  }
  assert.equal(await storedCount(), SOURCES * 11)
  assert.equal((await meteredCount()) - before, SOURCES * 10)
  assert.deepEqual(await speedsOf(), [10])
})
