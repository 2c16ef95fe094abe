// The embedded broker: Aedes with the rules of DECISIONS as its hooks. README.md explains why each rule is where it is; in short, Aedes
// acknowledges after `authorizePublish` and before anything later, so the durable write happens there and nowhere else.

import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { ProblemCode } from '@roadworthy/service-kit/http/problem'
import { SteadyRate } from '@roadworthy/service-kit/pacing/steady-rate'
import { Aedes, type AuthenticateError, type Client, type PublishPacket, type Subscription } from 'aedes'
import { writeToStream } from 'mqtt-packet'
import { sha256 } from '../../../devices/credentials.ts'
import type { IngestBriefly } from '../../inbound.ts'
import { WarnedFields } from '../../warned-fields.ts'
import type { MqttCounters } from './counters.ts'
import { toErrorReport } from './error-report.ts'
import { FailureBan } from './failure-ban.ts'
import { type GuardedReads, guardReads } from './framing-guard.ts'
import type { MqttLimits } from './limits.ts'
import { OwnPublishes } from './own-publishes.ts'
import { PublishLine, withOwnMemory } from './publish-line.ts'
import { type OnUnread, PublishQueue, type Taken } from './publish-queue.ts'
import { type BrokenRule, brokenByPublish, brokenBySubscription, type Identified, lacksPacketId, mayReceive, problemOf } from './rules.ts'
import { type DeviceIdentity, Session, Sessions } from './sessions.ts'
import { type Attempt, type AuthenticateDevice, checkCredentials, connackCodes, judgeAttempt, type SignInRefusal } from './sign-in.ts'
import { topicsOf } from './topics.ts'
import { watchSilence } from './watch-silence.ts'

const S_PER_MINUTE = 60

// The package would keep a buffer for each number of two bytes: 65,536 objects, 8 MB of heap. PUBACKs are written by `publish-line.ts`.
writeToStream.cacheNumbers = false

export type MqttLog = Record<'debug' | 'info' | 'warn' | 'error', (about: object, message: string) => void>

export type BrokerDeps = {
  readonly ingest: IngestBriefly
  readonly authenticateDevice: AuthenticateDevice
  readonly topicPrefix: string
  readonly limits: MqttLimits
  readonly now: () => Date
  readonly log: MqttLog
  readonly counters: MqttCounters
  /** Called with what a device sent that could not be read. */
  readonly onUnread?: OnUnread | undefined
  /** A device has had its CONNACK; what it answers is called once the connection is closed. */
  readonly onConnected: (device: DeviceIdentity) => () => void
}

/** CONNACK of MQTT 5 (§3.2): no session, reason code 0x84 "Unsupported Protocol Version", no properties. */
const UNSUPPORTED_VERSION = Buffer.from([0x20, 0x03, 0x00, 0x84, 0x00])

/** Refusals that are about the sender and not about the content. */
const SENDER_REFUSED: ReadonlySet<ProblemCode> = new Set(['device_not_found', 'device_suspended'])

/**
 * Routes nothing. A device's publish ends in the store, and the only thing sent to a device goes straight to its own connection, so one
 * client that does not read cannot hold up another through a shared queue. `$SYS` messages have no reader here either.
 */
class StoringAedes extends Aedes {
  override publish(_packet: PublishPacket, clientOrDone: Client | null | ((error?: Error) => void), done?: (error?: Error) => void): void {
    const proceed = typeof clientOrDone === 'function' ? clientOrDone : done
    proceed?.()
  }
}

/** One socket as the broker sees it. `connect` holds the client's CONNECT, `session` is there once that names a device. */
type Connection = {
  readonly socket: Socket
  readonly line: PublishLine
  readonly reads: GuardedReads
  connect: { readonly clientId: string; readonly hasWill: boolean; readonly keepaliveS: number } | undefined
  session: Session | undefined
  /** Ends the connection of a device that is silent. */
  silence: NodeJS.Timeout | undefined
}

type Published = Pick<PublishPacket, 'topic' | 'payload' | 'qos' | 'messageId' | 'retain'> & Identified

/** As Aedes closes a connection by itself. */
function closeFor(client: Client, error: Error | null | undefined): void {
  if (error) client.emit('error', error)
}

export class DeviceBroker {
  readonly sessions = new Sessions()
  readonly queue: PublishQueue
  readonly #deps: BrokerDeps
  readonly #aedes: StoringAedes
  readonly #connections = new WeakMap<Client, Connection>()
  readonly #ban: FailureBan
  readonly #publishRate: SteadyRate
  readonly #open = new Set<Connection>()
  #connectionsSoFar = 0
  readonly #warnedFields = new WarnedFields()
  #connectedCount = 0
  #draining = false

  constructor(deps: BrokerDeps) {
    const { limits, log, counters } = deps
    this.#deps = deps
    this.#ban = new FailureBan(limits.maxFailedSignIns, limits.banMs)
    this.#publishRate = new SteadyRate({
      perMinute: limits.maxPublishesPerSecond * S_PER_MINUTE,
      burst: limits.publishBurst,
      maxNames: limits.maxConnections,
    })
    this.queue = new PublishQueue({
      ingest: deps.ingest,
      limits,
      onStoreAway: (error, publishCount) => {
        counters.publishesUnstored += publishCount
        log.warn({ err: error, publishCount }, 'publishes were not stored; their connections are closed unacknowledged')
      },
    })
    this.#aedes = new StoringAedes({
      concurrency: 1_000,
      connectTimeout: limits.connectTimeoutMs,
      drainTimeout: limits.drainTimeoutMs,
      maxTopicLevels: limits.maxTopicLevels + deps.topicPrefix.split('/').length - 1,
      preConnect: (client, packet, done) => this.#preConnect(client, packet, done),
      authenticate: (client, username, password, done) => this.#authenticate(client, username, password, done),
      authorizePublish: (client, packet, done) => this.#authorizePublish(client, withOwnMemory(packet), done),
      authorizeSubscribe: (client, subscription, done) => this.#authorizeSubscribe(client, subscription, done),
      authorizeForward: (client, packet) => (mayReceive(this.#sessionOf(client), packet.topic) ? packet : null),
    })
    this.#aedes.on('clientReady', (client) => this.#welcome(client))
    this.#aedes.on('subscribe', (subscriptions, client) => {
      for (const { topic } of subscriptions) this.#sessionOf(client)?.subscribed.add(topic)
    })
    this.#aedes.on('unsubscribe', (topics, client) => {
      for (const topic of topics) this.#sessionOf(client)?.subscribed.delete(topic)
    })
    this.#aedes.on('clientError', (client, error) =>
      log.debug({ ...this.#nameOf(client), reason: error.message }, 'MQTT connection closed'),
    )
    this.#aedes.on('connectionError', (_client, error) => log.debug({ reason: error.message }, 'MQTT connection closed before sign-in'))
    const events: EventEmitter = this.#aedes
    events.on('error', (error: Error) => log.error({ err: error }, 'MQTT broker error'))
  }

  /** Devices that have had their CONNACK and are still there. */
  get connectedCount(): number {
    return this.#connectedCount
  }

  listen(): Promise<void> {
    return this.#aedes.listen()
  }

  /** Nobody new signs in and nothing more is read; publishes under way go on. */
  drain(): void {
    this.#draining = true
  }

  /** Ends every connection behind what was written to it. One that is cut with unread bytes loses its last acknowledgements (RST). */
  sayFarewell(): void {
    for (const { socket, reads } of this.#open) {
      reads.discard()
      socket.end()
    }
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#aedes.close(() => resolve()))
    for (const { socket } of this.#open) socket.destroy()
  }

  handle(socket: Socket): void {
    const { limits, counters, log } = this.#deps
    const reads = guardReads(socket, {
      maxBytesBeforeConnect: limits.maxBytesBeforeConnect,
      mayRead: () => !this.#draining && line.mayRead(),
      onRead: () => connection.silence?.refresh(),
      onViolation: (violation) => {
        counters.framingViolations++
        log.debug({ violation, address: socket.remoteAddress }, 'MQTT connection closed by the framing guard')
      },
    })
    const line = new PublishLine({
      queue: this.queue,
      limits,
      now: this.#deps.now,
      socket,
      readAgain: reads.readAgain,
      onFailed: (error) => {
        log.error({ err: error, ...this.#nameOf(client) }, 'publishes could not be acknowledged; the connection is closed')
        socket.destroy()
      },
      onTaken: (packet, taken) => {
        const { storedCount, refusals, warned } = taken
        counters.publishesAccepted++
        counters.recordsStored += storedCount
        counters.recordsRefused += refusals.length
        if (refusals.length === 0 && warned.length === 0) return
        this.#report(client, packet.messageId, taken)
        this.#noteUnread(client, packet.payload, taken)
        // The store knows better than a session that outlived its device, should the message about it have been lost.
        if (refusals.some(({ problem }) => SENDER_REFUSED.has(problem.code))) setImmediate(() => client.close())
      },
    })
    const client = this.#aedes.handle(socket)
    const connection: Connection = { socket, line, reads, connect: undefined, session: undefined, silence: undefined }
    this.#connections.set(client, connection)
    this.#open.add(connection)
    socket.once('close', () => {
      this.#open.delete(connection)
      clearTimeout(connection.silence)
      if (connection.session === undefined) return
      connection.session.forgetEnd()
      this.sessions.delete(connection.session)
    })
  }

  #welcome(client: Client): void {
    const connection = this.#connections.get(client)
    if (connection === undefined || connection.socket.destroyed) return
    this.#connectedCount++
    const identity = connection.session?.identity
    const onClosed = identity === undefined ? undefined : this.#deps.onConnected(identity)
    connection.socket.once('close', () => {
      this.#connectedCount--
      onClosed?.()
    })
    const keepaliveS = connection.connect?.keepaliveS ?? this.#deps.limits.maxKeepaliveS
    connection.silence = watchSilence(
      keepaliveS,
      () => this.#draining || !connection.line.mayRead(),
      () => closeFor(client, new Error('keep alive timeout')),
    )
    // A publish may be the longest payload on the longest topic: its two length bytes, its packet id, and 1 KiB for the name.
    const maxLength = this.#deps.limits.maxPayloadBytes + 1_024
    const { telemetry: topic = '' } = connection.session?.topics ?? {}
    const done = (error?: Error | null) => closeFor(client, error)
    const own = new OwnPublishes(topic, maxLength, (publish) => this.#authorizePublish(client, { ...publish, topic, retain: false }, done))
    connection.reads.accept(maxLength, own)
  }

  #preConnect(
    client: Client,
    packet: { clientId: string; clean?: boolean; keepalive?: number; will?: unknown; protocolVersion?: number },
    done: (error: Error | null, success: boolean) => void,
  ): void {
    const connection = this.#connections.get(client)
    if (connection === undefined || this.#draining) {
      done(new Error('the receiver is closing'), false)
      return
    }
    if (packet.protocolVersion === 5) {
      this.#refuseVersion(connection, () => done(new Error('MQTT 5'), false))
      return
    }
    const { maxKeepaliveS } = this.#deps.limits
    // Spec gap §6.2: a device that asks for no keepalive, or a longer one, is held to the longest. Aedes' own limit would refuse it with
    // a return code that MQTT 3.1.1 does not know.
    const keepaliveS = Math.min(packet.keepalive || maxKeepaliveS, maxKeepaliveS)
    packet.keepalive = 0
    // No session outlives its connection: readings are kept by the store, nothing is queued for an absent device, and no subscription can
    // come back that was not asked for on this connection. "Session present" is honestly 0, so clients subscribe again.
    packet.clean = true
    connection.connect = { clientId: packet.clientId, hasWill: packet.will !== undefined, keepaliveS }
    // Aedes keys its books (connections, subscriptions, wills, QoS 2) by client id, and an IMEI may be registered by several resellers. It gets
    // a name of ours for each connection; which connections are one device's is known by who signed in (`sessions.ts`).
    packet.clientId = `connection-${++this.#connectionsSoFar}`
    done(null, true)
  }

  /** Aedes would answer in the format of MQTT 3.1.1, which a client of MQTT 5 takes for garbage. Sent before the connection is cut. */
  #refuseVersion({ socket, reads }: Connection, refused: () => void): void {
    this.#deps.counters.signInsRefused++
    this.#deps.log.debug({ address: socket.remoteAddress }, 'MQTT 5 connection refused')
    reads.discard()
    socket.end(UNSUPPORTED_VERSION, refused)
  }

  #authenticate(
    client: Client,
    username: string | undefined,
    password: Buffer | undefined,
    done: (error: AuthenticateError | null, success: boolean | null) => void,
  ): void {
    const connection = this.#connections.get(client)
    if (connection?.connect === undefined) {
      done(refusal('server_unavailable'), null)
      return
    }
    const attempt: Attempt = { ...connection.connect, username, password, remoteAddress: connection.socket.remoteAddress ?? '' }
    const signIn = this.#signIn(client, connection, attempt).catch((error: unknown): SignInRefusal => {
      this.#deps.log.error({ err: error }, 'MQTT sign-in failed')
      return 'server_unavailable'
    })
    void signIn.then((refused) => {
      if (refused === undefined) return done(null, true)
      this.#deps.counters.signInsRefused++
      this.#deps.log.debug({ clientId: attempt.clientId, username, refused }, 'MQTT connection refused')
      done(refusal(refused), null)
    })
  }

  async #signIn(client: Client, connection: Connection, attempt: Attempt): Promise<SignInRefusal | undefined> {
    const { authenticateDevice, limits, now, log, topicPrefix } = this.#deps
    const sender = judgeAttempt(attempt)
    if (typeof sender === 'string') return sender
    const session = new Session(client, sender, topicsOf(topicPrefix, sender))
    // Known before it is checked: a device that loses its access meanwhile must not slip in with the older answer.
    connection.session = session
    this.sessions.add(session)
    const answer = await checkCredentials(attempt, {
      authenticateDevice,
      ban: this.#ban,
      limits,
      nowMs: () => now().getTime(),
      onRefused: (reason) => log.info({ username: attempt.username, reason }, 'MQTT sign-in refused'),
      onStoreAway: (error) => log.warn({ err: error }, 'a device could not be checked; it is asked to come back'),
    })
    const isGone = connection.socket.destroyed
    if (isGone) this.sessions.delete(session)
    if (typeof answer === 'string') return answer
    if (isGone || session.outdated || this.#draining) return 'server_unavailable'
    session.identity = answer.device
    session.secretSha256 = sha256(attempt.password ?? '')
    // MQTT-3.1.4-2, by device: whatever it calls itself, the newer connection wins.
    this.sessions.closeOlder(session)
    if (answer.validUntil !== undefined) session.endAt(answer.validUntil, now())
    return undefined
  }

  #authorizePublish(client: Client | null, packet: Published, done: (error?: Error | null) => void): void {
    const connection = client === null ? undefined : this.#connections.get(client)
    const session = connection?.session
    const identity = session?.identity
    const broken = brokenByPublish(session, packet) ?? (lacksPacketId(packet) ? 'publish without a packet id' : undefined)
    if (broken !== undefined || connection === undefined || session === undefined || identity === undefined) {
      done(this.#deny(client, broken ?? 'publish before sign-in', packet.topic, packet.payload))
      return
    }
    const { limits, now } = this.#deps
    const delayMs = limits.maxPublishesPerSecond === 0 ? 0 : this.#publishRate.delayMs(identity.deviceId, now().getTime())
    // The same text, which each of thousands of packets would keep a copy of until its commit.
    packet.topic = session.topics.telemetry
    connection.line.push(packet, identity, done, delayMs)
  }

  #authorizeSubscribe(
    client: Client,
    subscription: Subscription,
    done: (error: Error | null, subscription?: Subscription | null) => void,
  ): void {
    const broken = brokenBySubscription(this.#sessionOf(client), subscription)
    done(broken === undefined ? null : this.#deny(client, broken, subscription.topic, ''), subscription)
  }

  /** A denial is an Error, which closes the connection: the milder answer of a SUBACK with 128 leaves the filter in Aedes' books. */
  #deny(client: Client | null, reason: BrokenRule, topic: string, payload: string | Buffer): Error {
    const session = client === null ? undefined : this.#sessionOf(client)
    const problem = problemOf(reason, topic)
    if (session?.identity !== undefined && problem !== undefined) this.#deps.onUnread?.(session.sender, payload, problem)
    this.#deps.counters.denials++
    this.#deps.log.info({ ...this.#nameOf(client), reason }, 'MQTT client broke a rule and is closed')
    return new Error(reason)
  }

  #sessionOf(client: Client): Session | undefined {
    return this.#connections.get(client)?.session
  }

  /** For the log: who signed in, and what it calls itself. */
  #nameOf(client: Client | null): { deviceId: string | undefined; clientId: string | undefined } {
    const connection = client === null ? undefined : this.#connections.get(client)
    return { deviceId: connection?.session?.identity?.deviceId, clientId: connection?.connect?.clientId }
  }

  #noteUnread(client: Client, payload: string | Buffer, { unread }: Taken): void {
    const sender = this.#sessionOf(client)?.sender
    const [first] = unread
    if (first !== undefined && sender !== undefined) this.#deps.onUnread?.(sender, payload, first.problem)
  }

  /** QoS 0, to this connection alone and only if it listens; a device that does not read its reports loses them, and nothing else. */
  #report(client: Client, messageId: number | undefined, taken: Taken): void {
    const session = this.#sessionOf(client)
    if (session === undefined || client.closed || !session.subscribed.has(session.topics.errors)) return
    if (session.pendingReportCount >= this.#deps.limits.maxPendingReports) {
      this.#deps.counters.reportsDropped++
      return
    }
    const { deviceId } = session.sender
    const nowMs = this.#deps.now().getTime()
    const report = toErrorReport(taken, { messageId, deviceId, nowMs, warnedFields: this.#warnedFields })
    if (report === undefined) return
    session.pendingReportCount++
    const payload = Buffer.from(JSON.stringify(report))
    const packet: PublishPacket = { cmd: 'publish', topic: session.topics.errors, payload, qos: 0, retain: false, dup: false }
    client.publish(packet, () => {
      session.pendingReportCount--
    })
  }
}

function refusal(reason: SignInRefusal): AuthenticateError {
  return Object.assign(new Error(reason), { returnCode: connackCodes[reason] }) as AuthenticateError
}
