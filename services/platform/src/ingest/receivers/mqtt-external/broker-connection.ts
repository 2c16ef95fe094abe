// One connection to an external broker, from CONNECT to its end. Written on the packet codec that MQTT.js uses, because MQTT.js itself
// takes the next PUBLISH only after it has acknowledged the one before: one commit for each message.

import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import mqttPacket, { type IConnackPacket, type IConnectPacket, type IPublishPacket, type ISubackPacket, type Packet } from 'mqtt-packet'
import { lacksPacketId } from '../mqtt-embedded/rules.ts'
import { AckLine } from './ack-line.ts'
import { createPacketBound } from './packet-bound.ts'

export type BrokerPlan = {
  readonly host: string
  readonly port: number
  /** PEM; undefined is a plain connection. */
  readonly tls: { readonly ca?: string | undefined; readonly cert?: string | undefined; readonly key?: string | undefined } | undefined
  readonly protocolVersion: 4 | 5
  readonly clientId: string
  readonly username: string | undefined
  readonly password: string | undefined
  /** How long the broker keeps the session while nobody is connected (MQTT 5; before, it decides). 0: it ends with the connection. */
  readonly sessionExpiryS: number
  /** QoS 1 messages that the broker may have sent and not heard of again (MQTT 5; before, it decides). */
  readonly receiveMaximum: number
  /** None: it connects and does not subscribe. */
  readonly filters: readonly string[]
}

/** A message as it came. */
export type Incoming = {
  readonly topic: string
  readonly payload: Buffer
  /** Kept by the broker from a time before this subscription. */
  readonly isRetained: boolean
  /** The broker has sent it before on this session and heard nothing. */
  readonly isRepeated: boolean
  /** Undefined for QoS 0. */
  readonly packetId: number | undefined
  /** The user property `traceparent` of MQTT 5, as it came. */
  readonly traceparent?: string | undefined
}

export type ConnectionEvents = {
  /** Called for each message in its order; also for those of a kept session that come before `open` has resolved. */
  readonly onMessage: (message: Incoming, connection: BrokerConnection) => void
}

const OPEN_BOUND_MS = 10_000
const KEEPALIVE_S = 30
/** Heard nothing for this many halves of the keepalive, the connection is given up. */
const MAX_SILENT_TICKS = 3
/** Larger messages are not sent to us (MQTT 5), or cut off here (before): many times what a device may send, so that it can be reported. */
const MAX_PACKET_BYTES = 1024 * 1024
const MAX_UNSENT_BYTES = 1024 * 1024
const SUBSCRIBE_ID = 1
const FIRST_FAILURE_CODE = 0x80
/** Retain handling of MQTT 5: what the broker has kept is not sent when we subscribe. */
const NOTHING_RETAINED = 2

export class BrokerConnection {
  /** Resolves with the reason when it has ended, whoever ended it. */
  readonly closed: Promise<string>
  readonly acks: AckLine
  readonly #plan: BrokerPlan
  readonly #events: ConnectionEvents
  readonly #socket: Socket
  readonly #opened = Promise.withResolvers<{ sessionPresent: boolean }>()
  #sessionPresent = false
  #reason: string | undefined
  #stage: 'sign-in' | 'subscription' | 'open' = 'sign-in'
  #silentTicks = 0
  #ticker: NodeJS.Timeout | undefined
  #isPaused = false

  private constructor(plan: BrokerPlan, events: ConnectionEvents) {
    this.#plan = plan
    this.#events = events
    this.#socket = connectSocket(plan)
    this.acks = new AckLine((bytes) => this.#socket.write(bytes))
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<string>()
    this.closed = closed
    const parser = mqttPacket.parser({ protocolVersion: plan.protocolVersion })
    parser.on('packet', (packet) => this.#take(packet))
    parser.on('error', (error) => this.drop(`it sent what is no MQTT: ${error.message}`))
    const bound = createPacketBound({ maxBytes: MAX_PACKET_BYTES, mayShorten: plan.protocolVersion !== 5 })
    this.#socket.on('data', (chunk: Buffer) => {
      this.#silentTicks = 0
      const parts = bound.take(chunk)
      if ('violation' in parts) this.drop(parts.violation)
      else for (const part of parts) parser.parse(part)
    })
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#reason ??= reasonOf(error)
    })
    this.#socket.once(plan.tls === undefined ? 'connect' : 'secureConnect', () => this.#send(connectPacket(plan)))
    this.#socket.once('close', () => {
      clearInterval(this.#ticker)
      this.#reason ??= closingReason(this.#stage, plan)
      this.acks.end()
      this.#opened.reject(new Error(this.#reason))
      onClosed(this.#reason)
    })
  }

  /** Resolves when the broker has let us in and granted the subscriptions. Rejects with why not. */
  static async open(
    plan: BrokerPlan,
    events: ConnectionEvents,
    signal: AbortSignal,
  ): Promise<{ connection: BrokerConnection; sessionPresent: boolean }> {
    const connection = new BrokerConnection(plan, events)
    const giveUp = () => connection.drop('it is stopping')
    signal.addEventListener('abort', giveUp)
    const timer = setTimeout(() => connection.drop(`it did not let us in within ${OPEN_BOUND_MS} ms`), OPEN_BOUND_MS)
    try {
      return { connection, ...(await connection.#opened.promise) }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Stops reading, so that the broker and the kernel hold what we have no room for. */
  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#silentTicks = 0
    this.#socket.resume()
  }

  /** QoS 0. False when so much waits to be sent already that this is not sent. */
  publish(topic: string, payload: string): boolean {
    if (this.#socket.destroyed || this.#socket.writableLength > MAX_UNSENT_BYTES) return false
    this.#send({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false })
    return true
  }

  /** Ends it at once. What was not acknowledged comes again on the next connection of the session. */
  drop(reason: string): void {
    this.#reason ??= reason
    this.#socket.destroy()
  }

  /** Disconnects behind the last acknowledgement; the session stays as long as was agreed. */
  async leave(withinMs: number): Promise<void> {
    const timer = setTimeout(() => this.drop('it did not close the connection'), withinMs)
    this.#reason ??= 'we left'
    // It may be held back, and would not hear that the broker closes.
    this.acks.end()
    this.#socket.removeAllListeners('data')
    this.#socket.resume()
    if (!this.#socket.destroyed) this.#socket.end(this.#generate({ cmd: 'disconnect' }))
    await this.closed
    clearTimeout(timer)
  }

  #send(packet: Packet): void {
    if (!this.#socket.destroyed) this.#socket.write(this.#generate(packet))
  }

  #generate(packet: Packet): Buffer {
    return mqttPacket.generate(packet, { protocolVersion: this.#plan.protocolVersion })
  }

  #take(packet: Packet): void {
    // The parser goes on with its chunk after the end of the connection.
    if (this.#socket.destroyed) return
    switch (packet.cmd) {
      case 'connack':
        this.#welcome(packet)
        break
      case 'suback':
        this.#granted(packet)
        break
      case 'publish':
        if (lacksPacketId(packet)) this.drop('it sent a message without a packet id')
        else this.#events.onMessage(incomingOf(packet), this)
        break
      case 'disconnect':
        this.drop(`it ended the session (reason code ${packet.reasonCode ?? 0})${referenceTo(packet.reasonCode)}`)
        break
      default:
    }
  }

  #welcome(packet: IConnackPacket): void {
    const code = this.#plan.protocolVersion === 5 ? packet.reasonCode : packet.returnCode
    if (code !== 0) {
      this.drop(connackReason(code ?? FIRST_FAILURE_CODE))
      return
    }
    if (this.#stage !== 'sign-in') {
      this.drop('it let us in twice')
      return
    }
    this.#sessionPresent = packet.sessionPresent
    this.#stage = 'subscription'
    // A property that comes twice is an array to the parser.
    const asked: unknown = packet.properties?.serverKeepAlive
    const keepaliveS = Math.min(typeof asked === 'number' ? asked : KEEPALIVE_S, KEEPALIVE_S)
    this.#ticker = setInterval(() => this.#tick(), (Math.max(1, keepaliveS) * 1000) / 2)
    if (this.#plan.filters.length === 0) {
      this.#stage = 'open'
      this.#opened.resolve({ sessionPresent: this.#sessionPresent })
      return
    }
    const subscriptions = this.#plan.filters.map((topic) => ({ topic, qos: 1 as const, rh: NOTHING_RETAINED }))
    this.#send({ cmd: 'subscribe', messageId: SUBSCRIBE_ID, subscriptions })
  }

  #granted({ granted }: ISubackPacket): void {
    if (this.#stage !== 'subscription') {
      this.drop('it granted a subscription that was not asked for')
      return
    }
    const refusedAt = granted.findIndex((code) => Number(code) >= FIRST_FAILURE_CODE)
    if (refusedAt === -1) {
      this.#stage = 'open'
      this.#opened.resolve({ sessionPresent: this.#sessionPresent })
    } else this.drop(`it refuses the subscription to "${this.#plan.filters[refusedAt]}" (code ${granted[refusedAt]})`)
  }

  #tick(): void {
    this.#send({ cmd: 'pingreq' })
    if (this.#isPaused) return
    this.#silentTicks++
    if (this.#silentTicks > MAX_SILENT_TICKS) this.drop('it fell silent')
  }
}

function connectSocket({ host, port, tls: files }: BrokerPlan): Socket {
  const socket =
    files === undefined
      ? net.connect({ host, port })
      : tls.connect({
          host,
          port,
          minVersion: 'TLSv1.2',
          ...(net.isIP(host) === 0 ? { servername: host } : {}),
          ...(files.ca === undefined ? {} : { ca: files.ca }),
          ...(files.cert === undefined ? {} : { cert: files.cert }),
          ...(files.key === undefined ? {} : { key: files.key }),
        })
  return socket.setNoDelay(true)
}

function connectPacket({ protocolVersion, clientId, username, password, sessionExpiryS, receiveMaximum }: BrokerPlan): IConnectPacket {
  return {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion,
    // In MQTT 5 it only reports that an older session is thrown away first.
    clean: sessionExpiryS === 0,
    clientId,
    keepalive: KEEPALIVE_S,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password: Buffer.from(password) }),
    ...(protocolVersion === 5
      ? { properties: { sessionExpiryInterval: sessionExpiryS, receiveMaximum, maximumPacketSize: MAX_PACKET_BYTES } }
      : {}),
  }
}

function incomingOf({ topic, payload, retain, dup, qos, messageId, properties }: IPublishPacket): Incoming {
  return {
    topic,
    payload: typeof payload === 'string' ? Buffer.from(payload) : payload,
    isRetained: retain,
    isRepeated: dup,
    packetId: qos === 0 ? undefined : messageId,
    traceparent: [properties?.userProperties?.['traceparent']].flat()[0],
  }
}

/** A broker may close without a word: RabbitMQ 3.10 does so at MQTT 5, and any of MQTT 3.1.1 at a subscription that it refuses. */
function closingReason(stage: 'sign-in' | 'subscription' | 'open', { protocolVersion, filters }: BrokerPlan): string {
  if (stage === 'subscription') return `it closed the connection when asked for "${filters.join(', ')}"; see MQTT_BROKER_SHARE_GROUP`
  if (stage === 'open') return 'it closed the connection (it stopped, or another client has the same MQTT_BROKER_CLIENT_ID)'
  if (protocolVersion !== 5) return 'it closed the connection'
  return 'it closed the connection without an answer; if it knows no MQTT 5, see MQTT_BROKER_PROTOCOL'
}

function connackReason(code: number): string {
  return `it does not let us in (code ${code})${referenceTo(code)}`
}

function referenceTo(code: number | undefined): string {
  const settings = settingsByCode[code ?? 0]
  return settings === undefined ? '' : `; see ${settings}`
}

/** Return codes of MQTT 3.1.1 §3.2.2.3 and reason codes of MQTT 5 §3.2.2.2 and §3.14.2.1, with the settings they refer to. */
const settingsByCode: Readonly<Record<number, string>> = {
  1: 'MQTT_BROKER_PROTOCOL',
  2: 'MQTT_BROKER_CLIENT_ID',
  4: 'MQTT_BROKER_USERNAME and MQTT_BROKER_PASSWORD',
  5: 'MQTT_BROKER_USERNAME and MQTT_BROKER_PASSWORD',
  132: 'MQTT_BROKER_PROTOCOL',
  133: 'MQTT_BROKER_CLIENT_ID',
  134: 'MQTT_BROKER_USERNAME and MQTT_BROKER_PASSWORD',
  135: 'MQTT_BROKER_USERNAME and MQTT_BROKER_PASSWORD',
  142: 'MQTT_BROKER_CLIENT_ID, which another client came in with',
}

/** Several addresses of one name fail as one error without a message of its own. What the system reports is shown without the address, which is no caller's to know. */
function reasonOf(error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): string {
  const { syscall, code, message } = error.errors?.[0] ?? error
  if (syscall !== undefined && code !== undefined) return `${syscall} ${code}`
  return message || code || 'the connection failed'
}
