// How well inputs keep to the schema, since start, of this replica.
import type { EngineOutput } from '@roadworthy/contracts/engine-v1/output'
import type { EngineStatistics } from '@roadworthy/contracts/engine-v1/status'

/** `count` gets every answer that goes out, whichever way its input came in. */
export type SchemaStatistics = { count: (output: EngineOutput) => void; report: () => EngineStatistics }

export function createSchemaStatistics(): SchemaStatistics {
  let totalCount = 0
  let mappedCount = 0
  return {
    count: ({ _schemaMapping }) => {
      totalCount++
      if (_schemaMapping?.autoMapped === true) mappedCount++
    },
    report: () => reportOf(totalCount, mappedCount),
  }
}

export function sumStatistics(reports: readonly EngineStatistics[]): EngineStatistics {
  const sum = (name: 'total_processed' | 'required_mapping') => reports.reduce((total, report) => total + report[name], 0)
  return reportOf(sum('total_processed'), sum('required_mapping'))
}

function reportOf(totalCount: number, mappedCount: number): EngineStatistics {
  return {
    total_processed: totalCount,
    fully_standard: totalCount - mappedCount,
    required_mapping: mappedCount,
    standard_compliance_rate: totalCount === 0 ? 100 : Math.round(((totalCount - mappedCount) / totalCount) * 10_000) / 100,
  }
}
