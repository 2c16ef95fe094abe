// The names a device may use. Every rule compares whole strings; nothing is ever built into a pattern or a filter from what a client sent.

/** Spec §2.2: `<reseller_slug>/<device_id>`. Bounded and without `+`, `#`, or empty levels, so no name can widen a topic. */
const USERNAME = /^([a-z0-9-]{1,64})\/(dev-[a-z0-9]{8,40})$/
const CLIENT_ID = /^(?:dev-[a-z0-9]{8,40}|[0-9]{14,16})$/

export type Speaker = { readonly resellerSlug: string; readonly deviceId: string }

export type DeviceTopics = {
  /** The only topic the device may publish to. */
  readonly telemetry: string
  /** The only topics it may subscribe to. */
  readonly commands: string
  readonly errors: string
}

export function speakerFromUsername(username: string): Speaker | undefined {
  const [, resellerSlug, deviceId] = USERNAME.exec(username) ?? []
  return resellerSlug === undefined || deviceId === undefined ? undefined : { resellerSlug, deviceId }
}

/** Whether a client id can be a device id or an IMEI at all. `__proto__`, `constructor` and an empty id are not. */
export function isClientId(clientId: string): boolean {
  return CLIENT_ID.test(clientId)
}

export function topicsOf(prefix: string, { resellerSlug, deviceId }: Speaker): DeviceTopics {
  const device = `${prefix}/${resellerSlug}/devices/${deviceId}`
  return { telemetry: `${device}/telemetry`, commands: `${device}/commands`, errors: `${device}/errors` }
}
