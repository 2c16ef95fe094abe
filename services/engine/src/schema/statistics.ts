import type { EngineStatistics } from '@roadworthy/contracts/engine-v1/status'

/** Counts how many inputs spoke the standard names. Since start, of this replica. */
export type SchemaStatistics = { count: (usedAlias: boolean) => void; report: () => EngineStatistics }

export function createSchemaStatistics(): SchemaStatistics {
  let totalCount = 0
  let mappedCount = 0
  return {
    count: (usedAlias) => {
      totalCount++
      if (usedAlias) mappedCount++
    },
    report: () => ({
      total_processed: totalCount,
      fully_standard: totalCount - mappedCount,
      required_mapping: mappedCount,
      standard_compliance_rate: totalCount === 0 ? 100 : Math.round(((totalCount - mappedCount) / totalCount) * 10_000) / 100,
    }),
  }
}
