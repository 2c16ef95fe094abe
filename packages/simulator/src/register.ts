// Brings a fleet's devices onto a platform: sub-clients, devices with their vehicles, credentials. Safe to repeat.
import type { VehicleProfile } from './fleet/vehicle-state.ts'
import { type Api, ApiFailure, errorCode, refusalText } from './senders/api.ts'
import { boundedMap } from './senders/bounded-map.ts'
import type { MqttDevice } from './senders/mqtt.ts'

export type Registration = {
  readonly profile: VehicleProfile
  readonly deviceId: string
  /** Only for devices that connect by MQTT. */
  readonly mqtt: MqttDevice | undefined
}

export type RegisterOptions = {
  /** Whether a vehicle's device connects by MQTT; the others post over HTTP. */
  readonly viaMqtt: (profile: VehicleProfile) => boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

/** Fewer than the twelve connections to its database that the platform has for requests. */
const MAX_REGISTRATIONS_UNDER_WAY = 8

/**
 * Registers every vehicle's device under its region's sub-client. A device that exists already is found by its IMEI and, when it speaks MQTT,
 * given new credentials, since a password is shown only once.
 */
export async function registerFleet(api: Api, profiles: readonly VehicleProfile[], options: RegisterOptions): Promise<Registration[]> {
  const { signal } = options
  const subClients = new Map(profiles.map(({ region }) => [region.subClient.id, region.subClient]))
  for (const { id, name, email } of subClients.values()) {
    const answer = await api.call('POST', '/sub-clients', { sub_client_id: id, name, contact_email: email }, signal)
    const known = answer.status === 409 && errorCode(answer) === 'already_exists'
    if (answer.status !== 200 && !known) throw new ApiFailure(`sub-client ${id}: ${refusalText(answer)}`, answer.status)
  }
  let knownDevices: Promise<Map<string, DeviceRecord>> | undefined
  let doneCount = 0
  return await boundedMap(profiles, MAX_REGISTRATIONS_UNDER_WAY, async (profile) => {
    const viaMqtt = options.viaMqtt(profile)
    const answer = await api.call('POST', '/devices', deviceBody(profile, viaMqtt), signal)
    const isKnown = answer.status === 409 && errorCode(answer) === 'device_exists'
    if (answer.status !== 200 && !isKnown) throw new ApiFailure(`device ${profile.imei}: ${refusalText(answer)}`, answer.status)
    if (isKnown) knownDevices ??= devicesByImei(api, signal)
    const known = isKnown ? (await knownDevices)?.get(profile.imei) : undefined
    const registration = isKnown ? await fromKnownDevice(api, profile, viaMqtt, known, signal) : fromAnswer(profile, viaMqtt, answer.body)
    options.onProgress?.(++doneCount, profiles.length)
    return registration
  })
}

const vehicleClasses = { car: 'passenger', van: 'van', truck: 'heavy_truck' } as const

function deviceBody(profile: VehicleProfile, viaMqtt: boolean) {
  const { model } = profile
  return {
    name: `${model.make} ${model.model} ${profile.licensePlate}`,
    imei: profile.imei,
    device_type: model.kind === 'car' ? 'obd_dongle' : 'can_gateway',
    connection_method: viaMqtt ? 'mqtt' : 'http',
    sub_client_id: profile.region.subClient.id,
    vehicle: {
      mode: 'create',
      make: model.make,
      model: model.model,
      year: profile.modelYear,
      license_plate: profile.licensePlate,
      vin: profile.vin,
      vehicle_class: vehicleClasses[model.kind],
      fuel_type: model.fuel,
      battery_nominal_v: model.systemV,
    },
  }
}

function fromAnswer(profile: VehicleProfile, viaMqtt: boolean, body: Record<string, unknown>): Registration {
  const deviceId = requireText(body, 'device_id')
  if (!viaMqtt) return { profile, deviceId, mqtt: undefined }
  const mqtt = {
    deviceId,
    username: requireText(body, 'mqtt_username'),
    password: requireText(body, 'mqtt_password'),
    topic: requireText(body, 'mqtt_topic'),
  }
  return { profile, deviceId, mqtt }
}

type DeviceRecord = { id?: string; device_id?: string; imei?: string; mqtt_username?: string; mqtt_topic?: string }

async function fromKnownDevice(
  api: Api,
  profile: VehicleProfile,
  viaMqtt: boolean,
  device: DeviceRecord | undefined,
  signal?: AbortSignal,
): Promise<Registration> {
  const deviceId = device?.device_id ?? device?.id
  if (!device || deviceId === undefined) throw new ApiFailure(`device ${profile.imei} exists, and is in no list`)
  if (!viaMqtt) return { profile, deviceId, mqtt: undefined }
  const answer = await api.call('POST', `/devices/${encodeURIComponent(deviceId)}/credentials/rotate`, {}, signal)
  if (answer.status !== 200) throw new ApiFailure(`credentials of ${deviceId}: ${refusalText(answer)}`, answer.status)
  return fromAnswer(profile, true, { ...device, device_id: deviceId, ...answer.body })
}

const PAGE_LIMIT = 500
const MAX_PAGES = 1_000

async function devicesByImei(api: Api, signal?: AbortSignal): Promise<Map<string, DeviceRecord>> {
  const devices = new Map<string, DeviceRecord>()
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ limit: String(PAGE_LIMIT), ...(after === undefined ? {} : { after }) })
    const answer = await api.call('GET', `/devices?${query}`, undefined, signal)
    if (answer.status !== 200) throw new ApiFailure(`list of devices: ${refusalText(answer)}`, answer.status)
    for (const device of (answer.body['devices'] ?? []) as (DeviceRecord & { status?: string })[]) {
      if (device.imei !== undefined && device.status !== 'decommissioned') devices.set(device.imei, device)
    }
    const { hasNextPage, endCursor } = (answer.body['pagination'] ?? {}) as { hasNextPage?: boolean; endCursor?: string | null }
    if (!hasNextPage || typeof endCursor !== 'string') return devices
    after = endCursor
  }
  return devices
}

function requireText(body: Record<string, unknown>, field: string): string {
  const value = body[field]
  if (typeof value !== 'string' || value === '') throw new ApiFailure(`the platform's answer has no ${field}`)
  return value
}
