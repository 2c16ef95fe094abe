// What the engine advises, with the day by which it is to be done. Pure.

import { type Advice, adviceActs } from '@roadworthy/contracts/platform-v1/advice'
import type { Db } from '@roadworthy/service-kit/postgres/db'
import { localTextAt } from '@roadworthy/service-kit/time/zoned-time'
import type { EngineAdvice } from './engine/engine-answer.ts'

/** What a day is counted from. */
export type AdviceBasis = {
  /** Days before the early end of a life by which the reseller wants the work done. */
  readonly leadDays: number
  /** Of the vehicle, where it is known. */
  readonly odometerKm: number | undefined
  readonly kmPerDay: number | undefined
}

/** For vehicles of one reseller, as of a time: from the slice that keeps their meters. */
export type LoadAdviceBases = (
  db: Db,
  resellerId: string,
  vehicleIds: readonly string[],
  at: Date,
) => Promise<(vehicleId: string) => AdviceBasis>

const DAY_MS = 86_400_000
/** As far as a date is worth naming; beyond it no calendar of a workshop reaches. */
const MAX_AHEAD_DAYS = 36_500

/**
 * `by` is the early end (P10) of the interval, counted from the reading that was judged, less the lead time, and never before that reading:
 * today for what must not wait, and no day where there is nothing to do. A day of the zone. Undefined where the engine names an act that is not known.
 */
export function datedAdvice(
  { act, interval, what, why, risk }: EngineAdvice,
  { leadDays, odometerKm, kmPerDay }: AdviceBasis,
  { judgedAt, today, timeZone = 'UTC' }: { judgedAt: Date; today: Date; timeZone?: string },
): Advice | undefined {
  const known = adviceActs.find((each) => each === act)
  if (known === undefined) return undefined
  const isNow = known === 'stop' || known === 'now'
  const p10Days = known === 'run_on' ? undefined : interval?.[0]
  const aheadDays = isNow ? 0 : p10Days === undefined ? undefined : Math.min(MAX_AHEAD_DAYS, Math.max(0, p10Days - leadDays))
  const byMs = isNow ? today.getTime() : aheadDays === undefined ? undefined : judgedAt.getTime() + aheadDays * DAY_MS
  const aheadKm = aheadDays === 0 ? 0 : aheadDays === undefined || kmPerDay === undefined ? undefined : aheadDays * kmPerDay
  return {
    act: known,
    ...(byMs === undefined ? {} : { by: localTextAt(timeZone, byMs).slice(0, 10) }),
    ...(odometerKm === undefined || aheadKm === undefined ? {} : { byOdometerKm: Math.floor(odometerKm + aheadKm) }),
    ...(interval === undefined ? {} : { interval }),
    ...{ what, why, risk },
  }
}

/** By component; what cannot be shown is left out. */
export function datedAdviceByComponent(
  advice: Readonly<Record<string, EngineAdvice>> | undefined,
  basis: AdviceBasis,
  times: { judgedAt: Date; today: Date },
): Record<string, Advice> {
  const dated: Record<string, Advice> = {}
  for (const [component, each] of Object.entries(advice ?? {})) {
    const shown = datedAdvice(each, basis, times)
    if (shown !== undefined) dated[component] = shown
  }
  return dated
}

/** When what was judged was read, where the engine reports it in a form that can be read. */
export function judgedAtOf({ timestamp }: { readonly timestamp?: string | undefined }): Date | undefined {
  const atMs = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(atMs) ? undefined : new Date(atMs)
}
