import type { Db } from '@roadworthy/service-kit/postgres/db'
import { writeEvents } from '../events/outbox.ts'
import { type MonthUtc, monthOf, type Plans, planNames } from '../limits/plans.ts'
import type { Touched } from './sealing.sql.ts'
import {
  insertPublishedThresholdsAcrossResellers,
  type PlanQuota,
  selectDeviceLimitsAcrossResellers,
  selectUsedLimitsAcrossResellers,
  type UsedLimit,
} from './thresholds.sql.ts'

const THRESHOLDS_PERCENT = [80, 100]
const FROM_PERCENT = Math.min(...THRESHOLDS_PERCENT)
/** A turn comes every few seconds; counting the devices of so many sub-clients takes some milliseconds. */
const DEVICE_LIMITS_PER_TURN = 200

/** Publishes an event for each threshold of a quota or limit that was reached this month (UTC) by what was folded just now, once, in its transaction. */
export async function publishThresholds(db: Db, resellerId: string, folded: readonly Touched[], plans: Plans, at: Date): Promise<void> {
  const used = folded.filter(({ isInMonth }) => isInMonth)
  if (used.length === 0) return
  const month = monthOf(at)
  const about = { month, quotas: quotasOf(plans), fromPercent: FROM_PERCENT }
  await publishReached(db, resellerId, await selectUsedLimitsAcrossResellers(db, resellerId, used, about), month, at)
}

/** The same for the devices of some sub-clients that have a limit on them. */
export async function publishDeviceThresholds(db: Db, resellerId: string, after: string, at: Date): Promise<void> {
  const limits = await selectDeviceLimitsAcrossResellers(db, resellerId, after, DEVICE_LIMITS_PER_TURN)
  await publishReached(db, resellerId, limits, monthOf(at), at)
}

async function publishReached(db: Db, resellerId: string, limits: readonly UsedLimit[], month: MonthUtc, at: Date): Promise<void> {
  const reached = limits.flatMap((each) =>
    THRESHOLDS_PERCENT.filter((percent) => each.used * 100 >= each.limit * percent).map((thresholdPercent) => ({
      ...each,
      thresholdPercent,
    })),
  )
  if (reached.length === 0) return
  const news = await insertPublishedThresholdsAcrossResellers(db, resellerId, reached, month)
  await writeEvents(
    db,
    news.map(({ subClientId, meter, limit, used, thresholdPercent }) => ({
      resellerId,
      type: 'usage.threshold',
      data: { meter, period: month.from.slice(0, 7), thresholdPercent, used, limit },
      subClientId: subClientId === '' ? undefined : subClientId,
      occurredAt: at,
    })),
  )
}

function quotasOf(plans: Plans): PlanQuota[] {
  return planNames.flatMap((plan) => [
    { plan, meter: 'api_calls_platform', quota: plans[plan].platformCallsPerMonth },
    { plan, meter: 'predictions', quota: plans[plan].predictionsPerMonth },
  ])
}
