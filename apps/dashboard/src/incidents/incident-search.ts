import { severities } from '@roadworthy/signals/severity'
import type { IncidentFilter, IncidentStatus } from '../api/incident-queries.ts'

export const incidentStatuses = ['open', 'acknowledged', 'snoozed', 'resolved'] as const satisfies readonly IncidentStatus[]

export type IncidentSearch = Partial<{
  status: Exclude<IncidentStatus, 'open'>
  severity: NonNullable<IncidentFilter['severity']>
  component: string
  subClientId: string
  vehicleId: string
  groupId: string
}>

/** As the service takes them: what is longer is none of ours. */
const limits = { component: 64, subClientId: 200, vehicleId: 200, groupId: 44 } as const

/** Of an address; what it does not know is left out, and the tab that comes first is not named. */
export function readIncidentSearch(given: Record<string, unknown>): IncidentSearch {
  const status = incidentStatuses.find((each) => each === given['status'])
  const severity = severities.find((each) => each === given['severity'])
  const search: IncidentSearch = {}
  if (status !== undefined && status !== 'open') search.status = status
  if (severity !== undefined) search.severity = severity
  for (const [name, limit] of Object.entries(limits)) {
    const value = given[name]
    if (typeof value === 'string' && value !== '' && value.length <= limit) search[name as keyof typeof limits] = value
  }
  return search
}

export function isFiltered({ status: _, ...filters }: IncidentSearch): boolean {
  return Object.keys(filters).length > 0
}
