// What resources on every surface have in common: times, absent values, paging.

import { type Static, type TSchema, Type } from 'typebox'

export const timestampExample = '2026-01-31T08:15:00.000Z'

/** Every time in an answer: ISO 8601, UTC, milliseconds (spec §2.1). */
export const timestamp = (description: string) => Type.String({ format: 'date-time', description, examples: [timestampExample] })

/** Of names and other texts of one line: more than blanks, no control characters, and no marks that turn the direction of writing (`isOneLine`). */
export const oneLine = { pattern: '\\S', format: 'one-line' } as const

/** Of every probability and level of risk that a severity has a part in. */
export const RESTS_ON_ASSUMPTION =
  'Where something was found it rests on an assumption: how long parts last that show it. Neither that nor the life of parts was counted on any fleet.'

/** `null` where the thing has no value; in a request the same as leaving the field out, unless its description states otherwise. */
export function nullable<T extends TSchema & { type?: unknown; enum?: readonly unknown[] }>(schema: T) {
  const values = schema.enum === undefined ? {} : { enum: [...schema.enum, null] }
  return Type.Unsafe<Static<T> | null>({ ...schema, ...values, type: [schema.type, 'null'] })
}

/** Of an object that is the same in requests and in answers, so that it has one name: bodies refuse fields that they do not know. */
export const closed = { additionalProperties: false } as const

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
  { title: 'Pagination', examples: [{ endCursor: null, hasNextPage: false }] },
)

export const total = Type.Integer({
  minimum: 0,
  description: 'How many there are on all pages, with the filters of this request.',
  examples: [1],
})

export const FieldWarning = Type.Object(
  {
    field: Type.String({ description: 'The key as it was sent; `*` stands for those that are not named.' }),
    reason: Type.String({ description: '`implausible`, or `unknown, kept in extra` with the closest known name.' }),
  },
  { title: 'FieldWarning' },
)

/** Of a reading that was stored. */
export const Warnings = Type.Array(FieldWarning, {
  description: 'Fields that were stored and are not used. Left out when there are none. An answer names 100 at most, 20 of a record.',
  examples: [[{ field: 'coolnt_temp', reason: 'unknown, kept in extra; the closest known name is "coolant_temp"' }]],
})

/** For lists of what vehicles have. */
export const groupIdQuery = {
  groupId: Type.Optional(
    Type.String({ pattern: '^vgr-[a-z0-9]{1,40}$', description: 'Only of vehicles of this group (`/vehicle-groups`).' }),
  ),
}
