// Groups of vehicles that people make: a depot, a contract, what one workshop looks after.

import { type Static, Type } from 'typebox'
import { nullable, Pagination, pageQuery, timestamp, timestampExample, total } from '../wire-fields.ts'
import { vehicleIdExample } from './alerts.ts'

/** In one request; a group takes more by several. */
const MAX_GROUPED_AT_ONCE = 500

export const vehicleGroupIdExample = 'vgr-3k6n9q2t5w8z1c4f7j0m'

const name = Type.String({ minLength: 1, maxLength: 120, description: 'For people. No two groups of the same owner have the same name.' })
const subClientId = nullable(
  Type.String({ minLength: 1, maxLength: 64, description: 'Only vehicles of this sub-client. It stays. Null: of the whole fleet.' }),
)
const vehicleIds = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: MAX_GROUPED_AT_ONCE,
      description,
      examples: [[vehicleIdExample]],
    }),
  )

export const VehicleGroup = Type.Object(
  {
    id: Type.String(),
    name,
    subClientId,
    vehicleCount: Type.Integer({ minimum: 0, description: 'Its vehicles that are in service.' }),
    createdAt: timestamp('When it was made.'),
    updatedAt: timestamp('When its name or its vehicles were last changed.'),
  },
  {
    title: 'VehicleGroup',
    description: 'Vehicles under a name. A vehicle can be in several; `GET /vehicles?groupId=…` lists those of one.',
    examples: [
      {
        ...{ id: vehicleGroupIdExample, name: 'Depot North', subClientId: null, vehicleCount: 12 },
        ...{ createdAt: timestampExample, updatedAt: timestampExample },
      },
    ],
  },
)
export type VehicleGroup = Static<typeof VehicleGroup>

export const CreateVehicleGroup = Type.Object(
  { name, subClientId: Type.Optional(subClientId), vehicleIds: vehicleIds('Its vehicles, by our id or yours.') },
  { title: 'CreateVehicleGroup', examples: [{ name: 'Depot North', vehicleIds: [vehicleIdExample] }] },
)
export type CreateVehicleGroup = Static<typeof CreateVehicleGroup>

export const VehicleGroupChange = Type.Object(
  {
    name: Type.Optional(name),
    addVehicleIds: vehicleIds('Vehicles that come into it, by our id or yours. One that is in it already stays.'),
    removeVehicleIds: vehicleIds('Vehicles that leave it. One that is not in it is passed over.'),
  },
  {
    title: 'VehicleGroupChange',
    minProperties: 1,
    description: 'What is left out stays as it is.',
    examples: [{ addVehicleIds: [vehicleIdExample] }],
  },
)
export type VehicleGroupChange = Static<typeof VehicleGroupChange>

export const VehicleGroupList = Type.Object(
  { total, vehicleGroups: Type.Array(VehicleGroup), pagination: Pagination },
  { title: 'VehicleGroupList', description: 'A page of groups, oldest first.' },
)

export const DeletedVehicleGroup = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  {
    title: 'DeletedVehicleGroup',
    description: 'Its vehicles stay as they are.',
    examples: [{ id: vehicleGroupIdExample, deleted: true }],
  },
)

export const VehicleGroupParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, examples: [vehicleGroupIdExample] }),
})
export const VehicleGroupListQuery = Type.Object({
  vehicleId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only groups that this vehicle is in, by our id.',
      examples: [vehicleIdExample],
    }),
  ),
  ...pageQuery,
})
