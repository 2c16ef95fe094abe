// Wires the message stream: the process that reads the topics of resellers, and what its routes need of it.

import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { resolveName } from '@roadworthy/service-kit/network/resolve-name'
import type { Database, DatabaseUrls } from '@roadworthy/service-kit/postgres/db'
import type { Notifications } from '@roadworthy/service-kit/postgres/notifications'
import type { Logger } from '@roadworthy/service-kit/telemetry/log'
import type { TraceOptions } from '@roadworthy/service-kit/telemetry/trace-settings'
import { hasServedConnectionsAcrossResellers } from '../streams/connections.sql.ts'
import type { StreamRoutesDeps } from '../streams/routes.platform-v1.ts'
import type { Metrics } from './http/metrics.ts'
import { childEnvironment } from './settings/settings.ts'
import { StreamProcess } from './stream-process.ts'

export type StreamParts = {
  readonly database: Database
  readonly notifications: Notifications
  readonly metrics: Metrics
}

export type StreamOptions = {
  readonly settings: {
    readonly streamAllowCidrs?: string | undefined
    readonly readingsMaxAgeDays: number
    readonly readingsMaxFutureS: number
    readonly logLevel: string
  }
  readonly databaseUrls: Pick<DatabaseUrls, 'app' | 'system' | 'direct' | 'isPooled'>
  readonly secretKey: string
  readonly tracing?: TraceOptions | undefined
  readonly log: Logger
}

export type Streams = {
  readonly routes: Pick<StreamRoutesDeps, 'guard' | 'testConnection'>
  readonly checkReadiness: StreamProcess['checkReadiness']
  start(): void
  stop(): Promise<void>
}

/** Reads from its start on where `isReading`; else the process is there for tests of connections only. */
export function createStreams(
  { settings, databaseUrls, secretKey, tracing, log }: StreamOptions,
  parts: StreamParts,
  { isReading }: { isReading: boolean },
): Streams {
  const { database, notifications, metrics } = parts
  const { streamAllowCidrs = '', readingsMaxAgeDays, readingsMaxFutureS, logLevel } = settings
  const { app, system, direct, isPooled } = databaseUrls
  const urls = { app, system, direct, isPooled }
  const receiver = new StreamProcess({
    configuration: {
      databaseUrls: urls,
      isReading,
      secretKey,
      streamAllowCidrs,
      readingsMaxAgeDays,
      readingsMaxFutureS,
      logLevel,
      tracing,
    },
    env: childEnvironment(),
    log,
    isNeeded: async () => isReading && (await hasServedConnectionsAcrossResellers(database.systemPool)),
    onConnectionChanged: (listener) => {
      const channels = ['stream_connection_changed', 'reseller_changed']
      const ends = channels.map((channel) => notifications.on(channel, listener, listener))
      return () => {
        for (const end of ends) end()
      }
    },
    addIngested: (counts) => metrics.addIngested('stream', counts),
    countDeadLetter: metrics.countDeadLetter,
  })
  metrics.gauge('fleet_kafka_consumer_lag', 'Messages of the partitions that this process reads, not settled yet.', () => {
    return receiver.lagMessageCount
  })
  metrics.gauge('fleet_stream_connected_consumers', 'Streams that this process is connected to.', () => receiver.connectedCount)
  return {
    routes: {
      guard: createAddressGuard({ allowCidrs: streamAllowCidrs, resolveName }),
      testConnection: (resellerId) => receiver.test(resellerId),
    },
    checkReadiness: () => receiver.checkReadiness(),
    start: () => receiver.start(),
    stop: () => receiver.stop(),
  }
}
