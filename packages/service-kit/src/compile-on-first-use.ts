// Functions of schemas, compiled by their first use. A process has some hundred routes and uses few of them: compiled at the start, they cost it
// 15 MB of memory and half a second of the event loop. A test shows that every schema can be compiled (`route-schemas.db.test.ts`).

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { Ajv } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify'

type Validate = ((value: unknown) => boolean) & { errors?: FastifySchemaValidationError[] | null }

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
      serialize ??= compile(route)
      return serialize(answer)
    }
  }
}
