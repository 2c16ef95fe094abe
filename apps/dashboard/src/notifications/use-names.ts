import { useQuery } from '@tanstack/react-query'
import { groupsQuery } from '../api/group-queries.ts'
import { assigneesQuery } from '../api/incident-queries.ts'
import { channelsQuery } from '../api/notification-queries.ts'
import { subClientChoicesQuery } from '../api/sub-client-queries.ts'
import type { Names } from './rule-summary.ts'

/** What people, channels, groups of vehicles and sub-clients are called, by their ids. */
export function useNames(): Names {
  const people = useQuery(assigneesQuery).data?.assignees ?? []
  const channels = useQuery(channelsQuery).data?.notificationChannels ?? []
  return new Map([
    ...people.map(({ id, email }) => [id, email] as const),
    ...channels.map(({ id, name }) => [id, name] as const),
    ...useFleetNames(),
  ])
}

/** Of groups of vehicles and sub-clients alone, which everybody may ask for. */
export function useFleetNames(): Names {
  const groups = useQuery(groupsQuery).data?.vehicleGroups ?? []
  const subClients = useQuery(subClientChoicesQuery).data?.subClients ?? []
  return new Map([...groups, ...subClients].map(({ id, name }) => [id, name] as const))
}
