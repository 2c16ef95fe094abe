// What the tests of the stream input share: telemetry of a small fleet, topics, an engine as a process, and everything that came out of a topic.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Admin, Consumer, compatibilityPartitioner, Producer } from '@platformatic/kafka'

const MAIN = resolve(import.meta.dirname, '../main.ts')
const POLL_MS = 100
const WAIT_BOUND_MS = 90_000
export const FIRST_READING_MS = Date.UTC(2026, 5, 1, 8)

export type Received = { key: string; value: string; headers: Record<string, string> }
type Sent = { key: string; value: string | Buffer; headers?: Record<string, string> }

/** One reading of each vehicle a second, vehicles in turn, every one with values of its own. */
export function fleetReadings(vehicleCount: number, readingCount: number): { vehicleId: string; [field: string]: unknown }[] {
  return Array.from({ length: vehicleCount * readingCount }, (_, index) => {
    const vehicle = index % vehicleCount
    const turn = Math.floor(index / vehicleCount)
    const timestamp = new Date(FIRST_READING_MS + turn * 1000).toISOString()
    // The vehicle 7 overheats, so that the history matters: an alert takes readings that hold.
    const coolant = vehicle === 7 ? 112 + turn : 85 + (vehicle % 5)
    return {
      vehicleId: `V-${vehicle}`,
      timestamp,
      engine_speed: 1500 + vehicle,
      vehicleSpeed: 60,
      coolant_temp: coolant,
      battery_voltage: 13.9,
    }
  })
}

/** Topics of its own for each test; the engine of that test knows them by its environment. */
export async function createTopics(t: TestContext, brokers: string, partitions = 4) {
  const name = `t${process.hrtime.bigint().toString(36)}`
  const topics = { input: `${name}.in`, output: `${name}.out`, deadLetter: `${name}.in.dlq` }
  const admin = new Admin({ clientId: 'test-admin', bootstrapBrokers: [brokers], retries: 10, retryDelay: 300 })
  await admin.createTopics({ topics: Object.values(topics), partitions, replicas: 1 })
  await admin.close()
  const env = {
    ENGINE_INPUT: 'stream',
    ENGINE_KAFKA_BROKERS: brokers,
    ENGINE_KAFKA_TOPIC: topics.input,
    ENGINE_KAFKA_OUTPUT_TOPIC: topics.output,
    ENGINE_KAFKA_GROUP_ID: name,
  }
  const producer = new Producer<Buffer, Buffer, Buffer, Buffer>({
    clientId: 'test-producer',
    bootstrapBrokers: [brokers],
    acks: -1,
    partitioner: compatibilityPartitioner,
    retries: 10,
    retryDelay: 300,
  })
  t.after(() => producer.close(true))
  const send = async (messages: readonly Sent[]) => {
    await producer.send({
      messages: messages.map(({ key, value, headers = {} }) => ({
        topic: topics.input,
        key: Buffer.from(key),
        value: Buffer.from(value as string),
        headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
      })),
    })
  }
  return { topics, env, send, sendReadings: (readings: readonly { vehicleId: string }[]) => send(readings.map(toMessage)) }
}

function toMessage(reading: { vehicleId: string }): Sent {
  return { key: reading.vehicleId, value: JSON.stringify(reading) }
}

/** Everything that is and will be in the topic, in order of its arrival here. */
export async function collectTopic(t: TestContext, brokers: string, topic: string): Promise<Received[]> {
  const consumer = new Consumer<Buffer, Buffer, Buffer, Buffer>({
    clientId: 'test-consumer',
    groupId: `test-${topic}`,
    bootstrapBrokers: [brokers],
    retries: 100,
    retryDelay: 300,
  })
  const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false, maxWaitTime: 200 })
  const received: Received[] = []
  stream.on('data', ({ key, value, headers }) => {
    const texts = Object.fromEntries([...headers].map(([name, text]) => [name.toString(), text.toString()]))
    received.push({ key: key?.toString() ?? '', value: value?.toString() ?? '', headers: texts })
  })
  stream.on('error', () => undefined)
  consumer.on('error', () => undefined)
  t.after(() => consumer.close(true))
  return received
}

export type EngineProcess = {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: string
  readonly log: string[]
  readonly exited: Promise<[number | null, string | null]>
}

export async function startEngineProcess(t: TestContext, env: Record<string, string>): Promise<EngineProcess> {
  const child = spawn(process.execPath, [MAIN, '--port', '0'], { env: { PATH: process.env['PATH'], ...env } })
  t.after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  const log: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const url = /^ready engine (http:\/\/\S+)$/.exec(line)?.[1]
  assert.ok(url !== undefined, line)
  return { child, url, log, exited }
}

/** Waits for something that is known to come; what it is waiting for stands in the error when it does not. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_BOUND_MS
  while (!(await isSo())) {
    assert.ok(performance.now() < deadlineMs, `in ${WAIT_BOUND_MS} ms it did not come to this: ${what}`)
    await sleep(POLL_MS)
  }
}

export async function readiness(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, text: await response.text() }
}

/** The value of a metric at this moment, labels and all in its name. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}
