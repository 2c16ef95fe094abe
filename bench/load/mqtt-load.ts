// Publishes QoS 1 readings from many raw connections in a process of its own, keeping a window unacknowledged on each, and prints what
// was acknowledged as one JSON line. Raw sockets, because a client library would cost more than the broker.
// Arguments: a JSON object {host, port, devices: [{id, username, password, topic}], publishesEach, window, startMs}.

import net from 'node:net'
import { generate } from 'mqtt-packet'
import { sampleReadingJson } from './sample-reading.ts'

type Device = { id: string; username: string; password: string; topic: string }
type Plan = { host: string; port: number; devices: Device[]; publishesEach: number; window: number; startMs: number }

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan
const CONNACK_BYTES = 4
const PUBACK_BYTES = 4

function publishPacket(device: Device, n: number, recordedAtMs: number): Buffer {
  const payload = sampleReadingJson(device.id, recordedAtMs, n)
  return generate({ cmd: 'publish', topic: device.topic, payload, qos: 1, messageId: 1 + (n % 65_000), dup: false, retain: false })
}

/** Resolves with the count of publishes acknowledged: all, or it rejects. */
function runDevice(device: Device): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(plan.port, plan.host)
    let received = 0
    let sent = 0
    const pump = () => {
      const acknowledged = Math.floor((received - CONNACK_BYTES) / PUBACK_BYTES)
      if (acknowledged === plan.publishesEach) return socket.end()
      const packets: Buffer[] = []
      while (sent < plan.publishesEach && sent - acknowledged < plan.window) {
        packets.push(publishPacket(device, sent, plan.startMs + sent))
        sent++
      }
      if (packets.length > 0) socket.write(Buffer.concat(packets))
    }
    socket.on('connect', () => {
      socket.write(
        generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: device.id,
          keepalive: 300,
          username: device.username,
          password: Buffer.from(device.password),
        }),
      )
    })
    socket.on('data', (chunk) => {
      if (received === 0 && chunk[3] !== 0) return socket.destroy(new Error(`connection refused with code ${chunk[3]}`))
      received += chunk.length
      pump()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const acknowledged = Math.floor((received - CONNACK_BYTES) / PUBACK_BYTES)
      if (acknowledged === plan.publishesEach) resolve(acknowledged)
      else reject(new Error(`closed after ${acknowledged} of ${plan.publishesEach} acknowledgements`))
    })
  })
}

const startedAt = performance.now()
const counts = await Promise.all(plan.devices.map(runDevice))
const seconds = (performance.now() - startedAt) / 1000
const acknowledged = counts.reduce((sum, count) => sum + count, 0)
console.log(JSON.stringify({ acknowledged, seconds, rowsPerS: Math.round(acknowledged / seconds) }))
