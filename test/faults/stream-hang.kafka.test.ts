// Goal: while a node of a cluster hangs, a topic is read no further than it can be stored; when the node goes on, or the process was killed meanwhile, every message is stored and billed
// once. Method: the real service on two workers of Citus and a real Kafka; one worker is frozen while messages of many vehicles come, once for a while and once until after the process has
// been killed and started again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKafkaBroker } from '@roadworthy/kafka/testing-kafka'
import { createTopic } from '@roadworthy/kafka/testing-topic'
import { untilTaken } from '@roadworthy/platform/test-support'
import { FREE_PORTS, type RunningService } from '../e2e/running-service.ts'
import { findCitus } from '../support/citus.ts'
import { CitusInstallation } from '../support/citus-installation.ts'
import { call } from '../support/running-platform.ts'
import { ok, type Row } from '../support/service.ts'
import { noKafka, STREAM_FLAGS, streamReadings } from '../support/stream.ts'
import { addressOf } from './fleet-under-load.ts'

const WORKERS = 2
const FROZEN = 1
const BATCH = 100
const PACE_MS = 200
const VEHICLES = 40
/** Longer than the timeout of a statement, after which the process knows that the node hangs. */
const HANGS_MS = 15_000
const FLAGS = ['--no-demo', ...FREE_PORTS, ...STREAM_FLAGS]

const script = findCitus(process.env['ROADWORTHY_CITUS'])

test('while a node hangs a topic waits, and when it goes on nothing of it is missing or there twice, though the process was killed', {
  skip: noKafka !== false ? noKafka : script === undefined && 'needs Citus (ROADWORTHY_CITUS)',
  timeout: 600_000,
}, async (t) => {
  const { at, cleanUp } = await CitusInstallation.start(t, script ?? '', WORKERS)
  const broker = await createKafkaBroker(process.env['KAFKA_CLASS_PATH'] ?? '')
  cleanUp.after(() => broker.remove())
  await broker.start()
  let service = await at.startService(FLAGS)
  cleanUp.after(async () => void (await service.signal('SIGKILL')))
  assert.equal(await service.signal('SIGTERM'), 0)
  await at.answerOf('citus', 'init', '--shards', '8')
  service = await at.startService(FLAGS)
  const topic = await createTopic(t, broker.address)
  ok(await ask(service, 'PUT', { brokers: [broker.address], topic: topic.name }))

  let sent = 0
  let isOver = false
  const load = (async () => {
    for (; !isOver; sent += BATCH) {
      await topic.send(streamReadings(BATCH, { from: sent, vehicles: VEHICLES }))
      await sleep(PACE_MS)
    }
  })()
  cleanUp.after(async () => {
    isOver = true
    at.citus.thaw(FROZEN)
    await load
  })
  await at.until('the first readings are stored', async () => (await storedCount(at)) > 5 * BATCH)
  const onFrozen = await storedCount(at, `where source_id in (${await sourcesOn(at, FROZEN)})`)
  t.diagnostic(`of ${await storedCount(at)} readings, ${onFrozen} are on the node that hangs`)
  assert.ok(onFrozen > 0)

  at.citus.freeze(FROZEN)
  await at.until('it is in the log', async () => waitCount(service) > 0)
  await sleep(HANGS_MS)
  at.citus.thaw(FROZEN)
  const sentMeanwhile = sent
  await at.until('all that was sent meanwhile is stored', async () => (await storedCount(at)) >= sentMeanwhile)

  at.citus.freeze(FROZEN)
  const before = waitCount(service)
  await at.until('it is in the log again', async () => waitCount(service) > before)
  await service.signal('SIGKILL')
  service = await at.startService(FLAGS)
  await at.until('it is in the log of the process that was started', async () => waitCount(service) > 0)
  at.citus.thaw(FROZEN)
  await sleep(HANGS_MS)
  isOver = true
  await load
  await at.until('every reading is stored', async () => (await storedCount(at)) === sent)
  await at.until(
    'what follows readings is done',
    async () => (await at.ask('select from reading_effects limit 1', [], SUPERUSER)).length === 0,
  )
  await at.until('no lag', async () => (await statusOf(service))['lagMessages'] === 0)
  const [billed] = await at.ask(BILLED, [], SUPERUSER)
  assert.deepEqual([await storedCount(at), Number(billed?.['count'])], [sent, sent])
  const [consumer] = (await statusOf(service))['consumers'] as Row[]
  assert.equal(consumer?.['deadLetters'], 0, 'an outage is no fault of a message')
  t.diagnostic(`${sent} readings`)
})

const SUPERUSER = { user: 'postgres' }
const BILLED = `select sum(count) as count from (select count from usage_entries where meter = 'points_ingested' union all
                  select count from usage_lines where meter = 'points_ingested') counted`

async function storedCount(at: CitusInstallation, where = ''): Promise<number> {
  const [row] = await at.ask(`select count(*)::int as count from readings ${where}`, [], SUPERUSER)
  return Number(row?.['count'])
}

/** Of the vehicles, as a list of literals. */
async function sourcesOn(at: CitusInstallation, nth: number): Promise<string> {
  const rows = await at.ask(
    `select distinct quote_literal(s.source_id) as id
       from latest_states s
       join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('latest_states', s.source_id)
       join pg_dist_node n on n.groupid = p.groupid
      where n.nodeport = $1`,
    [at.citus.port(nth)],
    SUPERUSER,
  )
  return rows.map(({ id }) => String(id)).join(', ') || `''`
}

/** How often it is in the log that a stream waits. */
const waitCount = ({ stdout, stderr }: RunningService) =>
  [...`${stdout}\n${stderr}`.matchAll(/readings cannot be stored; nothing more of this stream/g)].length

function ask(service: RunningService, method: string, body?: Row) {
  const { baseUrl, apiKey: key } = addressOf(service)
  return untilTaken(() => call(baseUrl, method, '/api/v1/stream-connection', { key, ...(body === undefined ? {} : { body }) }))
}

async function statusOf(service: RunningService): Promise<Row> {
  return ok<{ status: Row }>(await ask(service, 'GET')).status
}
