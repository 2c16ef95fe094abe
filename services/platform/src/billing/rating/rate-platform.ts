// What the use of the platform costs a customer in a month: a fee, and what was metered.

import type { BilledMonth } from './billed-days.ts'
import type { DraftLine } from './draft-line.ts'
import type { Prices } from './prices.ts'
import { type PlatformMeter, platformMeters, type RatingInput } from './rating-input.ts'
import { fraction } from './rational.ts'

const METER_NAMES: Readonly<Record<PlatformMeter, string>> = {
  readings: 'Readings',
  predictions: 'Predictions',
  device_days: 'Days of active devices',
  api_calls: 'API calls',
}

export function ratePlatform({ platform, meterTotals }: RatingInput, month: BilledMonth, prices: Prices): DraftLine[] {
  if (platform === null) return []
  const period = { sim: undefined, planId: undefined, fromMs: month.fromMs, untilMs: month.untilMs } as const
  const metered = platformMeters.flatMap((meter): DraftLine[] => {
    const listed = platform.meters.find((each) => each.meter === meter)
    const total = meterTotals.find((each) => each.meter === meter)
    if (listed === undefined || total === undefined || total.count === 0) return []
    const description = `${METER_NAMES[meter]}: ${total.count}${listed.included === 0 ? '' : `, ${listed.included} included`}`
    return [
      {
        ...period,
        kind: meter,
        description,
        quantity: fraction(Math.max(0, total.count - listed.included)),
        unit: meter === 'device_days' ? 'day' : 'piece',
        price: prices.ofMeter(meter, listed.price),
        priceQuantity: listed.per,
        isUse: true,
        sources: total.sources,
      },
    ]
  })
  if (platform.subscriptionFee === null) return metered
  const price = prices.ofSubscription(platform.subscriptionFee)
  const fee = { kind: 'subscription', description: 'Monthly fee', quantity: fraction(1), unit: 'month', price, priceQuantity: 1 } as const
  return [...metered, { ...period, ...fee, isUse: false, sources: [] }]
}
