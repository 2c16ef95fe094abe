// Wires the message stream: the door that reads the topics of resellers, and what its routes need.

import { type AddressGuard, createAddressGuard } from '@roadworthy/service-kit/address-guard'
import type { Database } from '@roadworthy/service-kit/db'
import type { Logger } from '@roadworthy/service-kit/log'
import type { Notifications } from '@roadworthy/service-kit/notifications'
import { resolveName } from '@roadworthy/service-kit/resolve-name'
import { createSealer } from '@roadworthy/service-kit/sealed'
import { judgeSample } from '../ingest/doors/stream/judge-sample.ts'
import { type StreamDoor, startStreamDoor } from '../ingest/doors/stream/stream-door.ts'
import type { Ingest } from '../ingest/inbound.ts'
import type { TimeWindow } from '../ingest/normalize.ts'
import type { FleetDirectory } from '../ingest/resolve.ts'
import type { StreamRoutesDeps } from '../streams/routes.platform-v1.ts'
import { openStreamSecrets, STREAM_SECRETS } from '../streams/secrets.ts'
import { toKafkaConnection } from '../streams/stream-connection.ts'
import type { Metrics } from './metrics.ts'

type StreamRouteNeeds = Pick<StreamRoutesDeps, 'guard' | 'judgeSample'>

export type StreamParts = {
  readonly database: Database
  readonly notifications: Notifications
  readonly directory: FleetDirectory
  readonly window: TimeWindow
  readonly pipeline: { readonly ingest: Ingest }
  readonly metrics: Metrics
}

export type StreamOptions = {
  readonly settings: { readonly streamAllowCidrs?: string | undefined }
  readonly secretKey: string
  readonly log: Logger
  readonly now: () => Date
}

/** What the routes need of it beside what every slice has. */
export function prepareStreamRoutes({ settings, now }: StreamOptions, { directory, window }: StreamParts): StreamRouteNeeds {
  return {
    guard: createAddressGuard({ allowCidrs: settings.streamAllowCidrs ?? '', resolveName }),
    judgeSample: (resellerId, message) => judgeSample({ directory, window, now }, resellerId, message),
  }
}

/** Reads from here on. */
export function startStreams(options: StreamOptions, parts: StreamParts, guard: AddressGuard): StreamDoor {
  const door = openDoor(options, parts, guard)
  const { metrics } = parts
  metrics.gauge('fleet_stream_lag_messages', 'Messages of the partitions that this process reads, not settled yet.', door.lagMessageCount)
  metrics.gauge('fleet_stream_connected_consumers', 'Streams that this process is connected to.', door.connectedCount)
  return door
}

function openDoor({ secretKey, log, now }: StreamOptions, parts: StreamParts, guard: AddressGuard): StreamDoor {
  const { database, notifications, window, pipeline, metrics } = parts
  const sealer = createSealer(secretKey, STREAM_SECRETS)
  return startStreamDoor({
    database,
    ingest: metrics.countIngest('stream', pipeline.ingest),
    maxAheadMs: window.maxAheadMs,
    now,
    random: Math.random,
    log,
    countDeadLetter: metrics.countDeadLetter,
    toKafka: (connection) =>
      toKafkaConnection(connection, openStreamSecrets(sealer, connection.resellerId, connection.secretsSealed), guard),
    onConnectionChanged: (listener) => {
      const channels = ['stream_connection_changed', 'reseller_changed']
      const ends = channels.map((channel) => notifications.on(channel, listener, listener))
      return () => {
        for (const end of ends) end()
      }
    },
  })
}
