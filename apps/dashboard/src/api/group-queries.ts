// What the pages ask for of groups of vehicles.

import type {
  CreateVehicleGroup,
  VehicleGroup,
  VehicleGroupChange,
  VehicleGroupList,
} from '@roadworthy/contracts/platform-v1/vehicle-groups'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { get, send } from './client.ts'

/** As many as there can be. */
const ALL = 500
const GROUPS = ['vehicle-groups']
const GROUP = ['vehicle-group']

export const groupsQuery = queryOptions({
  queryKey: GROUPS,
  queryFn: ({ signal }) => get<Static<typeof VehicleGroupList>>('/vehicle-groups', { limit: ALL }, signal),
})

/** The groups that a vehicle is in. */
export const groupsOfVehicleQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: [...GROUPS, 'of', vehicleId],
    queryFn: ({ signal }) => get<Static<typeof VehicleGroupList>>('/vehicle-groups', { vehicleId, limit: ALL }, signal),
  })

export const groupQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...GROUP, groupId],
    queryFn: ({ signal }) => get<VehicleGroup>(pathOf(groupId), {}, signal),
  })

export function useCreateGroup() {
  const onSettled = useRenewed()
  return useMutation({ mutationFn: (given: CreateVehicleGroup) => send<VehicleGroup>('POST', '/vehicle-groups', given), onSettled })
}

export function useChangeGroup(groupId: string) {
  const onSettled = useRenewed()
  return useMutation({ mutationFn: (change: VehicleGroupChange) => send<VehicleGroup>('PATCH', pathOf(groupId), change), onSettled })
}

export function useRemoveGroup(groupId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => send<unknown>('DELETE', pathOf(groupId)),
    // The page of the group is still there for a moment, and would ask for what is gone.
    onSettled: () => queryClient.invalidateQueries({ queryKey: GROUPS }),
  })
}

const pathOf = (groupId: string) => `/vehicle-groups/${encodeURIComponent(groupId)}`

/** Who is in a group shows in the list of vehicles too. */
function useRenewed() {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all([GROUPS, GROUP, ['vehicles']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}
