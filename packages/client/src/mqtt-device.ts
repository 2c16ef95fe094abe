// What a device needs to know of MQTT here: its topics, and what a message may hold. The connection, its queue and its reconnects are of
// the MQTT client that the caller brings, for example `mqtt` of npm.

import { ConfigurationError, ConnectionError, UnexpectedAnswerError, ValidationError } from './errors.ts'
import type { MqttErrorReport, MqttRecord } from './generated/published-types.ts'
import { splitItems } from './split-items.ts'

/** Any client with the `publish` of the package `mqtt`. */
export type MqttPublisher = {
  publish(topic: string, payload: string, options: { qos: 1; retain: false }, callback: (error?: Error | null) => void): unknown
}

/** From the answer to a registration, of either API; or the topic alone, where it was kept. */
export type MqttTopic = { readonly mqtt_topic: string } | { readonly mqttTopic: string } | { readonly topic: string }

export type MqttCredentials =
  | { readonly device_id: string; readonly mqtt_broker: string; readonly mqtt_username: string; readonly mqtt_password: string }
  | { readonly id: string; readonly mqttBroker: string; readonly mqttUsername: string; readonly mqttPassword: string }

export type MqttDevice = {
  readonly topic: string
  readonly errorsTopic: string
  readonly commandsTopic: string
  /**
   * Publishes with QoS 1, not retained, in messages of at most 100 records and 64 KiB, one after the other. Resolves when the broker has
   * acknowledged the last: what was acknowledged is stored, or is reported on `errorsTopic`.
   */
  send(records: MqttRecord | readonly MqttRecord[]): Promise<void>
  /** A message of `errorsTopic`; undefined of any other topic. */
  parseErrors(topic: string, payload: string | Uint8Array): MqttErrorReport | undefined
}

/** What a message may hold; the broker refuses more. */
const MAX_RECORDS = 100
const MAX_PAYLOAD_BYTES = 64 * 1024

function device(given: MqttTopic, client: MqttPublisher): MqttDevice {
  const topic = 'topic' in given ? given.topic : 'mqttTopic' in given ? given.mqttTopic : given.mqtt_topic
  if (typeof topic !== 'string' || !/^[^+#\0]+\/telemetry$/.test(topic)) {
    throw new ConfigurationError('The topic must be the mqtt_topic of a registered device, which ends in /telemetry.')
  }
  if (typeof client?.publish !== 'function') throw new ConfigurationError('Give a connected MQTT client: it needs a method publish.')
  const base = topic.slice(0, -'/telemetry'.length)
  const errorsTopic = `${base}/errors`
  return {
    ...{ topic, errorsTopic, commandsTopic: `${base}/commands` },
    send: async (records) => {
      for (const payload of payloadsOf(records)) await publish(client, topic, payload)
    },
    parseErrors: (from, payload) => (from === errorsTopic ? parseReport(payload) : undefined),
  }
}

/** For `connect` of the package `mqtt`. The embedded broker speaks MQTT 3.1.1, and knows a device by its id. */
function connection(credentials: MqttCredentials, { isTls = false }: { readonly isTls?: boolean } = {}) {
  const [clientId, broker, username, password] =
    'mqtt_broker' in credentials
      ? [credentials.device_id, credentials.mqtt_broker, credentials.mqtt_username, credentials.mqtt_password]
      : [credentials.id, credentials.mqttBroker, credentials.mqttUsername, credentials.mqttPassword]
  return {
    url: `${isTls ? 'mqtts' : 'mqtt'}://${broker}`,
    options: { clientId, username, password, protocolVersion: 4 as const, clean: true },
  }
}

export const mqtt = Object.freeze({ device, connection })

/** All of them, before the first is sent: one that is too long keeps none of the others from being reported. */
function payloadsOf(records: MqttRecord | readonly MqttRecord[]): string[] {
  const parts = splitItems(Array.isArray(records) ? records : [records], MAX_RECORDS, MAX_PAYLOAD_BYTES)
  return parts.map(({ from, part }) => {
    const payload = JSON.stringify(part.length === 1 ? part[0] : part)
    const bytes = new TextEncoder().encode(payload).length
    if (bytes <= MAX_PAYLOAD_BYTES) return payload
    throw new ValidationError(`Record ${from} has ${bytes} bytes; a message holds ${MAX_PAYLOAD_BYTES}. Nothing was sent.`, {
      code: 'payload_too_large',
      details: { index: from },
    })
  })
}

function publish(client: MqttPublisher, topic: string, payload: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.publish(topic, payload, { qos: 1, retain: false }, (error) => {
      if (error === undefined || error === null) resolve()
      else reject(new ConnectionError(`The broker did not take the message: ${error.message}`, { code: 'connection_failed', cause: error }))
    })
  })
}

function parseReport(payload: string | Uint8Array): MqttErrorReport {
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload)
  try {
    return JSON.parse(text) as MqttErrorReport
  } catch (error) {
    throw new UnexpectedAnswerError(`The report is no JSON: ${String(error)}`, { code: 'unexpected_answer' })
  }
}
