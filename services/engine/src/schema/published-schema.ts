// The JSON Schemas of `/v1/schema/input` and `/v1/schema/output`, draft 2020-12. The OpenAPI document describes the standard form of the
// input for people; these are for programs that check what they send, so that every alias stands here too, and `null`, which the engine
// takes as "not given".
import { EngineInput } from '@roadworthy/contracts/engine-v1/input'
import { EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import { engineAliases, vehicleIdAliases } from '@roadworthy/signals/registry'
import type { TSchema } from 'typebox'

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

export type JsonSchema = Readonly<Record<string, unknown>>

export function outputSchema(): JsonSchema {
  return { $schema: DIALECT, $id: 'urn:roadworthy:engine:output', ...toPlainJson(EngineOutput) }
}

/** What the schema takes, the engine takes whole: nothing of it is refused, or dropped for its form. */
export function inputSchema(): JsonSchema {
  const input = toPlainJson(EngineInput)
  const properties = input['properties'] as Record<string, JsonSchema>
  const history = properties['history'] as JsonSchema
  const reading = history['items'] as JsonSchema
  const readings = { ...history, items: { ...reading, properties: withOtherNames(reading['properties'] as Record<string, JsonSchema>) } }
  return {
    $schema: DIALECT,
    $id: 'urn:roadworthy:engine:input',
    ...withoutRequired(input),
    properties: withOtherNames({ ...properties, history: readings }),
    // One of the names of the vehicle, with something in it.
    anyOf: ['vehicleId', ...vehicleIdAliases].map((name) => ({
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'string' } },
    })),
  }
}

function withOtherNames(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const named = Object.entries(properties).flatMap(([standard, schema]): [string, JsonSchema][] => {
    const aliases = (engineAliases[standard] ?? []).map((alias): [string, JsonSchema] => [alias, aliasOf(standard, schema)])
    return [[standard, schema], ...aliases]
  })
  return Object.fromEntries(named.map(([name, schema]) => [name, orNull(schema)]))
}

function aliasOf(standard: string, schema: JsonSchema): JsonSchema {
  const { examples: _, ...rest } = schema
  return { ...rest, description: `Another name of ${standard}, which wins where both are given.` }
}

/** Texts of nothing but spaces are empty, so the engine drops them. */
const NOT_BLANK = '\\S'

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, minLength, items } = schema
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    ...(minLength === undefined ? {} : { pattern: NOT_BLANK }),
    ...(type === 'array' && (items as JsonSchema)['type'] === 'string' ? { items: { ...(items as JsonSchema), pattern: NOT_BLANK } } : {}),
  }
}

function withoutRequired(schema: JsonSchema): JsonSchema {
  const { required: _, ...rest } = schema
  return rest
}

/** As it goes over the wire. */
function toPlainJson(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema
}
