// How well inputs keep to the schema, since start, of this replica. Counted by names of ours only (aliases, fields, units), so that no sender
// can make it grow.
import type { EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import type { EngineStatistics } from '@roadworthy/contracts/engine-v1/status'

/** `count` is told every answer that goes out, whichever way its input came in. */
export type SchemaStatistics = { count: (output: EngineOutput) => void; report: () => EngineStatistics }

export function createSchemaStatistics(): SchemaStatistics {
  let totalCount = 0
  let mappedCount = 0
  const aliases = new Map<string, number>()
  const ignored = new Map<string, number>()
  const units = new Map<string, Map<string, number>>()
  return {
    count: ({ _schemaMapping: mapping, _validation: validation }) => {
      totalCount++
      if (mapping?.autoMapped === true) mappedCount++
      if (mapping !== undefined) for (const alias of Object.keys(mapping.mappedFields)) addOne(aliases, alias)
      if (validation !== undefined) for (const field of validation.ignored) addOne(ignored, field)
      for (const { field, suspectedUnit } of mapping?.suggestions ?? []) {
        const ofField = units.get(field) ?? new Map<string, number>()
        units.set(field, ofField)
        addOne(ofField, suspectedUnit)
      }
    },
    report: () => ({
      total_processed: totalCount,
      fully_standard: totalCount - mappedCount,
      required_mapping: mappedCount,
      standard_compliance_rate: totalCount === 0 ? 100 : Math.round(((totalCount - mappedCount) / totalCount) * 10_000) / 100,
      aliases_used: Object.fromEntries(aliases),
      fields_ignored: Object.fromEntries(ignored),
      units_suspected: Object.fromEntries([...units].map(([field, counts]) => [field, Object.fromEntries(counts)])),
    }),
  }
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
