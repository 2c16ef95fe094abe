import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { engineErrorResponses } from '@roadworthy/contracts/engine-v1/errors'
import { EngineAliases, EngineStatistics } from '@roadworthy/contracts/engine-v1/status'
import { engineAliases } from '@roadworthy/signals/registry'
import { Type } from 'typebox'
import { DIALECT, inputSchema, outputSchema } from '../schema/published-schema.ts'

const errors = engineErrorResponses(400, 405, 500)
const SchemaDocument = Type.Object(
  {},
  {
    title: 'JsonSchema',
    additionalProperties: true,
    description: 'A JSON Schema, draft 2020-12.',
    examples: [{ $schema: DIALECT, type: 'object', required: ['vehicleId'], properties: { vehicleId: { type: 'string' } } }],
  },
)

const statisticsExample = {
  total_processed: 200,
  fully_standard: 150,
  required_mapping: 50,
  standard_compliance_rate: 75,
}

export function schemaRoutes({ statistics }: { statistics: () => Promise<EngineStatistics> }): FastifyPluginAsyncTypebox {
  const input = inputSchema()
  const output = outputSchema()
  const aliases: EngineAliases = {
    description: 'Other names that are mapped to the standard fields. The standard name wins where both are given.',
    aliases: Object.fromEntries(Object.entries(engineAliases).map(([field, names]) => [field, [...names]])),
  }
  return async (app) => {
    const tags = ['Schema']
    app.get(
      '/v1/schema/input',
      {
        schema: {
          operationId: 'getInputSchema',
          tags,
          summary: 'JSON Schema of the input, aliases included',
          response: { 200: SchemaDocument, ...errors },
        },
      },
      async () => input,
    )
    app.get(
      '/v1/schema/output',
      {
        schema: {
          operationId: 'getOutputSchema',
          tags,
          summary: 'JSON Schema of the response',
          response: { 200: SchemaDocument, ...errors },
        },
      },
      async () => output,
    )
    app.get(
      '/v1/schema/aliases',
      {
        schema: {
          operationId: 'getAliases',
          tags,
          summary: 'Names mapped to standard fields',
          response: { 200: { ...EngineAliases, examples: [aliases] }, ...errors },
        },
      },
      async () => aliases,
    )
    app.get(
      '/v1/schema/statistics',
      {
        schema: {
          operationId: 'getSchemaStatistics',
          tags,
          summary: 'How well inputs keep to the schema',
          response: { 200: { ...EngineStatistics, examples: [statisticsExample] }, ...engineErrorResponses(400, 405, 500, 503) },
        },
      },
      async () => await statistics(),
    )
  }
}
