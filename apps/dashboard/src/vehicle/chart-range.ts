import type { Readings } from '@roadworthy/contracts/platform-v1/readings'
import type { ChartRange } from '../api/vehicle-queries.ts'
import { type ChartSpanName, chartSpans, type VehicleSearch } from './vehicle-search.ts'

const HOUR_MS = 3_600_000

export const spanMs: Readonly<Record<ChartSpanName, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
}

/** A range of one's own, else the span up to now. */
export function rangeOf({ span, from, to }: VehicleSearch): ChartRange {
  return from !== undefined && to !== undefined ? { from, to } : { spanMs: spanMs[span ?? chartSpans[0]] }
}

/** Where a chart begins and ends, in seconds. */
export function endsOf(answer: Pick<Readings, 'from' | 'to'> | undefined): readonly [number, number] {
  return answer === undefined ? [0, 1] : [Date.parse(answer.from) / 1000, Date.parse(answer.to) / 1000]
}
