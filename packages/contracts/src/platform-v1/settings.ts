// What a reseller sets for all of its fleet.

import { type Static, Type } from 'typebox'
import { nullable } from '../wire-fields.ts'

const MAX_LEAD_DAYS = 90

export const MaintenanceSettings = Type.Object(
  {
    leadDays: Type.Integer({
      minimum: 0,
      maximum: MAX_LEAD_DAYS,
      description: 'How many days before the early end (P10) of a remaining life work on it is advised. 7 until it is set.',
    }),
  },
  {
    title: 'MaintenanceSettings',
    description: 'What holds for the whole fleet.',
    additionalProperties: false,
    examples: [{ leadDays: 7 }],
  },
)
export type MaintenanceSettings = Static<typeof MaintenanceSettings>

const MAX_RETENTION_DAYS = 36_500
const MAX_SUB_CLIENT_TERMS = 1_000

const keptDays = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: MAX_RETENTION_DAYS, description: `${description} Null: for ever.`, examples: [730] }))

const SubClientRetention = Type.Object(
  {
    subClientId: Type.String({ minLength: 1, maxLength: 64, description: 'A sub-client.' }),
    days: keptDays('For how many days its readings are kept.'),
  },
  { title: 'SubClientRetention', additionalProperties: false },
)

/** Body of `PUT /settings/readings-retention`, which takes the place of all that was set before. */
export const ReadingsRetentionChange = Type.Object(
  {
    days: Type.Optional(keptDays('For how many days readings are kept. Left out: as long as the service keeps those of everybody.')),
    subClients: Type.Optional(
      Type.Array(SubClientRetention, {
        maxItems: MAX_SUB_CLIENT_TERMS,
        description: 'Sub-clients of whom it is another time. Left out: none.',
      }),
    ),
  },
  {
    title: 'ReadingsRetentionChange',
    additionalProperties: false,
    examples: [{ days: 730, subClients: [{ subClientId: 'north', days: null }] }],
  },
)
export type ReadingsRetentionChange = Static<typeof ReadingsRetentionChange>

export const ReadingsRetention = Type.Object(
  {
    days: keptDays('For how many days readings are kept that are of no sub-client below.'),
    isPreset: Type.Boolean({ description: 'Whether that is what the service keeps those of everybody for, because nothing else is set.' }),
    presetDays: Type.Integer({ minimum: 1, description: 'For how many days the service keeps readings where nothing is set.' }),
    minDays: Type.Integer({ minimum: 1, description: 'The least that can be set: readings of so long ago are still accepted.' }),
    subClients: Type.Array(SubClientRetention, { description: 'Sub-clients of whom it is another time.' }),
  },
  {
    title: 'ReadingsRetention',
    description:
      'For how long readings are kept, in the database or in files, and points of the health history. What is older is removed, up to a week later.',
    examples: [{ days: 730, isPreset: false, presetDays: 400, minDays: 30, subClients: [{ subClientId: 'north', days: null }] }],
  },
)
export type ReadingsRetention = Static<typeof ReadingsRetention>
