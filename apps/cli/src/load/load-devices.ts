// Devices that exist for the time of a load, or one that is there: how each sends a reading.

import mqtt, { type MqttClient } from 'mqtt'
import { CommandFailure, exitCodes } from '../failure.ts'
import { request, requestOk } from '../http-client.ts'
import type { LoadSender } from './run-load.ts'

export type LoadDevice = { readonly deviceId: string; readonly username: string; readonly password: string; readonly topic: string }

const SEND_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 15_000
const AT_ONCE = 8

export type At = { readonly baseUrl: string; readonly apiKey: string }

/** Registers `count`. What was registered before a failure or an abort is in `made`, to be taken away again. */
export async function registerDevices({ baseUrl, apiKey }: At, count: number, made: LoadDevice[], signal: AbortSignal): Promise<void> {
  const run = `load ${new Date().toISOString()}`
  let next = 0
  const work = async () => {
    while (next < count) {
      signal.throwIfAborted()
      const body = { name: `${run} ${++next}`, connection_method: 'mqtt' }
      const answer = await requestOk(`${baseUrl}/api/external/devices`, { method: 'POST', apiKey, body })
      made.push(deviceOf(answer))
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, work))
}

/** The answer to a registration, as it came. */
export function deviceOf(answer: Readonly<Record<string, unknown>>): LoadDevice {
  const text = (name: string) => {
    const value = answer[name]
    if (typeof value === 'string' && value !== '') return value
    throw new CommandFailure(`There is no ${name} in it: the answer to a registration of a device is wanted, as it came.`, exitCodes.usage)
  }
  return { deviceId: text('device_id'), username: text('mqtt_username'), password: text('mqtt_password'), topic: text('mqtt_topic') }
}

/** Each is tried; how many could not be. */
export async function decommissionDevices({ baseUrl, apiKey }: At, devices: readonly LoadDevice[]): Promise<number> {
  let left = 0
  for (const { deviceId } of devices) {
    const url = `${baseUrl}/api/external/devices/${encodeURIComponent(deviceId)}/decommission`
    const status = await request(url, { method: 'POST', apiKey }).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status !== 200) left++
  }
  return left
}

let readingCount = 0

/** No two are alike: one that a device sends again within a millisecond would be a duplicate, which is answered and not stored. */
const reading = () => ({
  timestamp: new Date().toISOString(),
  speed: 60,
  rpm: 1_800 + (++readingCount % 1_000) / 8,
  coolant_temp: 88,
  battery_voltage: 13.9,
  fuel_level: 55,
})

export function restSender({ baseUrl, apiKey }: At, { deviceId }: LoadDevice): LoadSender {
  return {
    kind: 'rest',
    send: async (signal) => {
      const response = await fetch(`${baseUrl}/api/external/telemetry`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ device_id: deviceId, ...reading() }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
      })
      await response.arrayBuffer()
      return { status: String(response.status), isGood: response.ok }
    },
  }
}

/** Connected before the first is sent; each reading counts with its PUBACK. */
export async function mqttSenders(
  brokerUrl: string,
  devices: readonly LoadDevice[],
): Promise<{ senders: LoadSender[]; end: () => Promise<void> }> {
  const clients: MqttClient[] = []
  const end = async () => void (await Promise.all(clients.map((client) => client.endAsync(true))))
  try {
    for (const { deviceId, username, password } of devices) {
      const options = { clientId: deviceId, username, password, reconnectPeriod: 0, connectTimeout: CONNECT_TIMEOUT_MS }
      clients.push(await mqtt.connectAsync(brokerUrl, options, false))
    }
  } catch (error) {
    await end()
    throw new CommandFailure(
      `The MQTT broker at ${brokerUrl} does not let a device in (${(error as Error).message}).`,
      exitCodes.failed,
      error,
    )
  }
  for (const client of clients) client.on('error', () => {})
  const senders = clients.map((client, nth): LoadSender => {
    const topic = devices[nth]?.topic ?? ''
    return {
      kind: 'mqtt',
      send: async (signal) => {
        const aborted = Promise.withResolvers<never>()
        const timeout = AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)])
        timeout.addEventListener('abort', () => aborted.reject(timeout.reason), { once: true })
        if (!client.connected) return { status: 'disconnected', isGood: false }
        await Promise.race([client.publishAsync(topic, JSON.stringify(reading()), { qos: 1 }), aborted.promise])
        return { status: 'PUBACK', isGood: true }
      },
    }
  })
  return { senders, end }
}
