// The device that a recording is sent as: found, or registered when that is asked for, with what it needs to get through its receiver.

import type { MqttDevice } from '@roadworthy/simulator/senders/mqtt'
import { CommandFailure, exitCodeOfStatus, exitCodes } from './failure.ts'
import { describeRefusal, type JsonBody, request, requestOk } from './http-client.ts'

export type ReplayDevice = {
  readonly deviceId: string
  readonly vehicleId: string | undefined
  /** Known after a registration or a rotation, which return the password. */
  readonly login: { readonly device: MqttDevice; readonly broker: string | undefined } | undefined
}

export type Receiver = {
  readonly baseUrl: string
  readonly apiKey: string
  readonly via: 'rest' | 'mqtt'
  readonly password: string | undefined
}

const IMEI = /^\d{14,16}$/

export async function findDevice({ baseUrl, apiKey, via, password }: Receiver, reference: string): Promise<ReplayDevice | undefined> {
  const answer = await request(`${baseUrl}/api/external/devices/${encodeURIComponent(reference)}`, { apiKey })
  if (answer.status === 404) return undefined
  // A key that may only send can still send; whether the device exists shows then.
  if (answer.status === 403 && via === 'rest') return { deviceId: reference, vehicleId: undefined, login: undefined }
  if (answer.status !== 200) throw new CommandFailure(describeRefusal(answer, baseUrl), exitCodeOfStatus(answer.status))
  const device = answer.body['device'] as { device_id: string; vehicle_id: string | null; mqtt_username: string; mqtt_topic: string }
  const found = { deviceId: device.device_id, vehicleId: device.vehicle_id ?? undefined }
  if (via === 'rest' || password === undefined) return { ...found, login: undefined }
  const login = { deviceId: device.device_id, username: device.mqtt_username, password, topic: device.mqtt_topic }
  return { ...found, login: { device: login, broker: undefined } }
}

/** Registers the reference as an IMEI when it has the form of one, else as a name. */
export async function registerDevice({ baseUrl, apiKey, via }: Receiver, reference: string, vehicleModel: string): Promise<ReplayDevice> {
  const body = {
    ...(IMEI.test(reference) ? { imei: reference, name: `Replay ${reference}` } : { name: reference }),
    device_type: 'obd_dongle',
    connection_method: via === 'mqtt' ? 'mqtt' : 'http',
    vehicle: { mode: 'create', make: 'Recording', model: vehicleModel },
  }
  const answer = await requestOk(`${baseUrl}/api/external/devices`, { method: 'POST', apiKey, body })
  return { deviceId: String(answer['device_id']), vehicleId: toText(answer['vehicle_id']), login: loginOf(answer) }
}

/** A new password for a device that exists: the one it had is shown to nobody twice. */
export async function rotatePassword({ baseUrl, apiKey }: Receiver, device: ReplayDevice): Promise<ReplayDevice> {
  const url = `${baseUrl}/api/external/devices/${encodeURIComponent(device.deviceId)}/credentials/rotate`
  return { ...device, login: loginOf(await requestOk(url, { method: 'POST', apiKey, body: {} })) }
}

export function noSuchDevice(reference: string): CommandFailure {
  const fix = 'Add --register to register it, or see "GET /api/external/devices".'
  return new CommandFailure(`There is no device ${JSON.stringify(reference)}. ${fix}`, exitCodes.notFound)
}

/** How many readings of the vehicle are stored in the range, ends included; `undefined` when the key may not ask or there is no vehicle. */
export async function countStored(
  { baseUrl, apiKey }: Receiver,
  device: ReplayDevice,
  fromMs: number,
  toMs: number,
): Promise<number | undefined> {
  if (device.vehicleId === undefined) return undefined
  const range = new URLSearchParams({ from: new Date(fromMs).toISOString(), to: new Date(toMs + 1).toISOString(), limit: '1' })
  const answer = await request(`${baseUrl}/api/v1/vehicles/${encodeURIComponent(device.vehicleId)}/readings?${range}`, { apiKey })
  return answer.status === 200 ? Number(answer.body['total']) : undefined
}

function loginOf(answer: JsonBody): NonNullable<ReplayDevice['login']> {
  const text = (field: string) => {
    const value = toText(answer[field])
    if (value === undefined) throw new CommandFailure(`The platform's answer has no ${field}.`)
    return value
  }
  const device = {
    deviceId: text('device_id'),
    username: text('mqtt_username'),
    password: text('mqtt_password'),
    topic: text('mqtt_topic'),
  }
  return { device, broker: toText(answer['mqtt_broker']) }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
