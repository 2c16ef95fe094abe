// Devices as the External API spells them.

import type {
  DeviceRegister,
  DeviceRegistered,
  DeviceUpdate,
  InlineVehicle,
  Device as WireDevice,
} from '@roadworthy/contracts/external/devices'
import { canonicalJson } from '@roadworthy/service-kit/text/canonical-json'
import { type Device, isOnline } from './device.ts'
import type { DeviceChanges } from './devices.sql.ts'
import { mqttTopic, mqttUsername } from './mqtt-identity.ts'
import type { Registration, RegistrationRequest } from './register-device.ts'

export type MqttAddress = {
  /** `<host>:<port>` as devices are to reach it; asked each time, since a free port is known only once the broker listens. */
  readonly broker: () => string
  readonly topicPrefix: string
}

export function fromExternalRegistration(body: DeviceRegister): RegistrationRequest {
  return {
    name: body.name ?? undefined,
    imei: body.imei ?? undefined,
    deviceType: body.device_type ?? 'other',
    connectionMethod: body.connection_method ?? 'mqtt',
    simNumber: body.sim_number ?? undefined,
    status: body.status ?? 'active',
    subClientId: body.sub_client_id ?? undefined,
    vehicle: fromInlineVehicle(body.vehicle ?? undefined),
    bodyText: canonicalJson(body),
  }
}

function fromInlineVehicle(vehicle: InlineVehicle | undefined): RegistrationRequest['vehicle'] {
  if (vehicle === undefined || vehicle.mode === 'none') return undefined
  const vin = vehicle.vin ?? undefined
  if (vehicle.mode === 'link') return { mode: 'link', reference: vehicle.vehicle_id ?? undefined, vin }
  return {
    mode: 'create',
    vin,
    make: vehicle.make ?? undefined,
    model: vehicle.model ?? undefined,
    year: vehicle.year ?? undefined,
    licensePlate: vehicle.license_plate ?? undefined,
    name: vehicle.name ?? undefined,
    vehicleClass: vehicle.vehicle_class ?? undefined,
    fuelType: vehicle.fuel_type ?? undefined,
    drivetrain: vehicle.drivetrain ?? undefined,
    batteryNominalV: vehicle.battery_nominal_v ?? undefined,
  }
}

export function fromExternalUpdate(body: DeviceUpdate): DeviceChanges {
  return {
    ...(body.name === undefined ? {} : { name: body.name ?? undefined }),
    ...(body.device_type === undefined ? {} : { deviceType: body.device_type }),
    ...(body.connection_method === undefined ? {} : { connectionMethod: body.connection_method }),
    ...(body.sim_number === undefined ? {} : { simNumber: body.sim_number ?? undefined }),
    ...(body.status === undefined ? {} : { status: body.status }),
    ...(body.sub_client_id === undefined ? {} : { subClientId: body.sub_client_id ?? undefined }),
    ...(body.vehicle_id === undefined ? {} : { vehicleId: body.vehicle_id ?? undefined }),
  }
}

export function toExternalRegistered(
  { deviceId, status, subClientId, vehicleId, trackerToken, ...credentials }: Registration,
  resellerId: string,
  mqtt: MqttAddress,
): DeviceRegistered {
  return {
    success: true,
    device_id: deviceId,
    status,
    ...toExternalCredentials({ deviceId, ...credentials }, resellerId, mqtt),
    ...(trackerToken === undefined ? {} : { tracker_token: trackerToken }),
    vehicle_id: vehicleId ?? null,
    sub_client_id: subClientId ?? null,
  }
}

export function toExternalCredentials(
  { deviceId, password, passwordHash }: { deviceId: string; password: string; passwordHash: string },
  resellerId: string,
  mqtt: MqttAddress,
) {
  return {
    mqtt_broker: mqtt.broker(),
    mqtt_username: mqttUsername(resellerId, deviceId),
    mqtt_password: password,
    mqtt_password_hash: passwordHash,
    mqtt_topic: mqttTopic(mqtt.topicPrefix, resellerId, deviceId),
  }
}

export function toExternalDevice(
  device: Device,
  resellerId: string,
  { topicPrefix, now, offlineAfterMs }: { topicPrefix: string; now: Date; offlineAfterMs: number },
): WireDevice {
  return {
    id: device.deviceId,
    device_id: device.deviceId,
    name: device.name ?? null,
    imei: device.imei ?? null,
    device_type: device.deviceType,
    connection_method: device.connectionMethod,
    sim_number: device.simNumber ?? null,
    status: device.status,
    online: isOnline(device, now, offlineAfterMs),
    last_seen_at: device.lastSeenAt?.toISOString() ?? null,
    sub_client_id: device.subClientId ?? null,
    vehicle_id: device.vehicleId ?? null,
    mqtt_username: mqttUsername(resellerId, device.deviceId),
    mqtt_topic: mqttTopic(topicPrefix, resellerId, device.deviceId),
    created_at: device.createdAt.toISOString(),
    updated_at: device.updatedAt.toISOString(),
  }
}
