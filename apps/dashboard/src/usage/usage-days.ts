import type { UsageReport } from '@roadworthy/contracts/platform-v1/usage'
import type { Static } from 'typebox'
import { t } from '../text/translate.ts'

type Row = Static<typeof UsageReport>['rows'][number]
export type Meter = Row['meter']

export const meters = ['points_ingested', 'api_calls', 'predictions', 'active_devices'] as const satisfies readonly Meter[]

export const meterLabels: Readonly<Record<Meter, string>> = {
  points_ingested: t('Readings'),
  api_calls: t('API calls'),
  predictions: t('Predictions'),
  active_devices: t('Active devices'),
}

export type UsageDay = { readonly period: string; readonly subClientId: string | null; readonly counts: Readonly<Record<Meter, number>> }

/** One for each day and sub-client, in their order. What was not used has no row in the answer, and counts 0 here. */
export function usageDays(rows: readonly Row[]): readonly UsageDay[] {
  const days = new Map<string, { period: string; subClientId: string | null; counts: Record<Meter, number> }>()
  for (const { period, subClientId, meter, count } of rows) {
    const key = `${period} ${subClientId ?? ''}`
    const day = days.get(key) ?? { period, subClientId, counts: { points_ingested: 0, api_calls: 0, predictions: 0, active_devices: 0 } }
    day.counts[meter] += count
    days.set(key, day)
  }
  return [...days.values()]
}
