// Devices as the Platform API spells them.

import type {
  DeviceChange,
  DeviceRegister,
  DeviceRegistered,
  InlineVehicle,
  Device as WireDevice,
} from '@roadworthy/contracts/platform-v1/devices'
import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import type { VehicleNames } from '../fleet/vehicle-names.read.sql.ts'
import { type Device, type DeviceBattery, isOnline } from './device.ts'
import type { DeviceChanges } from './devices.sql.ts'
import type { MqttAddress } from './external-device.ts'
import { mqttTopic, mqttUsername } from './mqtt-identity.ts'
import type { Registration, RegistrationRequest } from './register-device.ts'

export function fromPlatformRegistration(body: DeviceRegister): RegistrationRequest {
  return {
    name: body.name ?? undefined,
    imei: body.imei ?? undefined,
    deviceType: body.deviceType ?? 'other',
    connectionMethod: body.connectionMethod ?? 'mqtt',
    simNumber: body.simNumber ?? undefined,
    status: body.status ?? 'active',
    subClientId: body.subClientId ?? undefined,
    vehicle: fromInlineVehicle(body.vehicle ?? undefined),
    // A repeat gets the kept answer, which is in the words of the surface that gave it: an equal body on the External API is no repeat of this.
    bodyText: `platform-v1 ${canonicalJson(body)}`,
  }
}

function fromInlineVehicle(vehicle: InlineVehicle | undefined): RegistrationRequest['vehicle'] {
  if (vehicle === undefined || vehicle.mode === 'none') return undefined
  const vin = vehicle.vin ?? undefined
  if (vehicle.mode === 'link') return { mode: 'link', reference: vehicle.vehicleId ?? undefined, vin }
  return {
    mode: 'create',
    vin,
    make: vehicle.make ?? undefined,
    model: vehicle.model ?? undefined,
    year: vehicle.year ?? undefined,
    licensePlate: vehicle.licensePlate ?? undefined,
    name: vehicle.name ?? undefined,
    vehicleClass: vehicle.vehicleClass ?? undefined,
    fuelType: vehicle.fuelType ?? undefined,
    drivetrain: vehicle.drivetrain ?? undefined,
    batteryNominalV: vehicle.batteryNominalV ?? undefined,
  }
}

/** Null takes a value away; what is left out stays. */
export function fromPlatformChange({ deviceType, connectionMethod, status, ...removable }: DeviceChange): DeviceChanges {
  const given = Object.entries(removable).filter(([, value]) => value !== undefined)
  return {
    ...(deviceType === undefined ? {} : { deviceType }),
    ...(connectionMethod === undefined ? {} : { connectionMethod }),
    ...(status === undefined ? {} : { status }),
    ...Object.fromEntries(given.map(([field, value]) => [field, value ?? undefined])),
  }
}

export function toPlatformRegistered(
  { deviceId, status, subClientId, vehicleId, trackerToken, ...credentials }: Registration,
  resellerId: string,
  mqtt: MqttAddress,
): DeviceRegistered {
  return {
    id: deviceId,
    status,
    ...toPlatformCredentials({ deviceId, ...credentials }, resellerId, mqtt),
    ...(trackerToken === undefined ? {} : { trackerToken }),
    vehicleId: vehicleId ?? null,
    subClientId: subClientId ?? null,
  }
}

export function toPlatformCredentials(
  { deviceId, password, passwordHash }: Pick<Registration, 'deviceId' | 'password' | 'passwordHash'>,
  resellerId: string,
  mqtt: MqttAddress,
) {
  return {
    mqttBroker: mqtt.broker(),
    mqttUsername: mqttUsername(resellerId, deviceId),
    mqttPassword: password,
    mqttPasswordHash: passwordHash,
    mqttTopic: mqttTopic(mqtt.topicPrefix, resellerId, deviceId),
  }
}

export function toPlatformDevice(
  device: Device,
  vehicle: VehicleNames | undefined,
  resellerId: string,
  { topicPrefix, now, offlineAfterMs }: { topicPrefix: string; now: Date; offlineAfterMs: number },
): WireDevice {
  return {
    id: device.deviceId,
    name: device.name ?? null,
    imei: device.imei ?? null,
    deviceType: device.deviceType,
    connectionMethod: device.connectionMethod,
    simNumber: device.simNumber ?? null,
    status: device.status,
    online: isOnline(device, now, offlineAfterMs),
    lastSeenAt: device.lastSeenAt?.toISOString() ?? null,
    battery: toWireBattery(device.battery),
    subClientId: device.subClientId ?? null,
    vehicleId: device.vehicleId ?? null,
    vehicle: vehicle ?? null,
    mqttUsername: mqttUsername(resellerId, device.deviceId),
    mqttTopic: mqttTopic(topicPrefix, resellerId, device.deviceId),
    createdAt: device.createdAt.toISOString(),
    updatedAt: device.updatedAt.toISOString(),
  }
}

function toWireBattery(battery: DeviceBattery | undefined): WireDevice['battery'] {
  if (battery === undefined) return null
  const { pct, voltageV, recordedAt } = battery
  return { percent: pct ?? null, voltageV: voltageV ?? null, recordedAt: recordedAt.toISOString() }
}
