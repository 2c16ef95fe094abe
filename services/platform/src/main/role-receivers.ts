// The role `receivers`: readings by REST, MQTT and Kafka, and what they are resolved and limited by.

import { startRounds } from '@roadworthy/service-kit/pacing/rounds'
import { LiveConnections } from '../presence/live-connections.ts'
import type { ReadinessCheck } from './http/build-http.ts'
import { createIngestParts, startRecorder } from './ingest-parts.ts'
import { brokerAuthRoutes, createMqtt } from './mqtt.ts'
import type { Part } from './part.ts'
import { startConnectionRecord } from './presence.ts'
import type { PlatformOptions, SharedParts } from './shared-parts.ts'
import { createStreams, type Streams } from './streams.ts'

/** Within which a limit acts in every process, and the readings of other processes are known. */
const READING_LIMITS_EVERY_MS = 1_000

export type ReceiverParts = ReturnType<typeof createReceivers>

/** Nothing is received before `start`. */
export function createReceivers(options: PlatformOptions, shared: SharedParts) {
  const { settings, log, now } = options
  const { database, notifications, metrics } = shared
  const parts = createIngestParts({ database, notifications, settings, now, log })
  const connections = new LiveConnections(() => performance.now())
  const mqtt = createMqtt(options, { ...shared, ...parts, connections })
  const streams = createStreams(options, shared, { isReading: true })
  metrics.gauge('fleet_ingest_queued_readings', 'Readings accepted and not yet committed.', () => parts.pipeline.queuedCount())
  return {
    ...parts,
    streams: streams.routes,
    ingest: metrics.countIngest('rest', parts.pipeline.ingest),
    besideSurfaces: brokerAuthRoutes(options, { ...shared, ...parts }, mqtt),
    checks: checksOf(mqtt.checks, streams),
    fleetChanged: (resellerId: string) => parts.directory.forget(resellerId),
    /** What runs beside the receivers. Before anything is received: limits are known when the first reading comes. */
    startBeside: async (): Promise<Part[]> => {
      await parts.readingLimits.refresh()
      const refresh = async () => {
        await parts.readingLimits.refresh()
        return READING_LIMITS_EVERY_MS
      }
      const onError = (err: unknown) => log.error({ err }, 'limits on readings could not be read; the last known ones hold')
      const limits = startRounds(refresh, READING_LIMITS_EVERY_MS, onError)
      streams.start()
      const recording = startRecorder(parts.recorder, { notifications, log })
      return [
        { name: 'streams', stop: () => streams.stop() },
        { name: 'reading limits', stop: () => limits.stop() },
        { name: 'messages', stop: () => recording.stop() },
        { name: 'MQTT', stop: () => mqtt.close() },
      ]
    },
    startMqtt: () => mqtt.start(),
    /** Once devices can connect. */
    startPresence: (): Part => {
      const record = startConnectionRecord(options, { database, connections })
      return { name: 'presence', stop: () => record.stop() }
    },
  }
}

function checksOf(ofMqtt: Readonly<Record<string, ReadinessCheck>>, streams: Streams): Readonly<Record<string, ReadinessCheck>> {
  return { streams: () => streams.checkReadiness(), ...ofMqtt }
}
