// MQTT_BROKER_URL: readings through an external broker, which the platform joins as a client. The broker lets devices in and holds them to
// their topics; the sender is read from the topic. README.md describes what is acknowledged when.

import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { IngestBriefly } from '../../inbound.ts'
import { WarnedFields } from '../../warned-fields.ts'
import { type DecodedMessage, decodeMessage } from '../mqtt-embedded/decode.ts'
import { toErrorReport } from '../mqtt-embedded/error-report.ts'
import { defaultMqttLimits } from '../mqtt-embedded/limits.ts'
import { type OnUnread, type Publish, PublishQueue, type Settled, type Taken } from '../mqtt-embedded/publish-queue.ts'
import { type Sender, senderOf, topicsOf } from '../mqtt-embedded/topics.ts'
import type { Place } from './ack-line.ts'
import { Arrivals } from './arrivals.ts'
import type { BrokerConnection, BrokerPlan, Incoming } from './broker-connection.ts'
import { BrokerLink, type BrokerLog } from './broker-link.ts'

export type BrokerReceiverDeps = {
  /** `filters` are this receiver's own. */
  readonly plan: Omit<BrokerPlan, 'filters'>
  /** Processes that name the same group share the messages; undefined: this one gets all of them. */
  readonly shareGroup: string | undefined
  readonly topicPrefix: string
  readonly ingest: IngestBriefly
  /** Whether the subscription of a reseller has ended. Rejects when the store is away. */
  readonly hasLapsed: (resellerId: string) => boolean | Promise<boolean>
  readonly isStoreThere: () => Promise<boolean>
  readonly now: () => Date
  readonly random: () => number
  readonly log: BrokerLog
  /** Called with what a device sent that could not be read. */
  readonly onUnread?: OnUnread | undefined
}

/** What the receiver has done since it started. Only ever counts up. */
export type BrokerCounters = {
  messagesTaken: number
  /** Not acknowledged, because the store was away; they come again. */
  messagesUnstored: number
  /** On a topic that is no device's, or kept by the broker from before: acknowledged and thrown away. */
  messagesMisplaced: number
  recordsStored: number
  recordsRefused: number
  reportsDropped: number
}

export type BrokerReceiver = {
  /** Returns at once: a broker that is away is tried for as long as it takes. */
  start(): void
  /** Stops reading, lets commits under way be acknowledged, and leaves; the broker keeps the session. */
  close(): Promise<void>
  checkReadiness(): Promise<{ ok: boolean; detail: string }>
  /** The broker keeps the session and numbers its messages anew: what comes again can no longer be recognised by its packet id. */
  forgetPacketIds(): void
  readonly isConnected: boolean
  readonly reconnectCount: number
  readonly counters: Readonly<BrokerCounters>
}

const FAREWELL_MS = 300
/** Packet ids whose first arrival is remembered, for each message that may be under way. */
const REMEMBERED_PER_MESSAGE = 4

const subscriptionEnded = new Problem('subscription_required', 'The subscription of this reseller has ended; its readings are not taken.')

export function createBrokerReceiver(deps: BrokerReceiverDeps): BrokerReceiver {
  const { plan, topicPrefix, shareGroup } = deps
  const counters: BrokerCounters = {
    messagesTaken: 0,
    messagesUnstored: 0,
    messagesMisplaced: 0,
    recordsStored: 0,
    recordsRefused: 0,
    reportsDropped: 0,
  }
  const queue = new PublishQueue({
    ingest: deps.ingest,
    limits: defaultMqttLimits,
    onStoreAway: (error, publishCount) => {
      counters.messagesUnstored += publishCount
      deps.log.warn({ err: error, publishCount }, 'messages were not stored; they are not acknowledged and come again')
    },
  })
  const arrivals = new Arrivals(REMEMBERED_PER_MESSAGE * plan.receiveMaximum)
  const filter = `${topicPrefix}/+/devices/+/telemetry`
  const link = new BrokerLink({
    ...deps,
    plan: { ...plan, filters: [shareGroup === undefined ? filter : `$share/${shareGroup}/${filter}`] },
    onOpen: (sessionPresent) => {
      if (sessionPresent) return
      arrivals.forget()
      if (link.reconnectCount > 0) deps.log.warn({}, 'the MQTT broker has begun a new session: what it kept for this process is lost')
    },
    onMessage: (message, connection) => take(message, connection),
  })
  const take = createTaker({ ...deps, queue, arrivals, counters, warnedFields: new WarnedFields() })
  return {
    start: () => link.start(),
    async close() {
      link.connection?.pause()
      const stop = new AbortController()
      const { closeWaitMs } = defaultMqttLimits
      await Promise.race([queue.idle(), sleep(closeWaitMs, undefined, { signal: stop.signal }).catch(() => {})])
      stop.abort()
      await link.close(FAREWELL_MS)
    },
    async checkReadiness() {
      return link.trouble === undefined ? { ok: true, detail: 'connected' } : { ok: false, detail: link.trouble }
    },
    forgetPacketIds: () => arrivals.forget(),
    get isConnected() {
      return link.trouble === undefined
    },
    get reconnectCount() {
      return link.reconnectCount
    },
    counters,
  }
}

type TakerDeps = BrokerReceiverDeps & {
  readonly queue: PublishQueue
  readonly arrivals: Arrivals
  readonly counters: BrokerCounters
  readonly warnedFields: WarnedFields
}

/** What is done with each message, in the order they come. */
function createTaker(deps: TakerDeps): (message: Incoming, connection: BrokerConnection) => void {
  const { arrivals, counters, now } = deps
  const reader = new Reader(deps)
  return (message, connection) => {
    const place = connection.acks.add(message.packetId)
    const sender = message.isRetained ? undefined : senderOf(deps.topicPrefix, message.topic)
    if (sender === undefined) {
      counters.messagesMisplaced++
      deps.log.debug({ topic: message.topic, isRetained: message.isRetained }, 'a message that is no reading is thrown away')
      place.isDone = true
      connection.acks.release()
      return
    }
    const receivedAt = arrivals.receivedAt(message, now())
    const delivery = new Delivery({ ...deps, message, connection, place, sender, receivedAt, reader })
    const lapsed = deps.hasLapsed(sender.resellerId)
    if (lapsed instanceof Promise) void queueWhenKnown(delivery, lapsed, deps)
    else deps.queue.push(lapsed ? delivery.refused(subscriptionEnded) : delivery)
    reader.readOn(connection)
  }
}

async function queueWhenKnown(delivery: Delivery, lapsed: Promise<boolean>, { queue }: TakerDeps): Promise<void> {
  try {
    queue.push((await lapsed) ? delivery.refused(subscriptionEnded) : delivery)
  } catch (error) {
    delivery.settle(error as Error)
  }
}

/** Reads from the connection as long as there is room for what comes. */
class Reader {
  readonly #queue: PublishQueue
  readonly #maxUnacknowledged: number
  #connection: BrokerConnection | undefined
  readonly #onRoom = () => {
    if (this.#connection !== undefined) this.readOn(this.#connection)
  }

  constructor({ queue, plan }: Pick<TakerDeps, 'queue' | 'plan'>) {
    this.#queue = queue
    this.#maxUnacknowledged = plan.receiveMaximum
  }

  readOn(connection: BrokerConnection): void {
    this.#connection = connection
    const isFull = connection.acks.length >= this.#maxUnacknowledged || this.#queue.isFull(this.#onRoom)
    if (isFull) connection.pause()
    else connection.resume()
  }
}

type DeliveryDeps = TakerDeps & {
  readonly message: Incoming
  readonly connection: BrokerConnection
  readonly place: Place
  readonly sender: Sender
  readonly receivedAt: Date
  readonly reader: Reader
}

/** One message on its way to the store. */
class Delivery implements Publish, Settled {
  readonly payloadBytes: number
  readonly traceparent: string | undefined
  readonly #deps: DeliveryDeps
  #refusal: Problem | undefined

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
    this.payloadBytes = deps.message.payload.length
    this.traceparent = deps.message.traceparent
  }

  /** It goes through the queue all the same, so that it is acknowledged in its turn. */
  refused(problem: Problem): this {
    this.#refusal = problem
    return this
  }

  decode(): DecodedMessage {
    const { message, sender, receivedAt } = this.#deps
    if (this.#refusal !== undefined)
      return { inbound: [], frame: { indexes: [], refusals: [{ index: undefined, problem: this.#refusal }] } }
    return decodeMessage(message.payload, sender, defaultMqttLimits, receivedAt)
  }

  settle(result: Taken | Error): Settled {
    const { connection, place, counters } = this.#deps
    if (result instanceof Error) {
      connection.drop(`messages could not be stored: ${result.message}`)
      return this
    }
    place.isDone = true
    counters.messagesTaken++
    counters.recordsStored += result.storedCount
    counters.recordsRefused += result.refusals.length
    const [unread] = result.unread
    if (unread !== undefined && this.#refusal === undefined)
      this.#deps.onUnread?.(this.#deps.sender, this.#deps.message.payload, unread.problem)
    if (result.refusals.length > 0 || result.warned.length > 0) this.#report(result)
    return this
  }

  release(): void {
    const { connection, reader } = this.#deps
    try {
      connection.acks.release()
      if (!connection.acks.isEnded) reader.readOn(connection)
    } catch (error) {
      // A bug, of which nobody else's messages must hear: they are released after this one.
      connection.drop(`its messages could not be acknowledged: ${String(error)}`)
    }
  }

  /** To a device that is not there nothing is reported: whoever made the topic up could listen. */
  #report(taken: Taken): void {
    const { connection, sender, topicPrefix, counters, message, now, warnedFields } = this.#deps
    const { refusals } = taken
    if (refusals.some(({ problem }) => problem.code === 'device_not_found')) return
    const { deviceId } = sender
    const report = toErrorReport(taken, { messageId: undefined, deviceId, nowMs: now().getTime(), warnedFields })
    if (report === undefined) return
    const isSent = connection.publish(topicsOf(topicPrefix, sender).errors, JSON.stringify(report))
    if (!isSent) counters.reportsDropped++
    const codes = refusals.map(({ problem }) => problem.code)
    this.#deps.log.debug({ topic: message.topic, refusals: codes }, 'refused records and warnings were published to a device')
  }
}
