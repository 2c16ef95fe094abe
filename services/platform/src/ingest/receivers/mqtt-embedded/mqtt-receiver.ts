// The MQTT receiver: listeners, their limits, and an orderly end. The rules are in `broker.ts`.

import net, { type AddressInfo, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { addressBlock } from '@roadworthy/service-kit/network/address-block'
import { isLoopback } from '@roadworthy/service-kit/network/loopback'
import type { Rounds } from '@roadworthy/service-kit/pacing/rounds'
import { SteadyRate } from '@roadworthy/service-kit/pacing/steady-rate'
import type { IngestBriefly } from '../../inbound.ts'
import { type BrokerDeps, DeviceBroker, type MqttLog } from './broker.ts'
import { createMqttCounters, type MqttCounters } from './counters.ts'
import { followCertificate, type TlsIdentity } from './follow-certificate.ts'
import { defaultMqttLimits, type MqttLimits } from './limits.ts'
import { type FindOutdatedDevices, SessionRecheck } from './recheck-sessions.ts'
import type { AuthenticateDevice } from './sign-in.ts'

export type MqttReceiverDeps = {
  readonly ingest: IngestBriefly
  readonly authenticateDevice: AuthenticateDevice
  /**
   * Reports devices whose access changed (`device_access_changed`), and of gaps in which such messages may have been lost; returns, once
   * it listens, how to stop. The beginning is a gap too: receivers that were open by then would close what came in early.
   */
  readonly onAccessChanged: (onChange: (deviceId: string) => void, onGap: () => void) => (() => void) | Promise<() => void>
  readonly findOutdatedDevices: FindOutdatedDevices
  /** Called for every device that signs in, without being waited for; the function that it returns is called once the connection is closed. */
  readonly onConnected?: BrokerDeps['onConnected']
  readonly onUnread?: BrokerDeps['onUnread']
  readonly topicPrefix: string
  readonly host: string
  readonly port: number
  readonly tls?: TlsListener | undefined
  readonly limits?: Partial<MqttLimits>
  readonly now: () => Date
  readonly log: MqttLog
}

export type TlsListener = TlsIdentity & {
  /** Left out: that of the plain port. */
  readonly host?: string | undefined
  readonly port: number
  /** What its files hold by now. Left out: the certificate stays what it is. */
  readonly readAgain?: (() => Promise<TlsIdentity>) | undefined
  readonly lookEveryMs?: number | undefined
}

export type MqttReceiver = {
  start(): Promise<{ port: number; tlsPort: number | undefined }>
  /** Stops accepting, lets commits under way be acknowledged, closes every client. Within `closeWaitMs` and `farewellMs`. */
  close(): Promise<void>
  readonly connectedCount: number
  readonly counters: Readonly<MqttCounters>
}

const CERTIFICATE_LOOK_MS = 60_000
const TLS_OPTIONS = { minVersion: 'TLSv1.2' } as const

export function createMqttReceiver(deps: MqttReceiverDeps): MqttReceiver {
  const limits = { ...defaultMqttLimits, ...deps.limits }
  const counters = createMqttCounters()
  const broker = new DeviceBroker({ onConnected: () => () => {}, ...deps, limits, counters })
  const recheck = new SessionRecheck(broker.sessions, deps.findOutdatedDevices, deps.log)
  const sockets = new Set<Socket>()
  const servers: net.Server[] = []
  let stopListening = () => {}
  let followed: Rounds | undefined

  const admit = createAdmission(limits, counters, sockets, deps.now)

  const open = async () => {
    await broker.listen()
    const plain = net.createServer({ noDelay: true }, (socket) => {
      if (admit(socket)) broker.handle(socket)
    })
    servers.push(plain)
    const port = await listen(plain, deps.host, deps.port)
    if (deps.tls === undefined) return { port, tlsPort: undefined }
    const secure = createTlsServer(deps.tls, { admit, handle: (socket) => broker.handle(socket), limits, log: deps.log })
    servers.push(secure)
    const { cert, key, readAgain: read, lookEveryMs = CERTIFICATE_LOOK_MS } = deps.tls
    if (read !== undefined)
      followed = followCertificate(secure, { first: { cert, key }, read, options: TLS_OPTIONS, lookEveryMs, log: deps.log })
    return { port, tlsPort: await listen(secure, deps.tls.host ?? deps.host, deps.tls.port) }
  }

  const close = async () => {
    stopListening()
    await Promise.all([recheck.stop(), followed?.stop()])
    const closed = servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))
    broker.drain()
    const stop = new AbortController()
    const atMost = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {})
    await Promise.race([broker.queue.idle(), atMost(limits.closeWaitMs)])
    broker.sayFarewell()
    await Promise.race([Promise.all(closed), atMost(limits.farewellMs)])
    stop.abort()
    await broker.close()
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
    // Sockets report that they are closed a turn after their server does.
    await setImmediate()
  }

  return {
    async start() {
      stopListening = await closeOnAccessChange(deps, broker, recheck)
      try {
        return await open()
      } catch (error) {
        await close()
        throw error
      }
    },
    close,
    get connectedCount() {
      return broker.connectedCount
    },
    counters,
  }
}

/** Judges a raw connection before anything is spent on it, a TLS handshake least of all. Those let in are in `sockets` until they close. */
export function createAdmission(
  limits: Pick<MqttLimits, 'maxConnections' | 'maxConnectsPerMinute'>,
  counters: MqttCounters,
  sockets: Set<Socket>,
  now: () => Date,
): (socket: Socket) => boolean {
  const connectRate = new SteadyRate({ perMinute: limits.maxConnectsPerMinute })
  return (socket) => {
    // An error before Aedes listens (a reset during the handshake) must not be an uncaught one.
    socket.on('error', () => {})
    const address = socket.remoteAddress ?? ''
    const admitted =
      sockets.size < limits.maxConnections &&
      (isLoopback(address) || connectRate.takeOrWaitMs(addressBlock(address), now().getTime()) === 0)
    if (!admitted) {
      counters.connectionsRefused++
      socket.destroy()
      return false
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return true
  }
}

function closeOnAccessChange(
  { onAccessChanged, log }: MqttReceiverDeps,
  { sessions }: DeviceBroker,
  recheck: SessionRecheck,
): ReturnType<MqttReceiverDeps['onAccessChanged']> {
  return onAccessChanged(
    (deviceId) => {
      const closedCount = sessions.revoke(deviceId)
      if (closedCount > 0) log.info({ deviceId, closedCount }, 'MQTT sessions closed, because access has changed')
    },
    () => recheck.begin(),
  )
}

type TlsServerDeps = {
  readonly admit: (socket: Socket) => boolean
  readonly handle: (socket: Socket) => void
  readonly limits: MqttLimits
  readonly log: MqttLog
}

function createTlsServer({ cert, key }: TlsIdentity, { admit, handle, limits, log }: TlsServerDeps): tls.Server {
  const server = tls.createServer({ cert, key, ...TLS_OPTIONS, handshakeTimeout: limits.connectTimeoutMs, noDelay: true })
  server.on('connection', admit)
  server.on('secureConnection', handle)
  server.on('tlsClientError', (error, socket) => {
    log.debug({ reason: error.message }, 'TLS handshake failed')
    // Of a handshake that takes too long Node reports this and leaves the socket open: it would keep its place among `maxConnections`.
    socket.destroy()
  })
  return server
}

async function listen(server: net.Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
  return (server.address() as AddressInfo).port
}
