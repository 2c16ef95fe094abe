// Many devices at once: for example a file of a purchase, whose devices are to be known before they are switched on.

import { type Static, Type } from 'typebox'
import { nullable } from '../wire-fields.ts'
import { DeviceRegister, DeviceRegistered } from './devices.ts'

export const MAX_IMPORTED_DEVICES = 1_000

export const ImportedDevice = Type.Object(
  {
    ...DeviceRegister.properties,
    status: Type.Optional(
      Type.Enum(['active', 'pending'], {
        type: 'string',
        default: 'pending',
        description: 'A `pending` device becomes active with its first message.',
      }),
    ),
  },
  { title: 'ImportedDevice', description: 'As for one registration, but `pending` unless it states otherwise.' },
)
export type ImportedDevice = Static<typeof ImportedDevice>

export const DeviceImport = Type.Object(
  {
    devices: Type.Array(ImportedDevice, { minItems: 1, maxItems: MAX_IMPORTED_DEVICES }),
    dryRun: Type.Optional(
      Type.Boolean({ default: false, description: 'True: every row is checked as if it were registered, and nothing is kept.' }),
    ),
    skipInvalid: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True: rows that can be registered are, and the others are reported. False: all or none.',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], {
        type: 'string',
        default: 'json',
        description: 'Of the answer. `csv`: a file with a line for each row, its credentials or why it was refused.',
      }),
    ),
  },
  {
    title: 'DeviceImport',
    examples: [{ devices: [{ imei: '356938035643809', name: 'Truck 17 dongle', vehicle: { mode: 'create', licensePlate: 'KA-01' } }] }],
  },
)
export type DeviceImport = Static<typeof DeviceImport>

const RowError = Type.Object(
  {
    code: Type.String({ examples: ['invalid_request'] }),
    message: Type.String({ examples: ['"imei" must have 14 to 16 digits.'] }),
    field: nullable(Type.String({ description: 'The field of the row that is to blame.', examples: ['imei'] })),
  },
  { title: 'DeviceImportError' },
)

export const DeviceImportRow = Type.Object(
  {
    row: Type.Integer({ minimum: 1, description: 'Place in `devices`, from 1.' }),
    status: Type.Enum(['valid', 'registered', 'repeated', 'refused'], {
      type: 'string',
      description:
        '`valid`: would be registered. `repeated`: was registered with the same fields within 24 hours, and shows the same credentials again.',
    }),
    device: Type.Union([DeviceRegistered, Type.Null()], {
      description: 'The device with its credentials. Null in a dry run, and where it was refused.',
    }),
    error: Type.Union([RowError, Type.Null()]),
  },
  { title: 'DeviceImportRow' },
)
export type DeviceImportRow = Static<typeof DeviceImportRow>

export const DeviceImported = Type.Object(
  {
    dryRun: Type.Boolean(),
    registeredCount: Type.Integer({
      minimum: 0,
      description: 'Rows that were registered, repeated ones included; in a dry run those that would be.',
    }),
    refusedCount: Type.Integer({ minimum: 0 }),
    rows: Type.Array(DeviceImportRow, { description: 'One for each device, in the same order.' }),
  },
  {
    title: 'DeviceImported',
    description: 'What became of each row. This is the one time that passwords are shown.',
    examples: [
      {
        dryRun: true,
        registeredCount: 0,
        refusedCount: 1,
        rows: [
          {
            row: 1,
            status: 'refused',
            device: null,
            error: { code: 'device_exists', message: 'A device with this IMEI is registered already.', field: 'imei' },
          },
        ],
      },
    ],
  },
)
export type DeviceImported = Static<typeof DeviceImported>
