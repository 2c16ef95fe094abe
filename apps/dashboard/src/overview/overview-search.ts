import { type FleetSearch, readFleetSearch } from '../fleet/fleet-search.ts'

const changesSince = ['day', 'week'] as const
/** Without one: since the last visit. */
export type ChangesSince = (typeof changesSince)[number]

/** The filters are those of the fleet, which used to be the first page: links that were passed on are led there. */
export type OverviewSearch = { since?: ChangesSince } & FleetSearch

export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const since = changesSince.find((each) => each === search['since'])
  return { ...readFleetSearch(search), ...(since === undefined ? {} : { since }) }
}

export function hasFleetFilters({ since: _, ...filters }: OverviewSearch): boolean {
  return Object.keys(filters).length > 0
}
