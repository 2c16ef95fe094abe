// The AsyncAPI 3.0 document: what devices and the platform send each other over MQTT, and what is read from a reseller's Kafka and set aside
// there. Topics, limits and schemas are those that the receivers work with.

import { MAX_BATCH_RECORDS } from '@roadworthy/contracts/external/telemetry'
import { MqttDeviceMessage } from '@roadworthy/contracts/mqtt/device-message'
import { MqttErrorReport } from '@roadworthy/contracts/mqtt/error-report'
import { saslMechanisms } from '@roadworthy/contracts/stream/sasl-mechanisms'
import type { App } from '@roadworthy/service-kit/http/http'
import { collectNamedSchemas, withoutKeyPatterns } from '@roadworthy/service-kit/http/named-schemas'
import { defaultMqttLimits } from '../ingest/receivers/mqtt-embedded/limits.ts'
import { topicsOf } from '../ingest/receivers/mqtt-embedded/topics.ts'
import { SERVICE_VERSION } from '../surfaces/service-version.ts'
import { streamChannels, streamMessages, streamOperations } from './stream-document.ts'

/** Serves the document beside those of the APIs. */
export function serveMessageDocument(app: App): void {
  let json: string | undefined
  app.get('/openapi/asyncapi.json', { config: { public: true }, schema: { hide: true } }, async (_request, reply) => {
    json ??= JSON.stringify(messageDocument())
    return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  })
}

const PAYLOAD_KIB = defaultMqttLimits.maxPayloadBytes / 1024
const KEEPALIVE_S = defaultMqttLimits.maxKeepaliveS
const STORE_WAIT_S = defaultMqttLimits.storeWaitMs / 1000
const topics = topicsOf('{prefix}', { resellerId: '{resellerSlug}', deviceId: '{deviceId}' })
const ofMqtt = { bindingVersion: '0.2.0' }
const mqttServers = [{ $ref: '#/servers/mqtt' }, { $ref: '#/servers/mqtts' }]
const parameters = Object.fromEntries(
  ['prefix', 'resellerSlug', 'deviceId'].map((name) => [name, { $ref: `#/components/parameters/${name}` }]),
)
const messageRef = (name: string) => ({ [name]: { $ref: `#/components/messages/${name}` } })

function messageDocument(): Record<string, unknown> {
  const { move, schemas } = collectNamedSchemas()
  const messages = move(withoutKeyPatterns({ ...mqttMessages, ...streamMessages }))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Roadworthy messages',
      version: SERVICE_VERSION,
      description:
        'Telemetry of devices over MQTT and of resellers over Kafka. What is sent over HTTP is in the OpenAPI documents, webhooks are in that of ' +
        'the Platform API. Operations are those of the platform: what it receives is yours to send.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers,
    channels: { ...mqttChannels, ...streamChannels },
    operations: { ...mqttOperations, ...streamOperations },
    components: { schemas: schemas(), messages, parameters: topicParameters, securitySchemes },
  }
}

const mqttBinding = { mqtt: { cleanSession: true, keepAlive: KEEPALIVE_S, ...ofMqtt } }
const hostDescription =
  'As `mqtt_broker` of the registration has it. Client id: the device id or the IMEI. MQTT 3.1 and 3.1.1; an external broker may take MQTT 5. ' +
  `No will, no QoS 2, no wildcards; what is not allowed closes the connection. A longer keepalive than ${KEEPALIVE_S} s, or none, counts as ${KEEPALIVE_S} s.`
const hostOf = (port: string) => ({
  host: '{host}:{port}',
  variables: {
    host: { default: 'localhost', description: 'Of the broker.' },
    port: { default: port },
  },
})

const kafkaServer = {
  host: '{host}:{port}',
  variables: { host: { default: 'kafka.example.com', description: 'Of a broker of yours.' }, port: { default: '9093' } },
}

const servers = {
  mqtt: {
    ...hostOf('1883'),
    protocol: 'mqtt',
    protocolVersion: '3.1.1',
    description: `Without TLS. ${hostDescription}`,
    security: [{ $ref: '#/components/securitySchemes/deviceSecret' }],
    bindings: mqttBinding,
  },
  mqtts: {
    ...hostOf('8883'),
    protocol: 'secure-mqtt',
    protocolVersion: '3.1.1',
    description: `With TLS 1.2 or newer, where the operator has set a certificate. ${hostDescription}`,
    security: [{ $ref: '#/components/securitySchemes/deviceSecret' }],
    bindings: mqttBinding,
  },
  kafka: {
    ...kafkaServer,
    protocol: 'kafka-secure',
    description:
      'Brokers of the reseller, set by `PUT /api/v1/stream-connection`: Apache Kafka and what speaks its protocol. With `"tls": null` the ' +
      'connection is plain text; sign-in may be left out.',
    security: Object.keys(saslSchemes()).map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
  },
}

const topicParameters = {
  prefix: { default: 'fleet', description: 'First part of every topic, as the operator has set it (`MQTT_TOPIC_PREFIX`).' },
  resellerSlug: { description: 'The reseller of the device.', examples: ['acme'] },
  deviceId: { description: 'The device, by its id.', examples: ['dev-4k2p9x7m1c8v5b3n6q0z'] },
  topic: { default: 'telemetry', description: '`topic` of the stream connection, at most 245 characters.' },
}

const mqttChannels = {
  deviceTelemetry: {
    address: topics.telemetry,
    title: 'Telemetry of a device',
    description: '`mqtt_topic` of the registration. A device may publish here and nowhere else.',
    servers: mqttServers,
    parameters,
    messages: messageRef('DeviceTelemetry'),
  },
  deviceErrors: {
    address: topics.errors,
    title: 'What was not taken of a device',
    description: 'A device may subscribe to it, with QoS 0 or 1. Nothing is kept for a device that is not connected.',
    servers: mqttServers,
    parameters,
    messages: messageRef('DeviceErrors'),
  },
  deviceCommands: {
    address: topics.commands,
    title: 'Commands for a device',
    description: 'A device may subscribe to it. The platform publishes nothing there yet; on an external broker you may.',
    servers: mqttServers,
    parameters,
  },
}

const mqttOperations = {
  receiveDeviceTelemetry: {
    action: 'receive',
    channel: { $ref: '#/channels/deviceTelemetry' },
    title: 'Take readings of a device',
    description:
      `QoS 1: PUBACK after the readings are committed. While they cannot be stored there is none, and the connection is closed after ${STORE_WAIT_S} s; what is sent ` +
      'again counts once where its records have a `timestamp`; one without is dated by its receipt, and is another reading. QoS 0 is taken too. Not retained.',
    security: [{ $ref: '#/components/securitySchemes/deviceSecret' }],
    bindings: { mqtt: { qos: 1, retain: false, ...ofMqtt } },
    messages: [{ $ref: '#/channels/deviceTelemetry/messages/DeviceTelemetry' }],
  },
  sendDeviceErrors: {
    action: 'send',
    channel: { $ref: '#/channels/deviceErrors' },
    title: 'Report what was not taken',
    description: 'After a message with records that cannot be stored, or fields that are stored and not used; each field once an hour.',
    security: [{ $ref: '#/components/securitySchemes/deviceSecret' }],
    bindings: { mqtt: { qos: 0, retain: false, ...ofMqtt } },
    messages: [{ $ref: '#/channels/deviceErrors/messages/DeviceErrors' }],
  },
}

const mqttMessages = {
  DeviceTelemetry: {
    name: 'DeviceTelemetry',
    title: 'Readings',
    summary: `One reading, or an array of at most ${MAX_BATCH_RECORDS}, in at most ${PAYLOAD_KIB} KiB of UTF-8 JSON.`,
    contentType: 'application/json',
    payload: MqttDeviceMessage,
    examples: examplesOf(MqttDeviceMessage),
  },
  DeviceErrors: {
    name: 'DeviceErrors',
    title: 'Error report',
    summary: 'Which records of a message were not stored and why, and which fields were not used.',
    contentType: 'application/json',
    payload: MqttErrorReport,
    examples: examplesOf(MqttErrorReport),
  },
}

function examplesOf(schema: object): object[] {
  const { examples = [] } = schema as { examples?: readonly unknown[] }
  return examples.map((payload) => ({ payload }))
}

const securitySchemes = {
  deviceSecret: {
    type: 'userPassword',
    description: '`mqtt_username` (`<reseller_slug>/<device_id>`) and `mqtt_password` of the registration or of the last rotation.',
  },
  ...saslSchemes(),
  clientCertificate: { type: 'X509', description: 'A certificate of the platform, given as `tls.certificate` and `tls.key`.' },
}

/** `SCRAM-SHA-512` is `scramSha512`. */
function saslSchemes(): Record<string, { type: string; description: string }> {
  const schemes = saslMechanisms.map((mechanism) => {
    const name = mechanism.toLowerCase().replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return [name, { type: name, description: `\`${mechanism}\` of the stream connection.` }] as const
  })
  return Object.fromEntries(schemes)
}
