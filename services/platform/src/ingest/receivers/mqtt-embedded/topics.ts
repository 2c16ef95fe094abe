// The names a device may use. Every rule compares whole strings; nothing is ever built into a pattern or a filter from what a client sent.

import { mqttTopic, parseMqttUsername } from '../../../devices/mqtt-identity.ts'

const CLIENT_ID = /^(?:dev-[a-z0-9]{8,40}|[0-9]{14,16})$/

/** A reseller's id is its slug. Neither name holds `+`, `#` or a slash, so none can widen a topic. */
export type Sender = { readonly resellerId: string; readonly deviceId: string }

export type DeviceTopics = {
  /** The only topic the device may publish to. */
  readonly telemetry: string
  /** The only topics it may subscribe to. */
  readonly commands: string
  readonly errors: string
}

/** Whether a client id can be a device id or an IMEI at all. `__proto__`, `constructor` and an empty id are not. */
export function isClientId(clientId: string): boolean {
  return CLIENT_ID.test(clientId)
}

export function topicsOf(prefix: string, { resellerId, deviceId }: Sender): DeviceTopics {
  const telemetry = mqttTopic(prefix, resellerId, deviceId)
  const device = telemetry.slice(0, telemetry.lastIndexOf('/'))
  return { telemetry, commands: `${device}/commands`, errors: `${device}/errors` }
}

/** Who publishes on a topic, where it is the telemetry topic of a device that could be. */
export function senderOf(prefix: string, topic: string): Sender | undefined {
  if (!topic.startsWith(`${prefix}/`)) return undefined
  const [resellerId, devices, deviceId, last, ...rest] = topic.slice(prefix.length + 1).split('/')
  if (devices !== 'devices' || last !== 'telemetry' || rest.length > 0) return undefined
  return parseMqttUsername(`${resellerId}/${deviceId}`)
}
