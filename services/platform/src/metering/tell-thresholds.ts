import type { Db } from '@roadworthy/service-kit/db'
import { monthOf, type Plans, planNames } from '../access/plans.ts'
import { writeEvents } from '../events/outbox.ts'
import { insertToldThresholdsAcrossResellers, type PlanQuota, selectUsedLimitsAcrossResellers } from './thresholds.sql.ts'

const THRESHOLDS_PERCENT = [80, 100]

/** Writes an event for each threshold of a quota or limit that was reached this month (UTC), once, in the transaction of `db`. */
export async function tellThresholds(db: Db, plans: Plans, at: Date): Promise<void> {
  const month = monthOf(at)
  const used = await selectUsedLimitsAcrossResellers(db, month, quotasOf(plans), Math.min(...THRESHOLDS_PERCENT))
  const reached = used.flatMap((each) =>
    THRESHOLDS_PERCENT.filter((percent) => each.used * 100 >= each.limit * percent).map((thresholdPercent) => ({
      ...each,
      thresholdPercent,
    })),
  )
  if (reached.length === 0) return
  const news = await insertToldThresholdsAcrossResellers(db, reached, month)
  await writeEvents(
    db,
    news.map(({ resellerId, subClientId, meter, limit, used: count, thresholdPercent }) => ({
      resellerId,
      type: 'usage.threshold',
      data: { meter, period: month.from.slice(0, 7), thresholdPercent, used: count, limit },
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
