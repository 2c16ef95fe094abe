// Publishes QoS 1 readings from many raw connections in a process of its own, keeping a window unacknowledged on each, and prints what
// was acknowledged as one JSON line. Raw sockets, because a client library would cost more than the broker.
// Arguments: a JSON object {host, port, devices: [{id, username, password, topic}], publishesEach, window, startMs}.

import net from 'node:net'
import { generate } from 'mqtt-packet'
import { sampleReadingJson } from './sample-reading.ts'

type Device = { id: string; username: string; password: string; topic: string }
type Plan = { host: string; port: number; devices: Device[]; publishesEach: number; window: number; startMs: number }

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan
const PUBACK_BYTES = 4

/** Made beforehand, as the rows of the ceiling are: what is measured is the service, and the client shares its processors. */
function publishPackets(device: Device): Buffer[] {
  return Array.from({ length: plan.publishesEach }, (_, n) => {
    const payload = sampleReadingJson(device.id, plan.startMs + n, n)
    return generate({ cmd: 'publish', topic: device.topic, payload, qos: 1, messageId: 1 + (n % 65_000), dup: false, retain: false })
  })
}

/** Resolves with the connection once the broker has let the device in. */
function connect(device: Device): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(plan.port, plan.host)
    socket.once('error', reject)
    socket.once('data', (connack) => {
      const code = connack[3]
      if (code === 0) resolve(socket)
      else reject(new Error(`connection refused with code ${code}`))
    })
    socket.once('connect', () => {
      const { id, username, password } = device
      const session = { protocolId: 'MQTT', protocolVersion: 4, clean: true, clientId: id, keepalive: 300 } as const
      socket.write(generate({ cmd: 'connect', ...session, username, password: Buffer.from(password) }))
    })
  })
}

/** Resolves with the count of publishes acknowledged: all, or it rejects. */
function publishAll(socket: net.Socket, packets: readonly Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let receivedBytes = 0
    let sent = 0
    const pump = () => {
      const acknowledged = Math.floor(receivedBytes / PUBACK_BYTES)
      if (acknowledged === packets.length) return socket.end()
      const until = Math.min(packets.length, acknowledged + plan.window)
      if (until > sent) socket.write(Buffer.concat(packets.slice(sent, until)))
      sent = until
    }
    socket.on('data', (chunk) => {
      receivedBytes += chunk.length
      pump()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const acknowledged = Math.floor(receivedBytes / PUBACK_BYTES)
      if (acknowledged === packets.length) resolve(acknowledged)
      else reject(new Error(`closed after ${acknowledged} of ${packets.length} acknowledgements`))
    })
    pump()
  })
}

const ready = await Promise.all(plan.devices.map(async (device) => ({ socket: await connect(device), packets: publishPackets(device) })))
const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
const counts = await Promise.all(ready.map(({ socket, packets }) => publishAll(socket, packets)))
const seconds = (performance.now() - startedAt) / 1000
const { user, system } = process.cpuUsage(cpuBefore)
const acknowledged = counts.reduce((sum, count) => sum + count, 0)
const clientCpuUsPerRow = Math.round(((user + system) * 10) / acknowledged) / 10
console.log(JSON.stringify({ clientCpuUsPerRow, acknowledged, seconds, rowsPerS: Math.round(acknowledged / seconds) }))
