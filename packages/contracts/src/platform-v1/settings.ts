// What a reseller sets for all of its fleet.

import { type Static, Type } from 'typebox'

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
