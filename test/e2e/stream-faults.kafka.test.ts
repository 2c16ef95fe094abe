// Goal: whoever dies, a topic is read to its end, and every reading is stored and billed once. Method: services as processes on one database,
// a real Kafka, load that goes on while things are killed, and counts at the end.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KafkaBroker } from '@roadworthy/kafka/testing-kafka'
import { createTopic, type TestTopic } from '@roadworthy/kafka/testing-topic'
import { lastFirst } from '@roadworthy/platform/surfaces/test-api'
import { openDatabasePatiently } from '@roadworthy/platform/test-support'
import { startPlatform } from '../support/running-platform.ts'
import type { Service, Tenant } from '../support/service.ts'
import { connectStream, countsOf, noKafka, openStreamBench, STREAM_FLAGS, statusOf, streamReadings, until } from '../support/stream.ts'

const options = { skip: noKafka, timeout: 900_000 }
const BATCH = 200
const PACE_MS = 50

const cleanUp = lastFirst({ after })
let broker: KafkaBroker
let service: Service
before(async () => {
  if (noKafka === false) ({ broker, service } = await openStreamBench(cleanUp))
})

const counted = (tenant: Tenant) => countsOf(service.database, tenant)
const stateOf = (tenant: Tenant) => async () => ({ ...(await counted(tenant)), ...(await statusOf(tenant)) })
const partitionsOf = async (tenant: Tenant) => (await statusOf(tenant)).consumers.map(({ partitions }) => (partitions as number[]).length)

/** Sends batch after batch until it is to end, at a pace that leaves room for the services; answers how many readings that were. */
function sendLoad(topic: TestTopic, alreadySent: number): { stop(): Promise<number> } {
  let isOver = false
  const run = async () => {
    let sent = alreadySent
    for (; !isOver || sent < alreadySent + 5 * BATCH; sent += BATCH) {
      await topic.send(streamReadings(BATCH, { from: sent, vehicles: 40 }))
      await sleep(PACE_MS)
    }
    return sent
  }
  const running = run()
  return {
    stop: () => {
      isOver = true
      return running
    },
  }
}

test('two services share a topic; while load runs one joins, one is killed, and nothing is lost or counted twice', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  await connectStream(tenant, { brokers: [broker.address], topic: topic.name })
  const load = sendLoad(topic, 0)
  await until('the first readings', async () => (await counted(tenant)).stored > 2 * BATCH, stateOf(tenant))
  const second = await startPlatform(lastFirst({ after: (end) => t.after(end) }), {
    flags: STREAM_FLAGS,
    env: { DATABASE_URL: service.platform.databaseUrl },
  })
  await until('each reads two partitions', async () => (await partitionsOf(tenant)).join() === '2,2', stateOf(tenant))
  const before = (await counted(tenant)).stored
  await until('both read on', async () => (await counted(tenant)).stored > before + 2 * BATCH, stateOf(tenant))
  second.process.kill('SIGKILL')
  const sent = await load.stop()
  await until('every reading', async () => (await counted(tenant)).stored === sent, stateOf(tenant))
  await until('one reads all', async () => (await partitionsOf(tenant))[0] === 4, stateOf(tenant))
  await until('no lag', async () => (await statusOf(tenant)).consumers[0]?.['lagMessages'] === 0, stateOf(tenant))
  assert.deepEqual(await counted(tenant), { stored: sent, billed: sent })
  t.diagnostic(`${sent} readings`)
})

test(
  'a broker that is killed and comes back under load costs no message; meanwhile the connection shows what is wrong',
  options,
  async (t) => {
    const tenant = await service.newTenant()
    const topic = await createTopic(t, broker.address)
    await connectStream(tenant, { brokers: [broker.address], topic: topic.name })
    const load = sendLoad(topic, 0)
    await until('the first readings', async () => (await counted(tenant)).stored > 2 * BATCH, stateOf(tenant))
    const sentBefore = await load.stop()
    await broker.stop('SIGKILL')
    await until('it is reported', async () => (await statusOf(tenant)).state === 'failed', stateOf(tenant))
    assert.match((await statusOf(tenant)).detail ?? '', /ECONNREFUSED|[Cc]onnect/)
    await broker.start()
    const sent = await sendLoad(topic, sentBefore).stop()
    await until('every reading', async () => (await counted(tenant)).stored === sent, stateOf(tenant))
    await until('it runs again', async () => (await statusOf(tenant)).state === 'running', stateOf(tenant))
    assert.deepEqual(await counted(tenant), { stored: sent, billed: sent })
  },
)

test('while the database is away nothing is taken from the topic; when it is back nothing is missing', options, async (t) => {
  const tenant = await service.newTenant()
  const topic = await createTopic(t, broker.address)
  await connectStream(tenant, { brokers: [broker.address], topic: topic.name })
  await topic.send(streamReadings(BATCH))
  await until('the first readings', async () => (await counted(tenant)).stored === BATCH, stateOf(tenant))
  const database = new URL(service.platform.databaseUrl).pathname.slice(1)
  const url = Object.assign(new URL(service.platform.databaseUrl), { pathname: '/postgres' }).href
  const server = openDatabasePatiently(
    { owner: url, app: url, system: url },
    { appConnections: 1, systemConnections: 1, onError: assert.fail },
  )
  t.after(() => server.close())
  const owner = server.systemPool
  await owner.query(`alter database ${database} with allow_connections false`)
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  await topic.send(streamReadings(10 * BATCH, { from: BATCH }))
  await until('it waits', () => /readings cannot be stored; nothing more of this stream/.test(service.platform.output()))
  await owner.query(`alter database ${database} with allow_connections true`)
  await until(
    'every reading',
    async () => (await counted(tenant)).stored === 11 * BATCH,
    () => service.platform.output().slice(-2000),
  )
  await until('no lag', async () => (await statusOf(tenant)).lagMessages === 0, stateOf(tenant))
  assert.deepEqual(await counted(tenant), { stored: 11 * BATCH, billed: 11 * BATCH })
  assert.equal((await statusOf(tenant)).consumers[0]?.['deadLetters'], 0, 'an outage is no fault of a message')
})
