// Fields that the answers of both gateways have, and how what is in them is read.

import { type TSchema, Type } from 'typebox'
import { OUR_ID } from './gateway.ts'

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** In seconds; up to the year 9999. */
export const time = Type.Integer({ minimum: 0, maximum: 253_402_300_799 })
export const text = Type.String({ maxLength: 5_000 })

/** What does not look like one of ours is not one. */
export function ourId(value: string | null | undefined): string | undefined {
  return typeof value === 'string' && OUR_ID.test(value) ? value : undefined
}

export function fromSeconds(seconds: number): Date {
  return new Date(seconds * 1000)
}
