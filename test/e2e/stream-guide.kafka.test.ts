// Goal: who follows the guide about streams gets from an empty Kafka to a reading on the map, and sees what it describes when something is wrong. Method:
// its blocks in their order, by a shell, with Kafka's own command line, a real Kafka, and an instance that runs.

import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createKafkaBroker, type KafkaBroker, SASL_USER } from '@roadworthy/kafka/testing-kafka'
import { noKafka, STREAM_FLAGS, until } from '../support/stream.ts'
import { blocksOf, keyOf, runLines } from './guide-blocks.ts'
import { type OwnInstance, startOwnInstance } from './own-instance.ts'
import { ROOT } from './running-service.ts'

const options = { skip: noKafka, timeout: 900_000 }
/** Of Kafka's `bin/`. */
const PROGRAMS = {
  'kafka-topics.sh': 'org.apache.kafka.tools.TopicCommand',
  'kafka-console-producer.sh': 'org.apache.kafka.tools.ConsoleProducer',
  'kafka-console-consumer.sh': 'org.apache.kafka.tools.consumer.ConsoleConsumer',
  'kafka-consumer-groups.sh': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
}

type Consumer = Record<'storedRecords' | 'duplicateRecords' | 'deadLetters', number> & {
  since: string
  partitions: number[]
  warnings: object[]
}
type Status = { state: string; detail: string | null; lagMessages: number | null; consumers: Consumer[] }

let instance: OwnInstance
let broker: KafkaBroker
const page = { text: readFileSync(path.join(ROOT, 'docs/guides/stream.md'), 'utf8'), blocks: blocksOf('stream.md', 'sh') }

before(async () => {
  if (noKafka !== false) return
  broker = await createKafkaBroker(process.env['KAFKA_CLASS_PATH'] ?? '')
  const [started] = await Promise.all([startOwnInstance(STREAM_FLAGS), broker.start()])
  instance = started
  for (const [name, main] of Object.entries(PROGRAMS)) {
    const file = path.join(instance.folder, name)
    // What Java prints of its own has no place in what a command prints.
    writeFileSync(file, `#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 -cp "${process.env['KAFKA_CLASS_PATH']}" ${main} "$@" 2>"$0.err"\n`)
    chmodSync(file, 0o755)
  }
  copyFileSync(broker.certificates.authority.certFile, path.join(instance.folder, 'ca.pem'))
  writeFileSync(path.join(instance.folder, 'password'), `${SASL_USER.password}\n`)
})

after(async () => {
  await instance?.stop()
  await broker?.remove()
})

/** The next block of the page, which must be the one that is meant. */
function run(mark: string): Promise<string> {
  const block = page.blocks.shift() ?? assert.fail(`there is no block with ${mark}`)
  assert.ok(block.includes(mark), `the next block has no ${mark}:\n${block}`)
  const here = block
    .replaceAll('localhost:9092', broker.address)
    .replaceAll('localhost:9093', broker.secureAddress)
    .replaceAll('username: "roadworthy"', `username: "${SASL_USER.username}"`)
  return runLines(instance, `PATH=$PWD:$PATH\n${here}`)
}

async function ask<Answer>(route: string): Promise<Answer> {
  const answer = await fetch(`${instance.baseUrl}${route}`, { headers: { authorization: `Bearer ${keyOf(instance)}` } })
  assert.equal(answer.status, 200, `${route} ${await answer.clone().text()}`)
  return (await answer.json()) as Answer
}

/** What is reported by who began after the last change of the connection; of those before it, nothing. */
async function status(): Promise<Status> {
  const { status: reported, updatedAt } = await ask<{ status: Status; updatedAt: string }>('/api/v1/stream-connection')
  return { ...reported, consumers: reported.consumers.filter(({ since }) => since > updatedAt) }
}
const sum = ({ consumers }: Status, name: 'storedRecords' | 'duplicateRecords' | 'deadLetters') =>
  consumers.reduce((total, consumer) => total + consumer[name], 0)
const untilStatus = (what: string, isSo: (now: Status) => boolean) => until(what, async () => isSo(await status()), status)
/** The first column of the table with that head. */
const tableOf = (text: string, head: string) =>
  [...(text.split(`| ${head} `)[1]?.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, first]) => first)

test('from an empty Kafka to a vehicle on the map, in three forms', options, async () => {
  await run('--create')
  await run('stream-connection')
  const tested = await run('stream-connection/test')
  assert.match(tested, /^topic +ok +"telemetry" has 2 partitions; "telemetry\.dlq" is there/m)
  assert.match(tested, /^It works\.$/m)
  const steps = [...tested.matchAll(/^([a-z]+) +(?:ok|skipped) /gm)].map(([, step]) => step)
  assert.deepEqual(tableOf(page.text, 'Fails at'), steps, 'the guide explains each step that can fail')
  await run('truck-7')
  await untilStatus('the first reading', (now) => sum(now, 'storedRecords') === 1 && now.state === 'running' && now.lagMessages === 0)
  assert.match(await run('stream-connection'), /"state":"running".*"lagMessages":0.*"externalRef":"truck-7".*"latitude":51\.96/s)
  await run('messages.txt')
  await untilStatus('four more', (now) => sum(now, 'storedRecords') === 5 && now.lagMessages === 0)
  const { messages } = await ask<{ messages: unknown[] }>('/api/v1/devices/356938035643825/messages')
  assert.equal(messages.length, 1, 'the key named the device')
  const { vehicles } = await ask<{ vehicles: { externalRef: string | null }[] }>('/api/v1/vehicles')
  const names = vehicles.flatMap(({ externalRef }) => externalRef ?? [])
  assert.deepEqual(names.sort(), ['truck-7', 'truck-8', 'truck-9'])
})

test('what cannot be taken is set aside with its reason', options, async () => {
  const letters = (await run('telemetry.dlq')).split('\n')
  assert.ok(
    letters.some((line) => /dead-letter-code:invalid_json,.*no JSON$/.test(line)),
    letters.join('\n'),
  )
  assert.ok(
    letters.some((line) => /dead-letter-code:device_not_found,.*"nobody"/.test(line)),
    letters.join('\n'),
  )
  await untilStatus('the misspelt one', (now) => sum(now, 'storedRecords') === 6)
  const { consumers } = await status()
  assert.match(JSON.stringify(consumers[0]?.warnings), /"field":"colant_temp".*coolant_temp/)
})

test('TLS and a sign-in; the group as Kafka sees it; the topic read again; more partitions', options, async () => {
  assert.match(await run('ca.pem'), /"success":true.*signed in by SCRAM-SHA-512/s)
  await untilStatus('reading', (now) => now.consumers.length === 1 && now.state === 'running' && now.lagMessages === 0)
  assert.match(await run('--describe'), /^roadworthy-roadworthy +telemetry +0 +(\d+) +\1 +0 /m)
  await run('roadworthy-again')
  // The lag alone may be that of before it began to read.
  const isAllAgain = (now: Status) => sum(now, 'duplicateRecords') === 6 && sum(now, 'deadLetters') === 2
  await untilStatus('all of it again', (now) => now.lagMessages === 0 && isAllAgain(now))
  assert.equal(sum(await status(), 'storedRecords'), 0)
  await run('--alter')
  await untilStatus('four partitions', (now) => now.consumers[0]?.partitions.length === 4)
  assert.equal(page.blocks.length, 0, 'every block was run')
})

test('the broker away, and the topic of dead letters missing, look as the guide describes', options, async () => {
  const described = [...page.text.matchAll(/^\| (the broker|the topic of dead letters) +\| `(\w+)`/gm)].map(([, what, state]) => [
    what,
    state,
  ])
  assert.deepEqual(described, [
    ['the broker', 'failed'],
    ['the topic of dead letters', 'waiting'],
  ])
  await broker.stop('SIGTERM')
  await untilStatus('nobody answers', ({ state }) => state === 'failed')
  await broker.start()
  await untilStatus('reading again', ({ state }) => state === 'running')
  const topics = `kafka-topics.sh --bootstrap-server ${broker.address}`
  const send = `printf '%s\\n' '{"vehicle_id":"truck-7","speed":53}' 'no JSON' | kafka-console-producer.sh --bootstrap-server ${broker.address} --topic telemetry`
  await runLines(instance, `PATH=$PWD:$PATH\n${topics} --delete --topic telemetry.dlq\n${send}`)
  await untilStatus('it waits for the topic', ({ state, detail }) => state === 'waiting' && /telemetry\.dlq/.test(detail ?? ''))
  await runLines(instance, `PATH=$PWD:$PATH\n${topics} --create --topic telemetry.dlq`)
  await untilStatus('it goes on', (now) => now.state === 'running' && now.lagMessages === 0)
})
