// Sub-clients, as the External API has them (spec §2.1), for people and programs of the Platform API.

import { type Static, Type } from 'typebox'
import { reference, subClientId } from '../external/references.ts'
import { email, limitFields, metadata, name, phone, status } from '../external/sub-clients.ts'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'

const example = {
  id: 'acme-logistics',
  name: 'Acme Logistics',
  contactEmail: 'fleet@acme.example',
  contactPhone: '+1-555-0100',
  metadata: { region: 'west' },
  status: 'active',
  deviceCount: 12,
  vehicleCount: 11,
  limits: { devices: 50, readingsPerMonth: null, predictionsPerMonth: 1_000 },
  createdAt: timestampExample,
  updatedAt: timestampExample,
}

const limits = {
  devices: limitFields.devices,
  readingsPerMonth: limitFields.readings_per_month,
  predictionsPerMonth: limitFields.predictions_per_month,
}

export const SubClient = Type.Object(
  {
    id: subClientId('URL-safe id; never changes.'),
    name: Type.String(),
    contactEmail: nullable(Type.String()),
    contactPhone: nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    status,
    deviceCount: Type.Integer({ minimum: 0, description: 'Devices of the sub-client that are not decommissioned.' }),
    vehicleCount: Type.Integer({ minimum: 0, description: 'Its vehicles that are not retired.' }),
    limits: Type.Object(limits, { title: 'SubClientLimits', description: 'Beyond them: 403 `quota_exceeded`.' }),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'SubClient', description: 'The sub-client as it is now.', examples: [example] },
)
export type SubClient = Static<typeof SubClient>

export const SubClientCreate = Type.Object(
  {
    name,
    id: Type.Optional(nullable(subClientId('Made from the name when left out.'))),
    contactEmail: Type.Optional(nullable(email)),
    contactPhone: Type.Optional(nullable(phone)),
    metadata: Type.Optional(nullable(metadata)),
  },
  { title: 'SubClientCreate', examples: [{ name: example.name, contactEmail: example.contactEmail, metadata: example.metadata }] },
)
export type SubClientCreate = Static<typeof SubClientCreate>

export const SubClientChange = Type.Object(
  {
    name: Type.Optional(name),
    status: Type.Optional(status),
    contactEmail: Type.Optional(nullable({ ...email, description: 'Null removes it.' })),
    contactPhone: Type.Optional(nullable({ ...phone, description: 'Null removes it.' })),
    metadata: Type.Optional(nullable({ ...metadata, description: 'Replaces the whole object; null empties it.' })),
    limits: Type.Optional(
      Type.Partial(Type.Object(limits), {
        title: 'SubClientLimitsChange',
        description: 'What is left out stays; null removes a limit. Not with a key that is pinned to the sub-client.',
      }),
    ),
  },
  {
    title: 'SubClientChange',
    minProperties: 1,
    description: 'What is left out stays.',
    examples: [{ name: 'Acme Logistics West', status: 'suspended' }],
  },
)
export type SubClientChange = Static<typeof SubClientChange>

const affected = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

export const SubClientDeactivation = Type.Object(
  {
    devices: affected('Devices that leave it. They stay registered, work as before, and belong to no sub-client.', 12),
    sims: affected('SIMs that leave it, in the background.', 12),
    vehicles: affected('Vehicles that stay with it: they can be read, not changed.', 11),
    people: affected('People who see this sub-client only. They may go on reading.', 2),
  },
  { title: 'SubClientDeactivation', description: 'What deactivating the sub-client would do, as it stands now.' },
)
export type SubClientDeactivation = Static<typeof SubClientDeactivation>

export const SubClientDeactivated = Type.Object(
  { subClient: SubClient, devicesUnassigned: affected('How many devices this call took from the sub-client.', 12) },
  { title: 'SubClientDeactivated', description: 'The sub-client as it is now, and what became of its devices.' },
)

export const SubClientList = Type.Object(
  { subClients: Type.Array(SubClient), total, pagination: Pagination },
  { title: 'SubClientList', description: 'A page of sub-clients.' },
)

export const SubClientParams = Type.Object({ id: reference('A sub-client of this reseller.', 'acme-logistics') })
export const SubClientListQuery = Type.Object({
  status: Type.Optional(status),
  search: Type.Optional(reference('Only those whose name or id contains this.', 'acme')),
  ...pageQuery,
})
