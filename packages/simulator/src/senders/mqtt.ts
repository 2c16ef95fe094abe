// A device on the broker: one client per device, as in the field. QoS 1, and nothing counts as accepted before its PUBACK.
import mqtt, { type MqttClient } from 'mqtt'
import type { WireRecord } from '../fleet/reading.ts'
import { MqttRefused } from './mqtt-refused.ts'
import { emptyCounts, MAX_BATCH_RECORDS, type Sender } from './sender.ts'

export type MqttDevice = {
  readonly deviceId: string
  readonly username: string
  readonly password: string
  /** `<prefix>/<reseller>/devices/<device>/telemetry` (spec §2.2). */
  readonly topic: string
}

const RECONNECT_MS = 2_000
const CONNECT_TIMEOUT_MS = 15_000
const KEEPALIVE_S = 60
/** The platform takes messages of 64 KiB; headroom for the array's own characters. */
const MAX_MESSAGE_BYTES = 60_000
const MAX_REASON_CHARACTERS = 500
/** CONNACK return codes 4 and 5 (MQTT-3.2.2-6): the broker knows us and refuses, so trying again is no use. */
const REFUSED_CODES = [4, 5]

/**
 * Connects a device and keeps it connected: the client queues what is published while the broker is away, and repeats what was not
 * acknowledged. Rejects when the broker refuses the credentials. An unreachable broker is waited for until the signal aborts.
 */
export async function createMqttSender(brokerUrl: string, device: MqttDevice, signal?: AbortSignal): Promise<Sender> {
  const counts = emptyCounts()
  let acknowledged = 0
  let lastRefusal: string | undefined
  const client = mqtt.connect(brokerUrl, {
    clientId: device.deviceId,
    username: device.username,
    password: device.password,
    clean: true,
    keepalive: KEEPALIVE_S,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
  })
  await connected(client, device, signal)
  client.on('error', (error) => {
    lastRefusal = error.message
  })
  client.on('message', (_topic, payload) => {
    const report = readReport(payload)
    lastRefusal = report.reason
    counts.rejected += report.rejected
  })
  client.subscribe(device.topic.replace(/telemetry$/, 'errors'), { qos: 1 }, () => {
    // A broker without an errors topic denies this; the readings do not depend on it.
  })
  return {
    async send(records, abort) {
      for (const message of messagesOf(records)) {
        abort?.throwIfAborted()
        counts.sent += message.length
        await published(client, device.topic, message, abort)
        acknowledged += message.length
      }
    },
    // The report of a refusal comes before or after the acknowledgement of the message it is about.
    counts: () => ({ ...counts, accepted: Math.max(0, acknowledged - counts.rejected) }),
    lastRefusal: () => lastRefusal,
    close: () => client.endAsync(true),
  }
}

function connected(client: MqttClient, device: MqttDevice, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      client.off('connect', onConnect)
      client.off('error', onError)
      signal?.removeEventListener('abort', onAbort)
      if (!error) return resolve()
      client.on('error', () => {})
      client.end(true)
      reject(error)
    }
    const onConnect = () => settle()
    const onError = (error: Error & { code?: unknown }) => {
      if (REFUSED_CODES.includes(Number(error.code))) settle(new MqttRefused(`${device.deviceId}: ${error.message}`, { cause: error }))
    }
    const onAbort = () => settle(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    client.on('connect', onConnect)
    client.on('error', onError)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
  })
}

async function published(client: MqttClient, topic: string, message: readonly WireRecord[], signal?: AbortSignal): Promise<void> {
  const payload = JSON.stringify(message.length === 1 ? message[0] : message)
  const acknowledged = client.publishAsync(topic, payload, { qos: 1 })
  if (!signal) return void (await acknowledged)
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    await Promise.race([acknowledged, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
    acknowledged.catch(() => {})
  }
}

/** Groups records so that a message is neither over the record limit nor over the size limit. */
function* messagesOf(records: readonly WireRecord[]): Generator<readonly WireRecord[]> {
  let message: WireRecord[] = []
  let bytes = 2
  for (const record of records) {
    const recordBytes = Buffer.byteLength(JSON.stringify(record)) + 1
    if (message.length > 0 && (message.length >= MAX_BATCH_RECORDS || bytes + recordBytes > MAX_MESSAGE_BYTES)) {
      yield message
      message = []
      bytes = 2
    }
    message.push(record)
    bytes += recordBytes
  }
  if (message.length > 0) yield message
}

type Report = { readonly rejected: number; readonly reason: string }

function readReport(payload: Buffer): Report {
  const text = payload.toString('utf8')
  try {
    const { records_rejected, errors } = JSON.parse(text) as { records_rejected?: unknown; errors?: { code?: string; message?: string }[] }
    const [first] = Array.isArray(errors) ? errors : []
    const reason = first === undefined ? text.slice(0, MAX_REASON_CHARACTERS) : `${first.code ?? 'refused'} ${first.message ?? ''}`.trim()
    if (typeof records_rejected === 'number') return { rejected: records_rejected, reason }
    if (Array.isArray(errors)) return { rejected: errors.length, reason }
  } catch {
    // Whatever the words, the broker's error topic speaks of one refused message.
  }
  return { rejected: 1, reason: text.slice(0, MAX_REASON_CHARACTERS) }
}
