// Devices and their credentials, as the External API has them (spec §2.2, §3), for people and programs of the Platform API.

import { type Static, Type } from 'typebox'
import {
  connectionMethod,
  deviceIdExample,
  deviceStatus,
  deviceType,
  InlineVehicle as ExternalInlineVehicle,
  CredentialsRotate as ExternalRotate,
  imei,
  imeiExample,
  name,
  simNumber,
  trackerToken,
} from '../external/devices.ts'
import { deviceReference, reference, subClientFilter, subClientId } from '../external/references.ts'
import { vehicleDescription, vehicleIdExample } from '../external/vehicles.ts'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'

const vehicleExample = { id: vehicleIdExample, name: 'Truck 17', licensePlate: 'KA-01-AB-1234', externalRef: null, vin: null }

const DeviceVehicle = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String()),
    licensePlate: nullable(Type.String()),
    externalRef: nullable(Type.String()),
    vin: nullable(Type.String()),
  },
  { title: 'DeviceVehicle', description: 'The vehicle, by all its names.', examples: [vehicleExample] },
)

const DeviceBattery = Type.Object(
  {
    percent: nullable(Type.Number({ description: 'How full it is, 0 to 100.' })),
    voltageV: nullable(Type.Number({ description: 'Volts.' })),
    recordedAt: timestamp('When the newer of the two was recorded.'),
  },
  {
    title: 'DeviceBattery',
    description: 'Of the phone or tracker itself. Nothing judges a vehicle by it.',
    examples: [{ percent: 83, voltageV: null, recordedAt: timestampExample }],
  },
)

export const Device = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String()),
    imei: nullable(Type.String()),
    deviceType: Type.String(),
    connectionMethod: Type.String(),
    simNumber: nullable(Type.String()),
    status: deviceStatus,
    online: Type.Boolean({
      description:
        'Whether it is connected to the MQTT broker, or was heard within the last minutes (a setting, 5 by default). False while it is suspended.',
    }),
    lastSeenAt: nullable(timestamp('When its newest message was received.')),
    battery: Type.Union([DeviceBattery, Type.Null()], { description: 'Null of a device that reports none.' }),
    subClientId: nullable(Type.String()),
    vehicleId: nullable(Type.String()),
    vehicle: Type.Union([DeviceVehicle, Type.Null()], { description: 'Null without a vehicle, and where the caller may not see it.' }),
    mqttUsername: Type.String(),
    mqttTopic: Type.String(),
    createdAt: timestamp('When it was registered.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  {
    title: 'Device',
    description: 'The device as it is now.',
    examples: [
      {
        id: deviceIdExample,
        name: 'Truck 17 dongle',
        imei: imeiExample,
        deviceType: 'obd_dongle',
        connectionMethod: 'mqtt',
        simNumber: '8944500102198304826',
        status: 'active',
        online: true,
        lastSeenAt: timestampExample,
        battery: null,
        subClientId: 'acme-logistics',
        vehicleId: vehicleIdExample,
        vehicle: vehicleExample,
        mqttUsername: `north-fleet/${deviceIdExample}`,
        mqttTopic: `fleet/north-fleet/devices/${deviceIdExample}/telemetry`,
        createdAt: timestampExample,
        updatedAt: timestampExample,
      },
    ],
  },
)
export type Device = Static<typeof Device>

const InlineVehicle = Type.Object(
  {
    mode: ExternalInlineVehicle.properties.mode,
    vehicleId: ExternalInlineVehicle.properties.vehicle_id,
    make: vehicleDescription.make,
    model: vehicleDescription.model,
    year: vehicleDescription.year,
    vin: vehicleDescription.vin,
    licensePlate: vehicleDescription.license_plate,
    name: vehicleDescription.name,
    vehicleClass: vehicleDescription.vehicle_class,
    fuelType: vehicleDescription.fuel_type,
    drivetrain: vehicleDescription.drivetrain,
    batteryNominalV: vehicleDescription.battery_nominal_v,
  },
  { title: 'InlineVehicle' },
)
export type InlineVehicle = Static<typeof InlineVehicle>

export const DeviceRegister = Type.Object(
  {
    name: Type.Optional(nullable(name)),
    imei: Type.Optional(nullable(imei)),
    deviceType: Type.Optional({ ...deviceType, default: 'other' }),
    connectionMethod: Type.Optional({ ...connectionMethod, default: 'mqtt' }),
    simNumber: Type.Optional(nullable(simNumber)),
    subClientId: Type.Optional(nullable(subClientId('Sub-client that receives the device.'))),
    status: Type.Optional(
      Type.Enum(['active', 'pending'], {
        type: 'string',
        default: 'active',
        description: '`pending` provisions the device beforehand: it becomes active with its first message.',
      }),
    ),
    vehicle: Type.Optional(nullable(InlineVehicle)),
  },
  {
    title: 'DeviceRegister',
    description: 'A name or an IMEI is needed. The same body for the same IMEI within 24 hours gets the first answer again.',
    examples: [
      {
        name: 'Truck 17 dongle',
        imei: imeiExample,
        deviceType: 'obd_dongle',
        subClientId: 'acme-logistics',
        vehicle: { mode: 'create', make: 'Toyota', model: 'Etios', year: 2014, licensePlate: 'KA-01-AB-1234' },
      },
    ],
  },
)
export type DeviceRegister = Static<typeof DeviceRegister>

const credentials = {
  mqttBroker: Type.String({
    description: '`<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5.',
    examples: ['mqtt.example.com:1883'],
  }),
  mqttUsername: Type.String({ description: '`<reseller_slug>/<device_id>`', examples: [`north-fleet/${deviceIdExample}`] }),
  mqttPassword: Type.String({ description: 'Shown in this answer only.', examples: ['u1Jm3xGq0hVvQkq7yT2cXw9sBz4nEo5r'] }),
  mqttPasswordHash: Type.String({
    description: 'PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`.',
    examples: ['$7$1000$kPz3mB0x2dVYc1Qe$…'],
  }),
  mqttTopic: Type.String({
    description: '`<prefix>/<reseller_slug>/devices/<device_id>/telemetry`',
    examples: [`fleet/north-fleet/devices/${deviceIdExample}/telemetry`],
  }),
}
const id = Type.String({ examples: [deviceIdExample] })

export const DeviceRegistered = Type.Object(
  {
    id,
    status: Type.Enum(['active', 'pending'], { type: 'string' }),
    ...credentials,
    trackerToken,
    vehicleId: nullable(Type.String({ description: 'The vehicle created or linked.', examples: [vehicleIdExample] })),
    subClientId: nullable(Type.String({ examples: ['acme-logistics'] })),
  },
  { title: 'DeviceRegistered', description: 'The device is registered; this is the one time its password is shown.' },
)
export type DeviceRegistered = Static<typeof DeviceRegistered>

export const DeviceChange = Type.Object(
  {
    name: Type.Optional(nullable({ ...name, description: 'Null removes it.' })),
    subClientId: Type.Optional(nullable(subClientId('Reassigns the device; null unassigns it.'))),
    deviceType: Type.Optional(deviceType),
    connectionMethod: Type.Optional(connectionMethod),
    simNumber: Type.Optional(nullable({ ...simNumber, description: 'Null removes it.' })),
    vehicleId: Type.Optional(nullable(reference('Links the vehicle; null unlinks.', vehicleIdExample))),
    status: Type.Optional(Type.Enum(['pending', 'active', 'suspended'], { type: 'string' })),
  },
  { title: 'DeviceChange', minProperties: 1, description: 'What is left out stays.', examples: [{ subClientId: 'acme-logistics' }] },
)
export type DeviceChange = Static<typeof DeviceChange>

export const DeviceList = Type.Object(
  { devices: Type.Array(Device), total, pagination: Pagination },
  { title: 'DeviceList', description: 'A page of devices.' },
)

export const DeviceDecommissioned = Type.Object(
  { id, status: Type.Literal('decommissioned'), decommissionedAt: timestamp('When it was first decommissioned.') },
  { title: 'DeviceDecommissioned', description: 'The device is decommissioned and its credentials no longer work.' },
)

export const CredentialsRotate = Type.Object(
  { graceSeconds: ExternalRotate.properties.grace_seconds },
  { title: 'CredentialsRotate', examples: [{ graceSeconds: 3600 }] },
)

export const CredentialsRotated = Type.Object(
  { id, ...credentials, previousValidUntil: nullable(timestamp('Until when the password before is good; null: no longer.')) },
  { title: 'CredentialsRotated', description: 'The new credentials; this is the one time the password is shown.' },
)
export type CredentialsRotated = Static<typeof CredentialsRotated>

export const DeviceParams = Type.Object({ id: deviceReference })
export const DeviceListQuery = Type.Object({
  subClientId: subClientFilter,
  status: Type.Optional(deviceStatus),
  presence: Type.Optional(
    Type.Enum(['online', 'offline', 'never'], {
      type: 'string',
      description: '`online` as in the field; `never`: nothing was ever received of it; `offline`: the others.',
    }),
  ),
  search: Type.Optional(reference('Only what has this in its name, id, IMEI or SIM number, or in a name of its vehicle.', 'KA-01')),
  ...pageQuery,
})
