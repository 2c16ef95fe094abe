// What is odd about a SIM: it is in another device than the one it was given to, it uses far more than it is used to, it has traffic while it is
// parked. Pure.

import type { anomalyTypes } from '@roadworthy/contracts/sim-billing/sim-anomalies'

/** What a SIM was given, and what the operator and its counters report. */
export type SimFacts = {
  readonly status: string
  readonly statusSince: Date
  /** Of the device that the SIM is allocated to. */
  readonly deviceImei: string | undefined
  /** Of the device that the operator saw it in. */
  readonly seenImei: string | undefined
  /** Bytes that were received in the last 24 hours. */
  readonly dayBytes: number
  /** Bytes of each of the 28 days before, the days without any included, from the day of its first use on. None where `dayBytes` is below `LEAST_ODD_BYTES`. */
  readonly earlierDaysBytes: readonly number[]
  /** Bytes that were received since its counters must have caught up with safe custody (`CUSTODY_SETTLES_MS`). */
  readonly custodyBytes: number
}

export type AnomalyKind = (typeof anomalyTypes)[number]
export type Anomaly = { readonly kind: AnomalyKind; readonly detail: Readonly<Record<string, string | number>> }

/** The last digits are a check digit or a software version (3GPP TS 23.003 §6.2): the same device may be reported with others. */
const IMEI_DIGITS = 14
/** Assumption: a week shows a habit. */
const HABIT_DAYS = 7
/** Assumption: an update of firmware over the air is about so much; a day of a tracker is a tenth of it. */
export const LEAST_ODD_BYTES = 50 * 1_048_576
/** Assumption, with the least above: a tracker that streams, or a SIM in a telephone, uses hundreds of times what it did. */
const TIMES_HABIT = 10
/** Assumption: operators' counters come up to a day late, so what is received in the first day may be of the time before. */
export const CUSTODY_SETTLES_MS = 24 * 3_600_000

export function judgeAnomalies(facts: SimFacts): Anomaly[] {
  return [...judgeDevice(facts), ...judgeUse(facts), ...judgeCustody(facts)]
}

function judgeDevice({ deviceImei, seenImei }: SimFacts): Anomaly[] {
  if (deviceImei === undefined || seenImei === undefined) return []
  if (deviceImei.slice(0, IMEI_DIGITS) === seenImei.slice(0, IMEI_DIGITS)) return []
  return [{ kind: 'wrong_device', detail: { expected_imei: deviceImei, seen_imei: seenImei } }]
}

function judgeUse({ dayBytes, earlierDaysBytes }: SimFacts): Anomaly[] {
  if (earlierDaysBytes.length < HABIT_DAYS || dayBytes < LEAST_ODD_BYTES) return []
  const habitBytes = medianOf(earlierDaysBytes)
  if (dayBytes <= habitBytes * TIMES_HABIT) return []
  return [{ kind: 'usage_above_habit', detail: { day_bytes: dayBytes, usual_day_bytes: Math.round(habitBytes) } }]
}

function judgeCustody({ status, custodyBytes }: SimFacts): Anomaly[] {
  return status === 'safe_custody' && custodyBytes > 0 ? [{ kind: 'traffic_in_custody', detail: { bytes: custodyBytes } }] : []
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}
