// How many messages a second the engine answers from Kafka and over MQTT, one reading a message and the windows of all vehicles full, beside
// what the same engine answers over REST when each vehicle of a batch brings its window of 120 readings itself. Broker, sender and engine
// share the machine.
//
// Run: node bench/scenarios/engine-inputs.ts [rounds], with Java 17, Maven and Mosquitto     Result: a line in bench/results/engine-inputs.jsonl

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Admin } from '@platformatic/kafka'
import { createProducer, sendAll } from '@roadworthy/kafka/kafka-client'
import { createKafkaBroker } from '@roadworthy/kafka/testing-kafka'
import { startMosquitto } from '@roadworthy/service-kit/network/test-mosquitto'
import { connectAsync } from 'mqtt'
import { getKafka } from '../../tools/setup/get-kafka.ts'
import { withCpu } from '../load/process-cost.ts'
import { keepResult } from '../load/service-under-load.ts'

const ENGINE = path.resolve(import.meta.dirname, '../../services/engine/src/main.ts')
const VEHICLES = 100
const WINDOW = 120
/** Readings of each vehicle in a round. */
const TURNS = 60
const PARTITIONS = 4
/** Sent and not answered yet: less than Mosquitto keeps for one client by default (1,000). */
const MQTT_AHEAD = 500
const POLL_MS = 20
const ROUNDS = Number(process.argv[2] ?? 3)
const FIRST_MS = Date.UTC(2026, 5, 1, 8)

type Rate = { readonly perS: number; readonly cpuUsPerRow: Record<string, number> }

const ends: (() => unknown)[] = []
try {
  await measure()
} finally {
  for (const end of ends.reverse()) await end()
}

async function measure(): Promise<void> {
  const kafka = await openKafka()
  const mqtt = await openMqtt()
  const inputs = { kafka, mqtt }
  // The first rounds fill the windows, and V8 compiles meanwhile.
  let turn = 0
  for (; turn < WINDOW; turn += TURNS) for (const input of Object.values(inputs)) await input.answer(readingsFrom(turn))
  await answerBatches(kafka.url, turn)
  const rounds: Record<keyof typeof inputs | 'rest', Rate>[] = []
  for (let round = 0; round < ROUNDS; round++, turn += TURNS) {
    const readings = readingsFrom(turn)
    rounds.push({
      rest: await rateOf(kafka.pid, () => answerBatches(kafka.url, turn)),
      kafka: await rateOf(kafka.pid, () => kafka.answer(readings)),
      mqtt: await rateOf(mqtt.pid, () => mqtt.answer(readings)),
    })
  }
  const medianOf = (name: keyof typeof inputs | 'rest') => rounds.map((round) => round[name].perS).sort((a, b) => a - b)[ROUNDS >> 1]
  const perS = { rest: medianOf('rest'), kafka: medianOf('kafka'), mqtt: medianOf('mqtt') }
  keepResult('engine-inputs', { at: new Date().toISOString(), cpus: os.cpus().length, node: process.version, perS, rounds })
}

async function rateOf(pid: number, answerAll: () => Promise<void>): Promise<Rate> {
  const count = VEHICLES * TURNS
  const startedAtMs = performance.now()
  const { cpuUsPerRow } = await withCpu({ engine: pid }, count, async () => {
    await answerAll()
    return {}
  })
  return { perS: Math.round((count / (performance.now() - startedAtMs)) * 1000), cpuUsPerRow }
}

type Reading = { readonly vehicleId: string; readonly json: string }

/** Vehicles in turn, one reading a second each. */
function readingsFrom(firstTurn: number): Reading[] {
  return Array.from({ length: VEHICLES * TURNS }, (_, nth) => {
    const vehicleId = `TRUCK-${nth % VEHICLES}`
    return { vehicleId, json: JSON.stringify({ vehicleId, ...readingAt(nth % VEHICLES, firstTurn + Math.floor(nth / VEHICLES)) }) }
  })
}

function readingAt(vehicle: number, turn: number): object {
  return {
    timestamp: new Date(FIRST_MS + turn * 1000).toISOString(),
    engine_speed: 1500 + ((vehicle + turn) % 40),
    coolant: 88 + ((vehicle + turn) % 5),
    battery_voltage: 13.8 + (turn % 3) / 10,
    fuel_level: 62 - (turn % 7) / 10,
    vehicleSpeed: 50 + (turn % 20),
    obdDistance: 120_000 + turn / 60,
  }
}

/** As many predictions as a round of messages, a hundred vehicles at a time. */
async function answerBatches(url: string, turn: number): Promise<void> {
  const vehicles = Array.from({ length: VEHICLES }, (_, vehicle) => ({
    vehicleId: `TRUCK-${vehicle}`,
    ...readingAt(vehicle, turn),
    history: Array.from({ length: WINDOW }, (_, ago) => readingAt(vehicle, turn - WINDOW + ago)),
  }))
  const body = JSON.stringify({ vehicles })
  for (let batch = 0; batch < TURNS; batch++) {
    const response = await fetch(`${url}/v1/predict/batch`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
  }
}

async function openKafka() {
  const broker = await createKafkaBroker(await getKafka(path.join(os.homedir(), '.cache/roadworthy')))
  ends.push(() => broker.remove())
  await broker.start()
  const client = { clientId: 'bench', bootstrapBrokers: [broker.address] }
  const admin = new Admin({ ...client, retries: 10, retryDelay: 300 })
  await admin.createTopics({ topics: ['telemetry', 'predictions', 'telemetry.dlq'], partitions: PARTITIONS, replicas: 1 })
  await admin.close()
  const producer = createProducer(client)
  ends.push(() => producer.close())
  const engine = await startEngine({
    ENGINE_INPUT: 'stream',
    ENGINE_KAFKA_BROKERS: broker.address,
    ENGINE_KAFKA_TOPIC: 'telemetry',
    ENGINE_KAFKA_OUTPUT_TOPIC: 'predictions',
    ENGINE_KAFKA_DEAD_LETTER_TOPIC: 'telemetry.dlq',
    ENGINE_KAFKA_START_AT: 'earliest',
  })
  const answer = async (readings: readonly Reading[]) => {
    const before = await answeredCount(engine.url)
    await sendAll(
      producer,
      readings.map(({ vehicleId, json }) => ({ topic: 'telemetry', key: Buffer.from(vehicleId), value: Buffer.from(json) })),
    )
    await untilAnswered(engine.url, before + readings.length)
  }
  return { ...engine, answer }
}

async function openMqtt() {
  const broker = await startMosquitto({ after: (end) => void ends.push(end as () => unknown) })
  const client = await connectAsync(broker.url)
  ends.push(() => client.endAsync())
  const engine = await startEngine({ ENGINE_INPUT: 'mqtt', ENGINE_MQTT_URL: broker.url })
  const answer = async (readings: readonly Reading[]) => {
    const before = await answeredCount(engine.url)
    for (let from = 0; from < readings.length; from += MQTT_AHEAD / 2) {
      await untilAnswered(engine.url, before + from - MQTT_AHEAD / 2)
      const part = readings.slice(from, from + MQTT_AHEAD / 2)
      await Promise.all(part.map(({ vehicleId, json }) => client.publishAsync(`telemetry/${vehicleId}`, json, { qos: 1 })))
    }
    await untilAnswered(engine.url, before + readings.length)
  }
  return { ...engine, answer }
}

async function startEngine(env: Record<string, string>): Promise<{ url: string; pid: number }> {
  const child: ChildProcess = spawn(process.execPath, [ENGINE, '--port', '0', '--exit-with-parent', '--log-level', 'warn'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  })
  ends.push(() => child.kill('SIGTERM'))
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string]
  const url = line.split(' ').at(-1) ?? ''
  while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(POLL_MS)
  return { url, pid: child.pid ?? 0 }
}

async function untilAnswered(url: string, count: number): Promise<void> {
  while ((await answeredCount(url)) < count) await sleep(POLL_MS)
}

/** Messages whose answers the broker has. */
async function answeredCount(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^engine_input_messages_total\{.*outcome="answered".*\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
}
