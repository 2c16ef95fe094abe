// The month and the sub-client whose use is shown, the meter of the chart, and whose limits are listed, as they stand in the address.

import { type Meter, meters } from './usage-days.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const SUB_CLIENT_ID = /^[a-z0-9-]{1,64}$/

export type UsageSearch = {
  readonly month?: string
  readonly subClientId?: string
  readonly meter?: Meter
  readonly limits?: 'near'
}

export function readUsageSearch({ month, subClientId, meter, limits }: Record<string, unknown>): UsageSearch {
  const known = meters.find((each) => each === meter)
  return {
    ...(typeof month === 'string' && MONTH.test(month) ? { month } : {}),
    ...(typeof subClientId === 'string' && SUB_CLIENT_ID.test(subClientId) ? { subClientId } : {}),
    ...(known === undefined ? {} : { meter: known }),
    ...(limits === 'near' ? { limits } : {}),
  }
}

/** As the API is asked. Without a month it answers with this one, in the time zone of the account. */
export function usageFilter({ month, subClientId }: UsageSearch): Record<string, string> {
  return {
    ...(month === undefined ? {} : { from: `${month}-01`, to: `${shiftMonth(month, 1)}-01` }),
    ...(subClientId === undefined ? {} : { subClientId }),
  }
}

/** The month so many months later, or earlier. */
export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}
