// The Kafka receiver: reads the topics of resellers that are served and whose connection is enabled, as a member of their groups. Several receivers
// divide the resellers among them. It runs in a process of its own (`main/stream-receiver.ts`), and every connection in a thread of its own.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Rounds, startRounds } from '@roadworthy/service-kit/pacing/rounds'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import { type SealedConnection, selectServedConnectionsAcrossResellers } from '../../../streams/connections.sql.ts'
import {
  deleteConsumer,
  deleteSilentConsumersAcrossResellers,
  type StreamConsumerStatus,
  upsertConsumer,
} from '../../../streams/consumers.sql.ts'
import { createOffsetStore } from '../../../streams/offset-store.ts'
import type { StreamSecrets } from '../../../streams/secrets.ts'
import { leaveStreams, releaseStreams, STREAM_LEASE_MS, takeShare } from '../../../streams/share-streams.ts'
import { selectStrike, upsertStrike } from '../../../streams/strikes.sql.ts'
import { nextStrike } from '../../../streams/strikes.ts'
import { type IsolatedConsumer, type IsolatedConsumerDeps, startIsolatedConsumer } from './isolated-consumer.ts'

/** Moves the leases on. A change is notified by the database at once; where that was missed, it is found after this. */
const LOOK_EVERY_MS = STREAM_LEASE_MS / 4
/** One goes on when the other is stopped, and a topic's partitions are divided among them. Assumption: no topic needs more processes than two. */
const READERS_PER_STREAM = 2
const STATUS_EVERY_MS = 3_000
/** A consumer that has reported nothing for this long is gone. */
const SILENT_MS = 60_000
/** Leaving a group waits for a broker that may be gone. The group then does without the member when its session is over. */
const STOP_BOUND_MS = 1_800

export type KafkaReceiverDeps = Omit<IsolatedConsumerDeps, 'offsets'> & {
  readonly database: Database
  readonly now: () => Date
  readonly openSecrets: (connection: SealedConnection) => StreamSecrets
  /** Receivers that read one stream together, where there are as many. */
  readonly readersPerStream?: number
  /** Calls back when a connection or the standing of a reseller has changed, or may have. Returns how to end that. */
  readonly onConnectionChanged: (listener: () => void) => () => void
}

type Running = { readonly resellerId: string; readonly revision: string; readonly consumer: IsolatedConsumer }

export class KafkaReceiver {
  readonly #deps: KafkaReceiverDeps
  readonly #receiverId = newId('rcv')
  readonly #running = new Map<string, Running>()
  readonly #stopping = new AbortController()
  readonly #stopped = new Promise<void>((resolve) => this.#stopping.signal.addEventListener('abort', () => resolve()))
  readonly #stopListening: () => void
  readonly #following: Promise<void>
  readonly #publishing: Rounds
  #wake = new AbortController()

  constructor(deps: KafkaReceiverDeps) {
    this.#deps = deps
    this.#stopListening = deps.onConnectionChanged(() => this.#wake.abort())
    this.#following = this.#followUntilStopped()
    this.#publishing = startRounds(
      () => this.#publish(),
      STATUS_EVERY_MS,
      (err) => deps.log.error({ err }, 'how streams are doing could not be written; it is tried again'),
    )
  }

  /** Of the partitions that this process holds. */
  lagMessageCount(): number {
    return this.#statuses().reduce((total, { lagMessageCount = 0 }) => total + lagMessageCount, 0)
  }

  threadCount(): number {
    return this.#running.size
  }

  connectedCount(): number {
    return this.#statuses().filter(({ state }) => state === 'running' || state === 'waiting').length
  }

  async stop(): Promise<void> {
    this.#stopListening()
    this.#stopping.abort()
    await Promise.all([this.#following, this.#publishing.stop()])
    await Promise.all(
      [...this.#running.values()].map((own) => this.#attempt('a stream could not be taken off the list', () => this.#leave(own))),
    )
    await this.#attempt('streams could not be released; others read them when the lease is over', () =>
      leaveStreams(this.#deps.database, this.#receiverId),
    )
  }

  #statuses(): StreamConsumerStatus[] {
    return [...this.#running.values()].flatMap(({ consumer }) => consumer.status() ?? [])
  }

  async #followUntilStopped(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      this.#wake = new AbortController()
      const woken = AbortSignal.any([signal, this.#wake.signal])
      await this.#attempt('connections of streams could not be looked at', () => this.#follow())
      await sleep(LOOK_EVERY_MS, undefined, { signal: woken }).catch(() => undefined)
    }
  }

  /** Reconciles the consumers with this receiver's share of the configured connections. */
  async #follow(): Promise<void> {
    const { database, now, readersPerStream = READERS_PER_STREAM } = this.#deps
    const connections = await selectServedConnectionsAcrossResellers(database.systemPool, now())
    const all = connections.map(({ resellerId }) => resellerId)
    const { held, surplus } = await takeShare(database, this.#receiverId, all, readersPerStream)
    const wanted = new Map(connections.flatMap((each) => (held.has(each.resellerId) ? [[each.resellerId, each]] : [])))
    const over = [...this.#running.values()].filter(({ resellerId, revision }) => wanted.get(resellerId)?.revision !== revision)
    await Promise.all(over.map((own) => this.#attempt('a stream could not be taken off the list', () => this.#leave(own))))
    if (surplus.length > 0) await releaseStreams(database, this.#receiverId, surplus)
    for (const connection of wanted.values()) {
      if (this.#stopping.signal.aborted) return
      // One whose secrets cannot be opened does not keep the others waiting.
      if (!this.#running.has(connection.resellerId))
        await this.#attempt('a stream could not be started', async () => this.#start(connection))
    }
  }

  async #start(sealed: SealedConnection): Promise<void> {
    const { secretsSealed: _, ...connection } = sealed
    const { resellerId, revision } = connection
    const deps = { ...this.#deps, offsets: createOffsetStore(this.#deps.database, resellerId) }
    const own: Running = { resellerId, revision, consumer: startIsolatedConsumer(deps, connection, this.#deps.openSecrets(sealed)) }
    this.#running.set(resellerId, own)
    void own.consumer.ended.then((reason) => {
      if (reason !== undefined) return this.#attempt('a strike could not be written', () => this.#strike(own, reason))
    })
    await Promise.race([own.consumer.begun, this.#stopped])
  }

  /** Its broker has ended it: it is left out for a while, here and in every other process. */
  async #strike(own: Running, reason: string): Promise<void> {
    const { database, log, now } = this.#deps
    const { resellerId, revision } = own
    const db = database.tenantPool(resellerId)
    try {
      const struck = nextStrike(await selectStrike(db, resellerId), { revision, reason }, now())
      const { strikeCount, leftOutUntil } = struck
      log.error({ resellerId, strikeCount, leftOutUntil }, `a stream is left out: ${reason}`)
      await upsertStrike(db, resellerId, struck)
    } finally {
      await this.#leave(own)
    }
  }

  async #leave(own: Running): Promise<void> {
    const { resellerId, consumer } = own
    if (this.#running.get(resellerId) === own) this.#running.delete(resellerId)
    const consumerId = consumer.status()?.consumerId
    await consumer.stop(STOP_BOUND_MS)
    if (consumerId !== undefined) await deleteConsumer(this.#deps.database.tenantPool(resellerId), resellerId, consumerId)
  }

  async #publish(): Promise<number> {
    const { database, now } = this.#deps
    for (const { resellerId, consumer } of this.#running.values()) {
      const status = consumer.status()
      const write = async () => status && (await upsertConsumer(database.tenantPool(resellerId), resellerId, status))
      // The text of a broker may be one that cannot be stored; it is not to keep the status of the others from being written.
      await this.#attempt('how a stream is doing could not be written', write)
    }
    if (this.#running.size > 0) await deleteSilentConsumersAcrossResellers(database.systemPool, new Date(now().getTime() - SILENT_MS))
    return STATUS_EVERY_MS
  }

  async #attempt(what: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run()
    } catch (err) {
      this.#deps.log.error({ err }, `${what}; it is tried again`)
    }
  }
}
