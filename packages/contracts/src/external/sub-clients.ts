// Sub-clients of a reseller (spec §2.1, §4.1).

import { type Static, Type } from 'typebox'
import { nullable, oneLine, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { reference, subClientId, success, text } from './references.ts'

const example = {
  sub_client_id: 'acme-logistics',
  name: 'Acme Logistics',
  contact_email: 'fleet@acme.example',
  contact_phone: '+1-555-0100',
  metadata: { region: 'west' },
  status: 'active',
  device_count: 12,
  vehicle_count: 11,
  limits: { devices: 50, readings_per_month: null, predictions_per_month: 1_000 },
  created_at: timestampExample,
  updated_at: timestampExample,
}

export const status = Type.Enum(['active', 'suspended', 'deactivated'], {
  type: 'string',
  description: '`suspended` and `deactivated`: reads work, writes and readings are refused (`sub_client_suspended`).',
})
export const name = Type.String({
  minLength: 1,
  maxLength: 200,
  ...oneLine,
  description: 'Display name.',
  examples: ['Acme Logistics'],
})
export const email = Type.String({ format: 'email', maxLength: 200, description: 'Contact e-mail.', examples: ['fleet@acme.example'] })
export const phone = text('Contact phone.', '+1-555-0100')
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Free-form, at most 16 KiB of JSON.',
  examples: [{ region: 'west' }],
})

/** Of a 64-bit count what JSON and JavaScript carry exactly, and more than anybody sends in a month. */
const MAX_PER_MONTH = 1_000_000_000_000
const limit = (maximum: number, description: string) => nullable(Type.Integer({ minimum: 0, maximum, description }))
export const limitFields = {
  devices: limit(10_000_000, 'Devices that are not decommissioned. Null: no limit.'),
  readings_per_month: limit(MAX_PER_MONTH, 'Readings stored in a calendar month (UTC). Null: no limit.'),
  predictions_per_month: limit(MAX_PER_MONTH, 'Predictions asked for in a calendar month (UTC). Null: no limit.'),
}

export const SubClient = Type.Object(
  {
    sub_client_id: subClientId('URL-safe id; never changes.'),
    name: Type.String(),
    contact_email: nullable(Type.String()),
    contact_phone: nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    status,
    device_count: Type.Integer({ minimum: 0, description: 'Devices of the sub-client that are not decommissioned.' }),
    vehicle_count: Type.Integer({ minimum: 0 }),
    limits: Type.Object(limitFields, { title: 'SubClientLimits', description: 'Beyond them: 403 `quota_exceeded`.' }),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it was last changed.'),
  },
  { title: 'SubClient', examples: [example] },
)
export type SubClient = Static<typeof SubClient>

export const SubClientCreate = Type.Object(
  {
    name,
    sub_client_id: Type.Optional(nullable(subClientId('Made from the name when left out.'))),
    contact_email: Type.Optional(nullable(email)),
    contact_phone: Type.Optional(nullable(phone)),
    metadata: Type.Optional(nullable(metadata)),
  },
  {
    title: 'SubClientCreate',
    examples: [
      { name: example.name, contact_email: example.contact_email, contact_phone: example.contact_phone, metadata: example.metadata },
    ],
  },
)
export type SubClientCreate = Static<typeof SubClientCreate>

export const SubClientUpdate = Type.Object(
  {
    name: Type.Optional(name),
    status: Type.Optional(status),
    contact_email: Type.Optional(nullable({ ...email, description: 'Null removes it.' })),
    contact_phone: Type.Optional(nullable({ ...phone, description: 'Null removes it.' })),
    metadata: Type.Optional(nullable({ ...metadata, description: 'Replaces the whole object; null empties it.' })),
    limits: Type.Optional(
      Type.Partial(Type.Object(limitFields), {
        title: 'SubClientLimitsChange',
        description: 'What is left out stays; null removes a limit. Not with a key that is pinned to the sub-client.',
      }),
    ),
  },
  {
    title: 'SubClientUpdate',
    minProperties: 1,
    description: 'What is left out stays.',
    examples: [{ name: 'Acme Logistics West', status: 'suspended' }],
  },
)
export type SubClientUpdate = Static<typeof SubClientUpdate>

export const SubClientAnswer = Type.Object(
  { success, sub_client: SubClient },
  { title: 'SubClientAnswer', description: 'The sub-client as it is now.' },
)
export const SubClientDeactivated = Type.Object(
  {
    success,
    sub_client: SubClient,
    devices_unassigned: Type.Integer({
      minimum: 0,
      description: 'How many devices this call took from the sub-client; they stay registered.',
      examples: [12],
    }),
  },
  { title: 'SubClientDeactivated', description: 'The sub-client as it is now, and what became of its devices.' },
)
export const SubClientList = Type.Object(
  { total, sub_clients: Type.Array(SubClient), pagination: Pagination },
  { title: 'SubClientList', description: 'A page of sub-clients.' },
)

export const SubClientParams = Type.Object({ sub_client_id: reference('A sub-client of this reseller.', 'acme-logistics') })
export const SubClientListQuery = Type.Object({ status: Type.Optional(status), ...pageQuery })
