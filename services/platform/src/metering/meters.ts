// What is counted, and how it is reported. The ledger counts some things apart that a report adds up, or shows only for periods of one length.

import type { Granularity } from '@roadworthy/service-kit/time/zoned-time'

/** As entries and lines of the ledger name it. `active_devices` is counted at the first reading in a month, `active_device_days` in a day. */
export const ledgerMeters = [
  'points_ingested',
  'api_calls_external',
  'api_calls_platform',
  'predictions',
  'active_devices',
  'active_device_days',
] as const
export type LedgerMeter = (typeof ledgerMeters)[number]

export type Meter = 'points_ingested' | 'api_calls' | 'predictions' | 'active_devices'

/** What a meter of the ledger is in a report by month, by day or by hour, or nothing. */
export function reportedMeter(meter: LedgerMeter, granularity: Granularity): Meter | undefined {
  if (meter === 'api_calls_external' || meter === 'api_calls_platform') return 'api_calls'
  if (meter === 'active_devices') return granularity === 'month' ? 'active_devices' : undefined
  if (meter === 'active_device_days') return granularity === 'day' ? 'active_devices' : undefined
  return meter
}

export type Totals = Record<Meter, number>

export function noTotals(): Totals {
  return { points_ingested: 0, api_calls: 0, predictions: 0, active_devices: 0 }
}
