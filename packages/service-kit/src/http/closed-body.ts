// A body refuses the fields that its schema does not know: ignored, `sub_client_id` in the place of `subClientId` would make a key that is
// pinned to nothing. A schema that takes any field declares it: `additionalProperties: true`, or a record.

import { closestName } from '../text/closest-name.ts'
import { Problem } from './problem.ts'

/** A name that is longer than any of ours is cut where it is shown. */
const MAX_SHOWN_LENGTH = 64

type Schema = Readonly<Record<string, unknown>>

/** A body schema, or one for each media type, with every object in it closed that does not declare otherwise. */
export function closeBodySchema(body: Schema): Schema {
  if (!isObject(body['content'])) return closed(body)
  const content = mapValues(body['content'], (media) => ({
    ...media,
    ...(isObject(media['schema']) ? { schema: closed(media['schema']) } : {}),
  }))
  return { ...body, content }
}

function closed(schema: Schema): Schema {
  if ('allOf' in schema || '$ref' in schema)
    throw new Error('a body schema stands in one piece: what allOf and $ref add would look like unknown fields')
  const copy: Record<string, unknown> = { ...schema }
  for (const key of ['properties', 'patternProperties']) {
    if (isObject(schema[key])) copy[key] = mapValues(schema[key], closed)
  }
  for (const key of ['items', 'additionalProperties']) {
    if (isObject(schema[key])) copy[key] = closed(schema[key])
  }
  for (const key of ['anyOf', 'oneOf']) {
    if (Array.isArray(schema[key])) copy[key] = (schema[key] as Schema[]).map(closed)
  }
  const takesObject = [schema['type']].flat().includes('object')
  if (takesObject && !('additionalProperties' in schema || 'patternProperties' in schema)) copy['additionalProperties'] = false
  return copy
}

function mapValues(object: Schema, map: (schema: Schema) => Schema): Schema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value as Schema)]))
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of a body that a route reads by hand. */
export function refuseUnknownFields(body: object, known: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownFieldProblem(unknown, known)
}

/** For a route that takes no body: an empty object is none. */
export function refuseBody(body: unknown): void {
  if (isObject(body)) refuseUnknownFields(body, [])
  else if (body !== undefined && body !== null) {
    throw new Problem('invalid_request', 'This route takes no body.', { details: { in: 'body' } })
  }
}

/** `path` is where in the body the object stands whose field it is. */
export function unknownFieldProblem(name: string, known: readonly string[], path: readonly string[] = [], part = 'body'): Problem {
  const inPath = (last: string) => [...path, last].join('.')
  const field = inPath(name.slice(0, MAX_SHOWN_LENGTH).toWellFormed())
  const closest = closestName(name, known)
  const meant = closest === undefined ? '' : ` Did you mean ${JSON.stringify(closest)}?`
  const choice = known.length === 0 ? 'no field is taken' : `known are ${known.join(', ')}`
  return new Problem('invalid_request', `${JSON.stringify(field)} is not known here; ${choice}.${meant}`, {
    details: { in: part, field, ...(closest === undefined ? {} : { closest: inPath(closest) }) },
  })
}
