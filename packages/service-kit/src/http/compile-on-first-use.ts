// Functions of schemas, compiled by their first use. A process has some hundred routes and uses few of them: compiled at the start, they cost it
// 15 MB of memory and half a second of the event loop. A test shows that every schema can be compiled (`route-schemas.db.test.ts`).

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { Ajv } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify'

export type Validate = ((value: unknown) => boolean) & { errors?: FastifySchemaValidationError[] | null }

/** Fastify reads `errors` of the function that it was given. */
export function validateOnFirstUse(ajv: Ajv, schema: object): Validate {
  let compiled: ReturnType<Ajv['compile']> | undefined
  const validate: Validate = (value) => {
    compiled ??= ajv.compile(schema)
    const isValid = compiled(value) as boolean
    validate.errors = compiled.errors as FastifySchemaValidationError[] | null
    return isValid
  }
  return validate
}

/** Compiles at once. */
export const buildSerializer = SerializerSelector()

/** In the place of Fastify's own, which it makes with the same function. */
export function buildSerializerOnFirstUse(...given: Parameters<typeof buildSerializer>): ReturnType<typeof buildSerializer> {
  const compile = buildSerializer(...given)
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined
    return (answer) => {
      serialize ??= compile({ ...route, schema: withNullable(route.schema) })
      return serialize(answer)
    }
  }
}

/**
 * The schema with `nullable: true` in the place of `anyOf` with null. To choose among the schemas of an `anyOf`, a serializer validates every value
 * against them, by validators that take tens of milliseconds to compile; null it knows by a comparison.
 */
export function withNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullable)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNullable(value)]))
  const { anyOf, ...rest } = copy
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return copy
  const other = anyOf.find(({ type }) => type !== 'null')
  const hasNull = anyOf.some(({ type }) => type === 'null')
  return hasNull && typeof other?.type === 'string' ? { ...rest, ...other, nullable: true } : copy
}
