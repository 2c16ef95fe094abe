// Latest locations of devices (spec §2.4, §4.1; the record is Spec gap §2.4).

import { type Static, Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { deviceIdExample } from './devices.ts'
import { subClientFilter, success } from './references.ts'
import { vehicleIdExample } from './vehicles.ts'

export const Location = Type.Object(
  {
    device_id: Type.String(),
    imei: nullable(Type.String()),
    name: nullable(Type.String()),
    sub_client_id: nullable(Type.String()),
    vehicle_id: nullable(Type.String()),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    speed: nullable(Type.Number({ description: 'km/h' })),
    heading: nullable(Type.Number({ description: 'Degrees clockwise from north.' })),
    altitude: nullable(Type.Number({ description: 'Metres.' })),
    satellites: nullable(Type.Integer()),
    ignition: nullable(Type.Boolean()),
    battery_voltage: nullable(Type.Number({ description: 'V' })),
    event: nullable(Type.String()),
    timestamp: timestamp('When the device was there.'),
    received_at: timestamp('When the position was received.'),
    age_seconds: Type.Integer({ minimum: 0, description: 'Seconds since `timestamp`.' }),
    online: Type.Boolean({ description: 'As of the device.' }),
  },
  {
    title: 'Location',
    examples: [
      {
        device_id: deviceIdExample,
        imei: '356938035643809',
        name: 'Truck 17 dongle',
        sub_client_id: 'acme-logistics',
        vehicle_id: vehicleIdExample,
        latitude: 12.9716,
        longitude: 77.5946,
        speed: 42.5,
        heading: 270,
        altitude: 920,
        satellites: 11,
        ignition: true,
        battery_voltage: 14.1,
        event: 'periodic',
        timestamp: timestampExample,
        received_at: timestampExample,
        age_seconds: 4,
        online: true,
      },
    ],
  },
)
export type Location = Static<typeof Location>

export const LocationAnswer = Type.Object(
  { success, location: Location },
  { title: 'LocationAnswer', description: 'The newest location of the device.' },
)
export const LocationList = Type.Object(
  { total, locations: Type.Array(Location), pagination: Pagination },
  { title: 'LocationList', description: 'A page of locations. A device that never reported a position is not in it.' },
)
export const LocationListQuery = Type.Object({ sub_client_id: subClientFilter, ...pageQuery })
