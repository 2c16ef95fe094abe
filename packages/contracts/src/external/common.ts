// What the resources of the External API have in common (spec §2.1 to §2.3, §4.1).

import { type Static, type TSchema, Type } from 'typebox'

export const timestampExample = '2026-01-31T08:15:00.000Z'

/** Every time in an answer: ISO 8601, UTC, milliseconds (spec §2.1). */
export const timestamp = (description: string) => Type.String({ format: 'date-time', description, examples: [timestampExample] })

/** `null` where the thing has no value; in a request the same as leaving the field out, unless its description says otherwise. */
export function nullable<T extends TSchema & { type?: unknown }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
}

const MAX_TEXT_LENGTH = 200
export const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, description, examples: [example] })

export const subClientId = (description = 'A sub-client of this reseller.') =>
  Type.String({ pattern: '^[a-z0-9-]{1,64}$', description, examples: ['acme-logistics'] })

/** In paths and filters anything may be asked for; what cannot exist is simply not found. */
export const reference = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, description, examples: [example] })

export const deviceReference = reference('Device id, or IMEI of a device that is not decommissioned.', 'dev-4k2p9x7m1c8v5b3n6q0z')
export const subClientFilter = Type.Optional(reference('Only what belongs to this sub-client.', 'acme-logistics'))

/** Spec gap §4.2: paging of every list. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Most items in the answer.' })),
  after: Type.Optional(Type.String({ maxLength: 400, description: '`pagination.endCursor` of the page before.' })),
}

export const Pagination = Type.Object(
  {
    endCursor: nullable(Type.String({ description: 'Give it as `after` to get the next page.' })),
    hasNextPage: Type.Boolean(),
  },
  { title: 'Pagination' },
)

export const total = Type.Integer({ minimum: 0, description: 'How many there are on all pages, with the filters of this request.' })
export const success = Type.Literal(true)
