// Durable ingest from Kafka beside REST, in the same run: how many readings a second one service takes from a topic that is full already, one
// reading a message, and what each costs in CPU time. Broker, PostgreSQL and service share the machine, as do the loads of REST.
//
// The speed of a shared machine changes within seconds, so the two take turns; the ratio is the median over the rounds.
//
// Run: node bench/scenarios/stream.ts [rounds], with Java 17 and Maven     Result: a line in bench/results/stream.jsonl

import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Admin } from '@platformatic/kafka'
import { createProducer, sendAll } from '@roadworthy/kafka/kafka-client'
import { createKafkaBroker } from '@roadworthy/kafka/testing-kafka'
import pg from 'pg'
import { getKafka } from '../../tools/setup/get-kafka.ts'
import { postmasterPid, withCpu } from '../load/process-cost.ts'
import { sampleReadingJson } from '../load/sample-reading.ts'
import { keepResult, REST_BATCH_SIZE, runLoad, type UnderLoad, withServiceUnderLoad } from '../load/service-under-load.ts'

const DEVICES = 200
const ROWS = 100_000
const PARTITIONS = 4
const MESSAGES_PER_SEND = 1_000
const POLL_MS = 50
const ROUNDS = Number(process.argv[2] ?? 5)
/** The broker is on loopback. */
process.env['STREAM_ALLOW_CIDRS'] = '127.0.0.0/8'

type LoadResult = { readonly rowsPerS: number; readonly cpuUsPerRow: Record<string, number> }

const broker = await createKafkaBroker(await getKafka(path.join(os.homedir(), '.cache/roadworthy')))
try {
  await broker.start()
  await withServiceUnderLoad(measure)
} finally {
  await broker.remove()
}

async function measure({ service, postgres, reader, prepareLoads }: UnderLoad): Promise<void> {
  const { restPlan } = await prepareLoads(DEVICES)
  const { deviceIds } = restPlan as { deviceIds: string[] }
  const trees = { service: service.pid ?? 0, postgres: postmasterPid(postgres.dataPath) }
  const database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  let startMs = Date.now() - 20 * 3_600_000
  /** Each load reports of another hour, so that no reading is known. */
  const nextHourMs = () => {
    startMs += 3_600_000
    return startMs
  }
  const loadRest = () =>
    runLoad<{ rowsPerS: number }>('rest-load.ts', { ...restPlan, batches: ROWS / REST_BATCH_SIZE, startMs: nextHourMs() })
  const loadStream = async (topic: string) => ({ rowsPerS: await readTopic(reader, database, topic) })
  const rounds: { rest: LoadResult; stream: LoadResult }[] = []
  await loadRest()
  for (let round = 0; round < ROUNDS; round++) {
    const topic = await fillTopic(`bench-${round}`, deviceIds, nextHourMs())
    const rest = await withCpu(trees, ROWS, loadRest)
    rounds.push({ rest, stream: await withCpu(trees, ROWS, () => loadStream(topic)) })
  }
  await database.end()
  const ofRest = rounds.map(({ rest, stream }) => Number((stream.rowsPerS / rest.rowsPerS).toFixed(3)))
  const median = [...ofRest].sort((a, b) => a - b)[ofRest.length >> 1]
  keepResult('stream', {
    at: new Date().toISOString(),
    cpus: os.cpus().length,
    node: process.version,
    ofRest: { median, rounds: ofRest },
    rounds,
  })
}

async function fillTopic(topic: string, deviceIds: readonly string[], startMs: number): Promise<string> {
  const client = { clientId: 'bench', bootstrapBrokers: [broker.address] }
  const admin = new Admin(client)
  await admin.createTopics({ topics: [topic], partitions: PARTITIONS, replicas: 1 })
  await admin.createTopics({ topics: [`${topic}.dlq`], partitions: 1, replicas: 1 })
  await admin.close()
  const producer = createProducer(client)
  for (let from = 0; from < ROWS; from += MESSAGES_PER_SEND) {
    const messages = Array.from({ length: MESSAGES_PER_SEND }, (_, i) => {
      const nth = from + i
      const deviceId = deviceIds[nth % deviceIds.length] ?? ''
      return { topic, key: Buffer.from(deviceId), value: Buffer.from(sampleReadingJson(deviceId, startMs + nth * 10, nth)) }
    })
    await sendAll(producer, messages)
  }
  await producer.close()
  return topic
}

/** Rows a second, from the first that are stored to the last: joining the group is not counted. */
async function readTopic({ baseUrl, apiKey }: UnderLoad['reader'], database: pg.Client, topic: string): Promise<number> {
  const response = await fetch(new URL('/api/v1/stream-connection', baseUrl), {
    method: 'PUT',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ brokers: [broker.address], topic, groupId: topic }),
  })
  if (response.status !== 200) throw new Error(`the connection was refused: ${await response.text()}`)
  let first: { atMs: number; count: number } | undefined
  for (;;) {
    const { rows } = await database.query<{ count: number }>(
      'select coalesce(sum(next_offset), 0)::int as count from stream_offsets where group_id = $1',
      [topic],
    )
    const count = rows[0]?.count ?? 0
    if (count > 0) first ??= { atMs: performance.now(), count }
    if (first !== undefined && count >= ROWS) return Math.round(((ROWS - first.count) / (performance.now() - first.atMs)) * 1000)
    await sleep(POLL_MS)
  }
}
