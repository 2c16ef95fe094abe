// For tests of the MQTT receiver: a receiver on a free port with devices in a map, an ingest that records what it is given, and raw clients that
// speak MQTT byte by byte, because a good client library will not misbehave.

import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import mqttPacket, { type Packet } from 'mqtt-packet'
import type { Inbound, Ingest, Outcome } from '../../inbound.ts'
import type { MqttLimits } from './limits.ts'
import { createMqttReceiver, type MqttReceiver, type MqttReceiverDeps } from './mqtt-receiver.ts'
import type { AuthenticateDevice } from './sign-in.ts'

export const RESELLER = 'acme'
export const DEVICE = 'dev-aaaaaaaa0001'
export const OTHER_DEVICE = 'dev-bbbbbbbb0002'
export const PASSWORD = 'a-secret-of-the-device'

export type TestDevice = { deviceId: string; imei?: string; password: string }
export const testDevices: readonly TestDevice[] = [
  { deviceId: DEVICE, imei: '356938035643809', password: PASSWORD },
  { deviceId: OTHER_DEVICE, imei: '490154203237518', password: 'another-secret' },
]

export const topicOf = (deviceId: string, last = 'telemetry') => `fleet/${RESELLER}/devices/${deviceId}/${last}`

export function stored(inbound: Inbound): Outcome {
  return {
    status: 'stored',
    readingId: 'tel-1',
    deviceId: inbound.senderDeviceId,
    vehicleId: undefined,
    subClientId: undefined,
    receivedAtMs: 0,
  }
}

/** An ingest that stores at once and remembers the batches. */
export function recordingIngest(): { ingest: Ingest; batches: (readonly Inbound[])[]; records: () => unknown[] } {
  const batches: (readonly Inbound[])[] = []
  return {
    batches,
    records: () => batches.flat().map(({ record }) => record),
    ingest: async (batch) => {
      batches.push(batch)
      return batch.map(stored)
    },
  }
}

/** An ingest that commits when the test lets it. */
export function heldIngest(): { ingest: Ingest; calls: { batch: readonly Inbound[]; commit: () => void; fail: (error: Error) => void }[] } {
  const calls: { batch: readonly Inbound[]; commit: () => void; fail: (error: Error) => void }[] = []
  return {
    calls,
    ingest: (batch) =>
      new Promise<Outcome[]>((resolve, reject) => {
        calls.push({ batch, commit: () => resolve(batch.map(stored)), fail: reject })
      }),
  }
}

export function authenticatorOf(devices: readonly TestDevice[]): AuthenticateDevice {
  return async ({ username, password }) => {
    const device = devices.find(({ deviceId }) => username === `${RESELLER}/${deviceId}`)
    if (device === undefined) return { refusal: 'unknown_device' }
    if (device.password !== password) return { refusal: 'wrong_password' }
    return { device: { resellerId: RESELLER, deviceId: device.deviceId, imei: device.imei } }
  }
}

export type TestReceiver = {
  receiver: MqttReceiver
  port: number
  tlsPort: number | undefined
  changeAccess: (deviceId: string) => void
  loseNotifications: () => void
  log: string[]
}

export async function startReceiver(
  t: CleanUp,
  options: Partial<Omit<MqttReceiverDeps, 'limits'>> & { limits?: Partial<MqttLimits> } = {},
): Promise<TestReceiver> {
  const log: string[] = []
  const note = (about: object, message: string) => void log.push(`${message} ${JSON.stringify(about)}`)
  const listeners = new Set<{ onChange: (deviceId: string) => void; onGap: () => void }>()
  const receiver = createMqttReceiver({
    ingest: recordingIngest().ingest,
    authenticateDevice: authenticatorOf(testDevices),
    onAccessChanged: (onChange, onGap) => {
      const listener = { onChange, onGap }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    findOutdatedDevices: async () => new Set(),
    topicPrefix: 'fleet',
    host: '127.0.0.1',
    port: 0,
    now: () => new Date(),
    log: { debug: note, info: note, warn: note, error: note },
    ...options,
  })
  const { port, tlsPort } = await receiver.start()
  t.after(() => receiver.close())
  return {
    receiver,
    port,
    tlsPort,
    log,
    changeAccess: (deviceId) => {
      for (const { onChange } of listeners) onChange(deviceId)
    },
    loseNotifications: () => {
      for (const { onGap } of listeners) onGap()
    },
  }
}

export const connectPacket = (deviceId = DEVICE, overrides: Record<string, unknown> = {}): Packet =>
  ({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: deviceId,
    keepalive: 60,
    username: `${RESELLER}/${deviceId}`,
    password: Buffer.from(testDevices.find((device) => device.deviceId === deviceId)?.password ?? PASSWORD),
    ...overrides,
  }) as Packet

export const publishPacket = (messageId: number, payload: unknown, overrides: Record<string, unknown> = {}): Packet =>
  ({
    cmd: 'publish',
    topic: topicOf(DEVICE),
    payload: Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload)),
    qos: 1,
    retain: false,
    dup: false,
    messageId,
    ...overrides,
  }) as Packet

/** How long a test waits for something that must happen, also on a slow machine with much to do; its expiry is a failure. */
const PATIENCE_MS = 120_000

/** A socket that speaks MQTT packet by packet and keeps what it hears. */
export class RawClient {
  readonly socket: Socket
  readonly received: Packet[] = []
  readonly closed: Promise<void>
  #waiting: (() => void)[] = []
  /** How many of each kind `next` has returned. */
  readonly #returned = new Map<Packet['cmd'], number>()

  constructor(socket: Socket) {
    this.socket = socket
    const parser = mqttPacket.parser()
    parser.on('packet', (packet) => {
      this.received.push(packet)
      for (const wake of this.#waiting.splice(0)) wake()
    })
    parser.on('error', () => socket.destroy())
    socket.on('data', (chunk) => parser.parse(chunk))
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve()
        for (const wake of this.#waiting.splice(0)) wake()
      })
    })
  }

  static async open(port: number): Promise<RawClient> {
    const socket = net.connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  /** Opens, signs in, and fails unless it was let in. */
  static async signIn(port: number, deviceId = DEVICE, overrides: Record<string, unknown> = {}): Promise<RawClient> {
    const client = await RawClient.open(port)
    client.send(connectPacket(deviceId, overrides))
    const connack = await client.next('connack')
    if (connack.returnCode !== 0) throw new Error(`not let in: CONNACK ${connack.returnCode}`)
    return client
  }

  send(...packets: Packet[]): void {
    this.socket.write(Buffer.concat(packets.map((packet) => mqttPacket.generate(packet))))
  }

  all<C extends Packet['cmd']>(cmd: C): Extract<Packet, { cmd: C }>[] {
    return this.received.filter((packet): packet is Extract<Packet, { cmd: C }> => packet.cmd === cmd)
  }

  /** Resolves once `count` packets of a kind have come; rejects when the connection closes first. */
  async atLeast<C extends Packet['cmd']>(cmd: C, count: number): Promise<Extract<Packet, { cmd: C }>[]> {
    const timer = setTimeout(() => this.socket.destroy(), PATIENCE_MS)
    try {
      while (this.all(cmd).length < count) {
        if (this.socket.closed) throw new Error(`closed with ${this.all(cmd).length} of ${count} ${cmd}`)
        await new Promise<void>((resolve) => this.#waiting.push(resolve))
      }
      return this.all(cmd)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The first of a kind that it has not returned yet. */
  async next<C extends Packet['cmd']>(cmd: C): Promise<Extract<Packet, { cmd: C }>> {
    const nth = this.#returned.get(cmd) ?? 0
    this.#returned.set(cmd, nth + 1)
    const packet = (await this.atLeast(cmd, nth + 1))[nth]
    if (packet === undefined) throw new Error(`no ${cmd}`)
    return packet
  }

  /** The return code of the CONNACK, or `closed` when the connection closes without one. */
  async answerToConnect(): Promise<number | undefined | 'closed'> {
    try {
      return (await this.next('connack')).returnCode
    } catch {
      return 'closed'
    }
  }

  /** Resolves once the receiver has closed this connection; fails when it does not. */
  async closedByReceiver(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the receiver did not close the connection')), PATIENCE_MS)
    })
    await Promise.race([this.closed, patience]).finally(() => clearTimeout(timer))
  }
}

/** Waits until a condition holds; fails after the patience of the tests. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
