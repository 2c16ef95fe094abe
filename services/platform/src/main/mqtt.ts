// Which MQTT receiver is open: the embedded broker, or an external broker that the platform joins.

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { startRounds } from '@roadworthy/service-kit/pacing/rounds'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { authenticateDevice, findOutdatedDevices } from '../devices/authenticate-device.ts'
import { BROKER_PASSWORDS, type BrokerAccounts, createBrokerAccounts } from '../devices/broker-accounts.ts'
import { DeviceLogins } from '../devices/device-logins.ts'
import { noteUnreadMessage } from '../ingest/note-messages.ts'
import { createMqttReceiver } from '../ingest/receivers/mqtt-embedded/mqtt-receiver.ts'
import type { OnUnread } from '../ingest/receivers/mqtt-embedded/publish-queue.ts'
import { createBrokerAuth } from '../ingest/receivers/mqtt-external/broker-auth.ts'
import type { BrokerPlan } from '../ingest/receivers/mqtt-external/broker-connection.ts'
import { type BrokerReceiver, createBrokerReceiver } from '../ingest/receivers/mqtt-external/broker-receiver.ts'
import { DynamicSecurity } from '../ingest/receivers/mqtt-external/dynamic-security.ts'
import { emqxRoutes } from '../ingest/receivers/mqtt-external/emqx.routes.ts'
import { AccountKeeper } from '../ingest/receivers/mqtt-external/keep-accounts.ts'
import { rabbitRoutes } from '../ingest/receivers/mqtt-external/rabbitmq.routes.ts'
import { SessionTakeover } from '../ingest/receivers/mqtt-external/session-takeover.ts'
import type { LiveConnections } from '../presence/live-connections.ts'
import type { ReadinessCheck } from './http/build-http.ts'
import type { IngestParts } from './ingest-parts.ts'
import { brokerAddressOf } from './settings/broker-settings.ts'
import type { PlatformOptions, SharedParts } from './shared-parts.ts'

const ACCOUNTS_RETRY_MS = 1_000
const FAREWELL_MS = 300

export type Mqtt = {
  /** The ports of our own broker, where there is one. */
  start(): Promise<{ port: number | undefined; tlsPort: number | undefined }>
  close(): Promise<void>
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  /** An external broker begins to number its messages anew. */
  forgetPacketIds(): void
}

type Parts = SharedParts & IngestParts & { readonly connections: LiveConnections }

export function createMqtt(options: PlatformOptions, parts: Parts): Mqtt {
  const { mqttBrokerUrl } = options.settings
  return mqttBrokerUrl === undefined ? createOwnBroker(options, parts) : joinBroker(mqttBrokerUrl, options, parts)
}

function createOwnBroker(
  { settings, log, now }: PlatformOptions,
  { signInDatabase, notifications, pipeline, recorder, metrics, connections }: Parts,
): Mqtt {
  const { mqttTlsCertFile, mqttTlsKeyFile } = settings
  const logins = new DeviceLogins(signInDatabase)
  const receiver = createMqttReceiver({
    ingest: metrics.countIngest('mqtt', pipeline.ingestBriefly),
    authenticateDevice: (attempt) => authenticateDevice(logins, attempt, now()),
    onAccessChanged: async (onChange, onGap) => {
      const stopListening = notifications.on('device_access_changed', onChange, onGap)
      await notifications.whenListening()
      return stopListening
    },
    findOutdatedDevices: (signedIn) => findOutdatedDevices(signInDatabase, signedIn),
    onConnected: (device) => connections.open(device),
    onUnread: noteUnread(recorder, now),
    topicPrefix: settings.mqttTopicPrefix,
    host: settings.host,
    port: settings.mqttPort,
    tls:
      mqttTlsCertFile === undefined || mqttTlsKeyFile === undefined
        ? undefined
        : {
            ...{
              host: settings.mqttTlsHost,
              port: settings.mqttTlsPort,
              cert: readFileSync(mqttTlsCertFile),
              key: readFileSync(mqttTlsKeyFile),
            },
            readAgain: async () => ({ cert: await readFile(mqttTlsCertFile), key: await readFile(mqttTlsKeyFile) }),
          },
    now,
    log,
  })
  metrics.gauge('fleet_mqtt_connected_clients', 'Devices connected to the embedded broker.', () => receiver.connectedCount)
  metrics.counter('fleet_mqtt_auth_failures_total', 'Connections that the embedded broker refused for who they said they are.', () => {
    return receiver.counters.signInsRefused
  })
  return { start: () => receiver.start(), close: () => receiver.close(), checks: {}, forgetPacketIds: () => {} }
}

function joinBroker(url: string, options: PlatformOptions, parts: Parts): Mqtt {
  const { database, directory, pipeline, recorder, metrics } = parts
  const { settings, log, now } = options
  const receiver = createBrokerReceiver({
    plan: planOf(url, options),
    shareGroup: settings.mqttBrokerShareGroup === 'none' ? undefined : settings.mqttBrokerShareGroup,
    topicPrefix: settings.mqttTopicPrefix,
    ingest: metrics.countIngest('mqtt', pipeline.ingestBriefly),
    hasLapsed: (resellerId) => directory.hasLapsed(resellerId),
    isStoreThere: () => database.ping(),
    now,
    random: Math.random,
    log,
    onUnread: noteUnread(recorder, now),
  })
  measure(receiver, metrics)
  const isAsked = options.brokerAuthSecret !== undefined && !settings.mqttBrokerDynamicSecurity
  const takeover = isAsked ? endSessions(url, options, parts) : undefined
  return {
    async start() {
      receiver.start()
      takeover?.start()
      return { port: undefined, tlsPort: undefined }
    },
    close: async () => void (await Promise.all([receiver.close(), takeover?.close()])),
    forgetPacketIds: () => receiver.forgetPacketIds(),
    checks: { mqtt_broker: () => receiver.checkReadiness() },
  }
}

function noteUnread(recorder: Parts['recorder'], now: () => Date): OnUnread {
  return (sender, payload, problem) => noteUnreadMessage(recorder, sender, payload, problem, now().getTime())
}

/** What writes down which accounts devices are to have at the broker, where the platform keeps them. */
export function brokerAccountsOf({ settings, secretKey }: PlatformOptions): BrokerAccounts | undefined {
  return settings.mqttBrokerDynamicSecurity ? createBrokerAccounts(createSealer(secretKey, BROKER_PASSWORDS)) : undefined
}

/** Of a worker: makes them so, where the platform keeps them. Whichever worker has claimed a change makes it. */
export function startAccountKeeping(
  options: PlatformOptions,
  { database, metrics }: SharedParts,
): Pick<Mqtt, 'close' | 'checks'> | undefined {
  const { settings, secretKey, log, now } = options
  const { mqttBrokerUrl: url } = settings
  if (url === undefined || !settings.mqttBrokerDynamicSecurity) return undefined
  const plan = planOf(url, options)
  const dynamicSecurity = new DynamicSecurity({
    plan: { ...plan, clientId: `${plan.clientId}-accounts` },
    isStoreThere: () => database.ping(),
    random: Math.random,
    log,
  })
  const sealer = createSealer(secretKey, BROKER_PASSWORDS)
  const keeper = new AccountKeeper({ database, dynamicSecurity, sealer, topicPrefix: settings.mqttTopicPrefix, now, log })
  metrics.gauge('fleet_mqtt_broker_account_changes', 'Changes of accounts that wait for the broker.', () => keeper.waitingCount)
  metrics.gauge(
    'fleet_mqtt_broker_missing_accounts',
    'Living devices that had no account there when it was joined.',
    () => keeper.missingCount,
  )
  dynamicSecurity.start()
  const rounds = startRounds(
    () => keeper.round(),
    ACCOUNTS_RETRY_MS,
    (err) => log.error({ err }, 'accounts at the MQTT broker could not be looked after; it is tried again'),
  )
  return {
    async close() {
      // A round that waits for an answer ends with the connection.
      const stopped = rounds.stop()
      await dynamicSecurity.close(FAREWELL_MS)
      await stopped
    },
    checks: { mqtt_accounts: () => keeper.checkReadiness() },
  }
}

/**
 * Ends the session of a device that has lost its access or its password, at a broker that asks us. What is not heard of while notifications are
 * lost goes on until the broker asks again; the readings are refused meanwhile.
 */
function endSessions(url: string, options: PlatformOptions, { notifications }: SharedParts): Pick<Mqtt, 'close'> & { start(): void } {
  const takeover = new SessionTakeover({ plan: planOf(url, options), random: Math.random, log: options.log })
  let stopListening = () => {}
  return {
    start() {
      stopListening = notifications.on(
        'device_access_changed',
        (deviceId) => takeover.end(deviceId),
        () => {},
      )
    },
    async close() {
      stopListening()
      await takeover.close()
    },
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

function measure(receiver: BrokerReceiver, { gauge }: Parts['metrics']): void {
  const { counters } = receiver
  gauge('fleet_mqtt_broker_connected', '1 while the platform is connected to MQTT_BROKER_URL.', () => (receiver.isConnected ? 1 : 0))
  gauge('fleet_mqtt_broker_reconnects', 'Connections to it that ended or failed.', () => receiver.reconnectCount)
  gauge('fleet_mqtt_broker_messages_taken', 'Messages acknowledged to it after their commit.', () => counters.messagesTaken)
  gauge('fleet_mqtt_broker_messages_unstored', 'Messages not acknowledged, because the store was away.', () => counters.messagesUnstored)
  gauge('fleet_mqtt_broker_messages_misplaced', 'Messages on topics of no device, thrown away.', () => counters.messagesMisplaced)
  gauge('fleet_mqtt_broker_reports_dropped', 'Error reports not sent, because it does not read.', () => counters.reportsDropped)
}

/** Where an external broker asks who may come in, by path; nowhere without a secret to ask with. */
export function brokerAuthRoutes(
  { settings, mqttBrokerPassword, brokerAuthSecret: secret, log, now }: PlatformOptions,
  { signInDatabase, directory }: SharedParts & IngestParts,
  mqtt: Pick<Mqtt, 'forgetPacketIds'>,
): Record<string, FastifyPluginAsyncTypebox> {
  if (secret === undefined) return {}
  const username = settings.mqttBrokerUsername
  const logins = new DeviceLogins(signInDatabase)
  const auth = createBrokerAuth({
    authenticateDevice: (attempt) => authenticateDevice(logins, attempt, now()),
    findDevice: (resellerId, idOrImei) => directory.findDevice(resellerId, idOrImei),
    hasLapsed: (resellerId) => directory.hasLapsed(resellerId),
    platform: username === undefined || mqttBrokerPassword === undefined ? undefined : { username, password: mqttBrokerPassword },
    topicPrefix: settings.mqttTopicPrefix,
    now,
    log,
  })
  return {
    '/broker-auth/emqx': emqxRoutes({ auth, secret }),
    '/broker-auth/rabbitmq': rabbitRoutes({ auth, secret, onPlatform: () => mqtt.forgetPacketIds() }),
  }
}
