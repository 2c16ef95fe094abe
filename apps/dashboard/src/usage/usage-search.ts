// The month and the sub-client whose use is shown, as they stand in the address.

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const SUB_CLIENT_ID = /^[a-z0-9-]{1,64}$/

export type UsageSearch = { readonly month?: string; readonly subClientId?: string }

export function readUsageSearch({ month, subClientId }: Record<string, unknown>): UsageSearch {
  return {
    ...(typeof month === 'string' && MONTH.test(month) ? { month } : {}),
    ...(typeof subClientId === 'string' && SUB_CLIENT_ID.test(subClientId) ? { subClientId } : {}),
  }
}

/** As the API is asked. Without a month it answers with this one, in the time zone of the account. */
export function usageFilter({ month, subClientId }: UsageSearch): Record<string, string> {
  return {
    ...(month === undefined ? {} : { from: `${month}-01`, to: `${monthAfter(month)}-01` }),
    ...(subClientId === undefined ? {} : { subClientId }),
  }
}

function monthAfter(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, number ?? 0, 1)).toISOString().slice(0, 7)
}
