// What the lists of incidents show of a move before the service has answered. Pure.

import type { Incident, IncidentList } from '@roadworthy/contracts/platform-v1/incidents'
import type { InfiniteData } from '@tanstack/react-query'
import type { Static } from 'typebox'

export type Move = { readonly ids: readonly string[]; readonly status: 'open' | 'acknowledged'; readonly at: string }
type Page = Static<typeof IncidentList>

export function movedIncident(incident: Incident, { ids, status, at }: Move): Incident {
  if (!ids.includes(incident.id)) return incident
  return { ...incident, status, snoozedUntil: null, acknowledgedAt: status === 'acknowledged' ? at : null, acknowledgedBy: null }
}

/** `status`: the only one that is on the list, where there is one. */
export function movedPage(page: Page, move: Move, status?: Incident['status']): Page {
  const incidents = page.incidents.map((incident) => movedIncident(incident, move))
  const kept = status === undefined ? incidents : incidents.filter((each) => !move.ids.includes(each.id) || each.status === status)
  return { ...page, incidents: kept, total: page.total - (incidents.length - kept.length) }
}

export function movedPages(given: InfiniteData<Page>, move: Move, status?: Incident['status']): InfiniteData<Page> {
  return { ...given, pages: given.pages.map((page) => movedPage(page, move, status)) } as InfiniteData<Page>
}
