import { Problem } from '@roadworthy/service-kit/http/problem'
import type { AuditedFields } from '../audit/audit.ts'

/** Spec gap §3: `pending` is provisioned and has not spoken; `decommissioned` is final, and frees the IMEI. */
export type DeviceStatus = 'pending' | 'active' | 'suspended' | 'decommissioned'
export type LivingDeviceStatus = Exclude<DeviceStatus, 'decommissioned'>

/** Of the phone or the tracker, as it last reported it. */
export type DeviceBattery = { readonly pct: number | undefined; readonly voltageV: number | undefined; readonly recordedAt: Date }

export type Device = SignsOfLife & {
  readonly deviceId: string
  readonly name: string | undefined
  readonly imei: string | undefined
  readonly deviceType: string
  readonly connectionMethod: string
  readonly simNumber: string | undefined
  readonly status: DeviceStatus
  readonly subClientId: string | undefined
  readonly vehicleId: string | undefined
  /** Absent of one that reports none, and where it is not read. */
  readonly battery?: DeviceBattery | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What the audit log holds of it. */
export function auditedDevice(device: Omit<Device, 'deviceId' | 'battery' | keyof SignsOfLife | 'createdAt' | 'updatedAt'>): AuditedFields {
  const { name, imei, deviceType, connectionMethod, simNumber, status, subClientId, vehicleId } = device
  return { name, imei, deviceType, connectionMethod, simNumber, status, subClientId, vehicleId }
}

/** What it takes to attribute a reading. */
export type LivingDevice = {
  readonly deviceId: string
  readonly imei: string | undefined
  readonly status: LivingDeviceStatus
  readonly subClientId: string | undefined
  readonly vehicleId: string | undefined
  /** Whose that vehicle is. */
  readonly vehicleSubClientId?: string | undefined
  /** When it came into its vehicle, once it has been in another; what it recorded before is not this vehicle's. */
  readonly vehicleSinceMs?: number
}

/** Whether a text has the shape of a device id or an IMEI. The shapes are disjoint: an id never consists of digits. */
export function isDeviceReference(text: string): boolean {
  return /^(dev-[a-z0-9]{8,40}|[0-9]{14,16})$/.test(text)
}

/** Of a device reference. */
export function isImei(reference: string): boolean {
  return /^[0-9]/.test(reference)
}

/** The two clocks by which a device is there. */
export type SignsOfLife = {
  /** When its newest message was received. */
  readonly lastSeenAt: Date | undefined
  /** Whether the process that holds its connection has confirmed it within the lease, by the clock that all processes share. */
  readonly isConnected: boolean
}

/** Connected, or heard within the last `offlineAfterMs`. One that is suspended is disconnected, and nothing more of it is taken. */
export function isOnline(device: SignsOfLife & { readonly status: DeviceStatus }, now: Date, offlineAfterMs: number): boolean {
  if (device.status === 'decommissioned' || device.status === 'suspended') return false
  return device.isConnected || isHeardFrom(device.lastSeenAt, now, offlineAfterMs)
}

export type Presence = 'online' | 'offline' | 'never'

/** `online` as `isOnline` judges, by when the last `offlineAfterMs` began; `never`: of which nothing was heard. */
export function presenceOf(device: SignsOfLife & { readonly status: DeviceStatus }, heardSince: Date): Presence {
  if (isOnline(device, heardSince, 0)) return 'online'
  return device.lastSeenAt === undefined ? 'never' : 'offline'
}

/** Of a vehicle, which is heard through any of its devices, this alone shows it: a device may be connected to one that sends nothing. */
export function isHeardFrom(lastHeardAt: Date | undefined, now: Date, offlineAfterMs: number): boolean {
  return lastHeardAt !== undefined && now.getTime() - lastHeardAt.getTime() <= offlineAfterMs
}

/** The same for one that never was, one of another reseller, and one outside the caller's pin. */
export function noSuchDevice(): Problem {
  return new Problem('device_not_found', 'No device has this id or IMEI.')
}

export function deviceIsDecommissioned(): Problem {
  return new Problem(
    'device_decommissioned',
    'The device is decommissioned: it can be moved to another sub-client, and nothing else. Register it anew.',
  )
}
