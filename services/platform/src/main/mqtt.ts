// Which MQTT door is open: a broker of our own, or a broker of others that the platform joins.

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authenticateDevice } from '../devices/authenticate-device.ts'
import { createMqttDoor } from '../ingest/doors/mqtt/mqtt-door.ts'
import { createBrokerAuth } from '../ingest/doors/mqtt-broker/broker-auth.ts'
import type { BrokerPlan } from '../ingest/doors/mqtt-broker/broker-connection.ts'
import { type BrokerDoor, createBrokerDoor } from '../ingest/doors/mqtt-broker/broker-door.ts'
import { emqxRoutes } from '../ingest/doors/mqtt-broker/emqx.routes.ts'
import { rabbitRoutes } from '../ingest/doors/mqtt-broker/rabbitmq.routes.ts'
import { brokerAddressOf } from './broker-settings.ts'
import type { ReadinessCheck } from './build-http.ts'
import type { Parts, PlatformOptions } from './compose.ts'

export type Mqtt = {
  /** The ports of our own broker, where there is one. */
  start(): Promise<{ port: number | undefined; tlsPort: number | undefined }>
  close(): Promise<void>
  readonly checks: Readonly<Record<string, ReadinessCheck>>
}

export function createMqtt(options: PlatformOptions, parts: Parts): Mqtt {
  const { mqttBrokerUrl } = options.settings
  return mqttBrokerUrl === undefined ? createOwnBroker(options, parts) : joinBroker(mqttBrokerUrl, options, parts)
}

function createOwnBroker({ settings, log, now }: PlatformOptions, { database, notifications, pipeline, metrics }: Parts): Mqtt {
  const { mqttTlsCertFile, mqttTlsKeyFile } = settings
  const door = createMqttDoor({
    ingest: metrics.countIngest('mqtt', pipeline.ingest),
    authenticateDevice: (attempt) => authenticateDevice(database, attempt, now()),
    onAccessChanged: async (onChange, onGap) => {
      const stopListening = notifications.on('device_access_changed', onChange, onGap)
      await notifications.whenListening()
      return stopListening
    },
    topicPrefix: settings.mqttTopicPrefix,
    host: settings.host,
    port: settings.mqttPort,
    tls:
      mqttTlsCertFile === undefined || mqttTlsKeyFile === undefined
        ? undefined
        : { port: settings.mqttTlsPort, cert: readFileSync(mqttTlsCertFile), key: readFileSync(mqttTlsKeyFile) },
    now,
    log,
  })
  metrics.gauge('fleet_mqtt_connected_clients', 'Devices connected to the embedded broker.', () => door.connectedCount)
  return { start: () => door.start(), close: () => door.close(), checks: {} }
}

function joinBroker(url: string, options: PlatformOptions, { database, directory, pipeline, metrics }: Parts): Mqtt {
  const { settings, log, now } = options
  const door = createBrokerDoor({
    plan: planOf(url, options),
    shareGroup: settings.mqttBrokerShareGroup === 'none' ? undefined : settings.mqttBrokerShareGroup,
    topicPrefix: settings.mqttTopicPrefix,
    ingest: metrics.countIngest('mqtt', pipeline.ingest),
    hasLapsed: (resellerId) => directory.hasLapsed(resellerId),
    isStoreThere: () => database.ping(),
    now,
    random: Math.random,
    log,
  })
  measure(door, metrics)
  return {
    async start() {
      door.start()
      return { port: undefined, tlsPort: undefined }
    },
    close: () => door.close(),
    checks: { mqtt_broker: () => door.checkReadiness() },
  }
}

function planOf(url: string, { settings, mqttBrokerPassword }: PlatformOptions): Omit<BrokerPlan, 'filters'> {
  const { host, port, isSecure } = brokerAddressOf(url)
  const read = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8'))
  return {
    host,
    port,
    tls: isSecure
      ? { ca: read(settings.mqttBrokerCaFile), cert: read(settings.mqttBrokerCertFile), key: read(settings.mqttBrokerKeyFile) }
      : undefined,
    protocolVersion: settings.mqttBrokerProtocol === '5' ? 5 : 4,
    clientId: settings.mqttBrokerClientId ?? `roadworthy-${hostname().replace(/[^A-Za-z0-9_-]/g, '-')}`,
    username: settings.mqttBrokerUsername,
    password: mqttBrokerPassword,
    sessionExpiryS: settings.mqttBrokerSessionS,
    receiveMaximum: settings.mqttBrokerMaxInFlight,
  }
}

function measure(door: BrokerDoor, { gauge }: Parts['metrics']): void {
  const { counters } = door
  gauge('fleet_mqtt_broker_connected', '1 while the platform is connected to MQTT_BROKER_URL.', () => (door.isConnected ? 1 : 0))
  gauge('fleet_mqtt_broker_reconnects', 'Connections to it that ended or failed.', () => door.reconnectCount)
  gauge('fleet_mqtt_broker_messages_taken', 'Messages acknowledged to it after their commit.', () => counters.messagesTaken)
  gauge('fleet_mqtt_broker_messages_unstored', 'Messages not acknowledged, because the store was away.', () => counters.messagesUnstored)
  gauge('fleet_mqtt_broker_messages_misplaced', 'Messages on topics of no device, thrown away.', () => counters.messagesMisplaced)
  gauge('fleet_mqtt_broker_reports_dropped', 'Error reports not sent, because it does not read.', () => counters.reportsDropped)
}

/** Where a broker of others asks who may come in, by path; nowhere without a secret to ask with. */
export function brokerAuthRoutes(
  { settings, mqttBrokerPassword, brokerAuthSecret: secret, log, now }: PlatformOptions,
  { database, directory }: Parts,
): Record<string, FastifyPluginAsyncTypebox> {
  if (secret === undefined) return {}
  const username = settings.mqttBrokerUsername
  const auth = createBrokerAuth({
    authenticateDevice: (attempt) => authenticateDevice(database, attempt, now()),
    findDevice: (resellerId, idOrImei) => directory.findDevice(resellerId, idOrImei),
    hasLapsed: (resellerId) => directory.hasLapsed(resellerId),
    platform: username === undefined || mqttBrokerPassword === undefined ? undefined : { username, password: mqttBrokerPassword },
    topicPrefix: settings.mqttTopicPrefix,
    now,
    log,
  })
  return { '/broker-auth/emqx': emqxRoutes({ auth, secret }), '/broker-auth/rabbitmq': rabbitRoutes({ auth, secret }) }
}
