// Devices: registration, credentials, decommission (spec §2.2, §3, §4.1).

import { type Static, Type } from 'typebox'
import { nullable, oneLine, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { deviceReference, reference, subClientFilter, subClientId, success, text } from './references.ts'
import { vehicleDescription, vehicleIdExample } from './vehicles.ts'

export const deviceIdExample = 'dev-4k2p9x7m1c8v5b3n6q0z'
export const imeiExample = '356938035643809'
export const trackerTokenExample = 'rwt-k3v9qzt7m2x8hd4wpr6bnyc5ga'

/** Spec gap §2.2: the allowed values. */
const deviceTypes = ['obd_dongle', 'gps_tracker', 'can_gateway', 'dashcam', 'mobile_app', 'asset_tracker', 'other'] as const
const connectionMethods = ['mqtt', 'http', 'stream', 'osmand', 'traccar', 'tcp'] as const

export const deviceType = Type.Enum([...deviceTypes], { type: 'string' })
export const connectionMethod = Type.Enum([...connectionMethods], { type: 'string' })
export const imei = Type.String({
  pattern: '^[0-9]{14,16}$',
  description: '14 to 16 digits; unique among living devices.',
  examples: [imeiExample],
})
export const name = text('Display name.', 'Truck 17 dongle')
export const simNumber = Type.String({
  minLength: 1,
  maxLength: 32,
  ...oneLine,
  description: 'SIM number.',
  examples: ['8944500102198304826'],
})
export const deviceStatus = Type.Enum(['pending', 'active', 'suspended', 'decommissioned'], { type: 'string' })

export const Device = Type.Object(
  {
    id: Type.String(),
    device_id: Type.String({ description: 'The same as `id`.' }),
    name: nullable(Type.String()),
    imei: nullable(Type.String()),
    device_type: Type.String(),
    connection_method: Type.String(),
    sim_number: nullable(Type.String()),
    status: deviceStatus,
    online: Type.Boolean({
      description:
        'Whether it is connected to the MQTT broker, or was heard within the last minutes (a setting, 5 by default). False while it is suspended.',
    }),
    last_seen_at: nullable(timestamp('When its newest message was received.')),
    sub_client_id: nullable(Type.String()),
    vehicle_id: nullable(Type.String()),
    mqtt_username: Type.String(),
    mqtt_topic: Type.String(),
    created_at: timestamp('When it was registered.'),
    updated_at: timestamp('When it was last changed.'),
  },
  {
    title: 'Device',
    examples: [
      {
        id: deviceIdExample,
        device_id: deviceIdExample,
        name: 'Truck 17 dongle',
        imei: imeiExample,
        device_type: 'obd_dongle',
        connection_method: 'mqtt',
        sim_number: '8944500102198304826',
        status: 'active',
        online: true,
        last_seen_at: timestampExample,
        sub_client_id: 'acme-logistics',
        vehicle_id: vehicleIdExample,
        mqtt_username: `north-fleet/${deviceIdExample}`,
        mqtt_topic: `fleet/north-fleet/devices/${deviceIdExample}/telemetry`,
        created_at: timestampExample,
        updated_at: timestampExample,
      },
    ],
  },
)
export type Device = Static<typeof Device>

/** Spec gap §2.2: the modes beside `create`. */
export const InlineVehicle = Type.Object(
  {
    mode: Type.Optional(
      Type.Enum(['create', 'link', 'none'], {
        type: 'string',
        default: 'create',
        description:
          '`create`: the known vehicle with this VIN, else with this plate within the sub-client, else a new one. `link`: a known one, by `vehicle_id` or `vin`. `none`: no vehicle.',
      }),
    ),
    vehicle_id: Type.Optional(nullable(reference('With `link`: the vehicle.', vehicleIdExample))),
    ...vehicleDescription,
  },
  { title: 'InlineVehicle' },
)
export type InlineVehicle = Static<typeof InlineVehicle>

export const DeviceRegister = Type.Object(
  {
    name: Type.Optional(nullable(name)),
    imei: Type.Optional(nullable(imei)),
    device_type: Type.Optional({ ...deviceType, default: 'other' }),
    connection_method: Type.Optional({ ...connectionMethod, default: 'mqtt' }),
    sim_number: Type.Optional(nullable(simNumber)),
    sub_client_id: Type.Optional(nullable(subClientId('Sub-client that receives the device.'))),
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
        device_type: 'obd_dongle',
        sim_number: '8944500102198304826',
        connection_method: 'mqtt',
        sub_client_id: 'acme-logistics',
        vehicle: { mode: 'create', make: 'Toyota', model: 'Etios', year: 2014, license_plate: 'KA-01-AB-1234' },
      },
    ],
  },
)
export type DeviceRegister = Static<typeof DeviceRegister>

const credentials = {
  mqtt_broker: Type.String({
    description: '`<host>:<port>`. The embedded broker speaks MQTT 3.1.1 and 3.1, not MQTT 5.',
    examples: ['mqtt.example.com:1883'],
  }),
  mqtt_username: Type.String({ description: '`<reseller_slug>/<device_id>`', examples: [`north-fleet/${deviceIdExample}`] }),
  mqtt_password: Type.String({ description: 'Shown in this answer only.', examples: ['u1Jm3xGq0hVvQkq7yT2cXw9sBz4nEo5r'] }),
  mqtt_password_hash: Type.String({
    description: 'PBKDF2-SHA512 verifier of the password, as Mosquitto reads it: `$7$<iterations>$<salt>$<key>`.',
    examples: ['$7$1000$kPz3mB0x2dVYc1Qe$…'],
  }),
  mqtt_topic: Type.String({
    description: '`<prefix>/<reseller_slug>/devices/<device_id>/telemetry`',
    examples: [`fleet/north-fleet/devices/${deviceIdExample}/telemetry`],
  }),
}

/** Of a device that is registered with the connection method `osmand` or `http`. */
export const trackerToken = Type.Optional(
  Type.String({
    description:
      'With the connection method `osmand` or `http`: what the device sends with over HTTP (`/api/external/ingest/…`). Shown in this answer only.',
    examples: [trackerTokenExample],
  }),
)

export const DeviceRegistered = Type.Object(
  {
    success,
    device_id: Type.String({ examples: [deviceIdExample] }),
    status: Type.Enum(['active', 'pending'], { type: 'string' }),
    ...credentials,
    tracker_token: trackerToken,
    vehicle_id: nullable(Type.String({ description: 'The vehicle created or linked.', examples: [vehicleIdExample] })),
    sub_client_id: nullable(Type.String({ examples: ['acme-logistics'] })),
  },
  { title: 'DeviceRegistered', description: 'The device is registered; this is the one time its password is shown.' },
)
export type DeviceRegistered = Static<typeof DeviceRegistered>

export const DeviceUpdate = Type.Object(
  {
    name: Type.Optional(nullable({ ...name, description: 'Null removes it.' })),
    sub_client_id: Type.Optional(nullable(subClientId('Reassigns the device; null unassigns it.'))),
    device_type: Type.Optional(deviceType),
    connection_method: Type.Optional(connectionMethod),
    sim_number: Type.Optional(nullable({ ...simNumber, description: 'Null removes it.' })),
    vehicle_id: Type.Optional(nullable(reference('Links the vehicle; null unlinks.', vehicleIdExample))),
    status: Type.Optional(Type.Enum(['pending', 'active', 'suspended'], { type: 'string' })),
  },
  { title: 'DeviceUpdate', minProperties: 1, description: 'What is left out stays.', examples: [{ sub_client_id: 'acme-logistics' }] },
)
export type DeviceUpdate = Static<typeof DeviceUpdate>

export const DeviceAnswer = Type.Object({ success, device: Device }, { title: 'DeviceAnswer', description: 'The device as it is now.' })
export const DeviceList = Type.Object(
  { total, devices: Type.Array(Device), pagination: Pagination },
  { title: 'DeviceList', description: 'A page of devices.' },
)

export const DeviceDecommissioned = Type.Object(
  {
    success,
    device_id: Type.String({ examples: [deviceIdExample] }),
    status: Type.Literal('decommissioned'),
    decommissioned_at: timestamp('When it was first decommissioned.'),
  },
  { title: 'DeviceDecommissioned', description: 'The device is decommissioned and its credentials no longer work.' },
)

export const CredentialsRotate = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 86_400, default: 0, description: 'How long the password before stays good.' }),
    ),
  },
  { title: 'CredentialsRotate', examples: [{ grace_seconds: 3600 }] },
)
export const CredentialsRotated = Type.Object(
  {
    success,
    device_id: Type.String({ examples: [deviceIdExample] }),
    ...credentials,
    previous_valid_until: nullable(timestamp('Until when the password before is good; null: no longer.')),
  },
  { title: 'CredentialsRotated', description: 'The new credentials; this is the one time the password is shown.' },
)

export const DeviceParams = Type.Object({ device_id: deviceReference })
export const DeviceListQuery = Type.Object({ sub_client_id: subClientFilter, status: Type.Optional(deviceStatus), ...pageQuery })
