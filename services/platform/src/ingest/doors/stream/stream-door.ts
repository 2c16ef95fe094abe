// The third door: every process reads the topics of all resellers that are served and whose connection is enabled, as a member of their groups.

import { setTimeout as sleep } from 'node:timers/promises'
import type { KafkaConnection } from '@roadworthy/message-stream/kafka-client'
import { startRounds } from '@roadworthy/service-kit/rounds'
import { type SealedConnection, selectServedConnectionsAcrossResellers } from '../../../streams/connections.sql.ts'
import { deleteConsumer, deleteSilentConsumersAcrossResellers, upsertConsumer } from '../../../streams/consumers.sql.ts'
import type { StreamConsumer, StreamConsumerDeps } from './stream-consumer.ts'

/** A change is told by the database at once; where that was missed, it is found after this. */
const LOOK_EVERY_MS = 15_000
const STATUS_EVERY_MS = 3_000
/** A consumer that has said nothing for this long is gone. */
const SILENT_MS = 60_000
/** Leaving a group waits for a broker that may be gone. The group then does without the member when its session is over. */
const STOP_BOUND_MS = 2_500

export type StreamDoorDeps = StreamConsumerDeps & {
  /** With its secrets opened. */
  readonly toKafka: (connection: SealedConnection) => KafkaConnection
  /** Calls back when a connection or the standing of a reseller has changed, or may have. Returns how to end that. */
  readonly onConnectionChanged: (listener: () => void) => () => void
}

export type StreamDoor = {
  /** Of the partitions that this process holds. */
  readonly lagMessageCount: () => number
  readonly connectedCount: () => number
  stop(): Promise<void>
}

type Running = { readonly resellerId: string; readonly revision: string; readonly consumer: StreamConsumer }

export function startStreamDoor(deps: StreamDoorDeps): StreamDoor {
  const { database, log, now } = deps
  const running = new Map<string, Running>()
  const stopping = new AbortController()
  const { signal } = stopping
  let wake = new AbortController()

  const start = async (connection: SealedConnection) => {
    const { resellerId, revision } = connection
    // The client library costs 15 MB, which nobody pays who has no stream.
    const { startStreamConsumer } = await import('./stream-consumer.ts')
    if (!signal.aborted)
      running.set(resellerId, { resellerId, revision, consumer: startStreamConsumer(deps, connection, deps.toKafka(connection)) })
  }
  const leave = async ({ resellerId, consumer }: Running) => {
    running.delete(resellerId)
    const { consumerId } = consumer.status()
    await Promise.race([consumer.stop(), sleep(STOP_BOUND_MS, undefined, { ref: false })])
    await deleteConsumer(database.tenantPool(resellerId), resellerId, consumerId)
  }
  /** Starts, ends and begins anew what the connections say. */
  const follow = async () => {
    const wanted = new Map((await selectServedConnectionsAcrossResellers(database.systemPool)).map((each) => [each.resellerId, each]))
    const over = [...running.values()].filter(({ resellerId, revision }) => wanted.get(resellerId)?.revision !== revision)
    await Promise.all(over.map(leave))
    for (const connection of wanted.values()) if (!running.has(connection.resellerId)) await start(connection)
  }
  const tell = async () => {
    for (const { resellerId, consumer } of running.values())
      await upsertConsumer(database.tenantPool(resellerId), resellerId, consumer.status())
    if (running.size > 0) await deleteSilentConsumersAcrossResellers(database.systemPool, new Date(now().getTime() - SILENT_MS))
    return STATUS_EVERY_MS
  }
  const attempt = async (what: string, run: () => Promise<void>) => {
    try {
      await run()
    } catch (err) {
      log.error({ err }, `${what}; it is tried again`)
    }
  }
  const followUntilStopped = async () => {
    while (!signal.aborted) {
      wake = new AbortController()
      await attempt('connections of streams could not be looked at', follow)
      await sleep(LOOK_EVERY_MS, undefined, { signal: AbortSignal.any([signal, wake.signal]) }).catch(() => undefined)
    }
  }
  const stopListening = deps.onConnectionChanged(() => wake.abort())
  const following = followUntilStopped()
  const telling = startRounds(tell, STATUS_EVERY_MS, (err) =>
    log.error({ err }, 'how streams are doing could not be written; it is tried again'),
  )
  const statuses = () => [...running.values()].map(({ consumer }) => consumer.status())

  return {
    lagMessageCount: () => statuses().reduce((total, { lagMessageCount = 0 }) => total + lagMessageCount, 0),
    connectedCount: () => statuses().filter(({ state }) => state === 'running' || state === 'waiting').length,
    stop: async () => {
      stopListening()
      stopping.abort()
      await Promise.all([following, telling.stop()])
      await Promise.all([...running.values()].map((each) => attempt('a stream could not be taken off the list', () => leave(each))))
    },
  }
}
