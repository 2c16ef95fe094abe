// How the External API names its things in bodies, paths and filters (spec §2.1 to §2.3, §4.1).

import { Type } from 'typebox'
import { oneLine } from '../wire-fields.ts'

const MAX_TEXT_LENGTH = 200
export const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, ...oneLine, description, examples: [example] })

export const subClientId = (description = 'A sub-client of this reseller.') =>
  Type.String({ pattern: '^[a-z0-9-]{1,64}$', description, examples: ['acme-logistics'] })

/** In paths and filters anything may be asked for; what cannot exist is simply not found. */
export const reference = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, description, examples: [example] })

export const deviceReference = reference('Device id, or IMEI of a device that is not decommissioned.', 'dev-4k2p9x7m1c8v5b3n6q0z')
export const subClientFilter = Type.Optional(reference('Only what belongs to this sub-client.', 'acme-logistics'))

/** No longer than the `vehicle_id` of a reading may be, in which it stands. */
export const externalRef = Type.String({
  minLength: 1,
  maxLength: 128,
  ...oneLine,
  description: "The caller's own name for the vehicle, unique within the reseller; without the blanks around it.",
  examples: ['truck-17'],
})

export const success = Type.Literal(true)
