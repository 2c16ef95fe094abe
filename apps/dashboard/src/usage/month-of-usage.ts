import type { UsageReport } from '@roadworthy/contracts/platform-v1/usage'
import type { Meter } from './usage-days.ts'

type Report = Pick<UsageReport, 'periods' | 'projected'>

/** A day of the month that is drawn. `expected` is of days to come: what each comes to when the month goes on as it has until now. */
export type ChartDay = { readonly day: string; readonly used: number | undefined; readonly expected: number | undefined }

/** Every day of the month, in its order. Active devices are not projected: most of them are active every day. */
export function monthOfUsage({ periods, projected }: Report, meter: Meter): readonly ChartDay[] {
  const used = new Map(periods.map(({ period, totals }) => [period, totals[meter]]))
  const [first] = periods
  if (first === undefined) return []
  const month = first.period.slice(0, 7)
  const perDay = month === projected.period && meter !== 'active_devices' ? projected.totals[meter] / dayCountOf(month) : undefined
  return Array.from({ length: dayCountOf(month) }, (_, i) => {
    const day = `${month}-${String(i + 1).padStart(2, '0')}`
    return { day, used: used.get(day), expected: used.has(day) || perDay === undefined ? undefined : Math.round(perDay) }
  })
}

function dayCountOf(month: string): number {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
}
