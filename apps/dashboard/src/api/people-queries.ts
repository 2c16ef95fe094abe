// What the pages about people and about who changed what ask for.

import type { AuditList } from '@roadworthy/contracts/platform-v1/audit'
import type {
  ChangeUserRequest,
  InvitedUser,
  InviteUserRequest,
  RemovedUser,
  UserAnswer,
  UserList,
} from '@roadworthy/contracts/platform-v1/users'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withSaid } from '../said/said.ts'
import { type AuditSearch, auditFilter } from '../settings/audit-search.ts'
import { get, send } from './client.ts'

const PAGE_SIZE = 50
const PEOPLE = ['people']

const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }: { pagination: { hasNextPage: boolean; endCursor: string | null } }) =>
    pagination.hasNextPage ? (pagination.endCursor ?? undefined) : undefined,
}

export const peopleQuery = infiniteQueryOptions({
  ...paging,
  queryKey: PEOPLE,
  queryFn: ({ signal, pageParam }) => get<Static<typeof UserList>>('/users', { limit: PAGE_SIZE, after: pageParam }, signal),
})

export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: ['audit', search],
    queryFn: async ({ signal, pageParam }) => {
      const filter = { ...auditFilter(search), limit: PAGE_SIZE, after: pageParam }
      const answer = await get<Static<typeof AuditList>>('/audit', filter, signal)
      return { ...answer, names: { ...answer.names, ...(await titlesOfIncidents(answer.names)) } }
    },
  })

/** Their names are those of the service; those of other things are what people wrote. */
async function titlesOfIncidents(names: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const incidents = Object.entries(names).flatMap(([id, title]) => (id.startsWith('inc-') ? [{ id, title }] : []))
  return Object.fromEntries((await withSaid(incidents)).map(({ id, title }) => [id, title]))
}

/** The answer may hold a link that signs in, so it is forgotten with the dialog that shows it. */
export function useInvite() {
  const onSettled = useRenewedPeople()
  const mutationFn = (given: Static<typeof InviteUserRequest>) => send<Static<typeof InvitedUser>>('POST', '/users', given)
  return useMutation({ gcTime: 0, mutationFn, onSettled })
}

export function useChangePerson(userId: string) {
  const onSettled = useRenewedPeople()
  const mutationFn = (changes: Static<typeof ChangeUserRequest>) =>
    send<Static<typeof UserAnswer>>('PATCH', `/users/${encodeURIComponent(userId)}`, changes)
  return useMutation({ mutationFn, onSettled })
}

export function useRemovePerson(userId: string) {
  const onSettled = useRenewedPeople()
  const mutationFn = () => send<Static<typeof RemovedUser>>('DELETE', `/users/${encodeURIComponent(userId)}`)
  return useMutation({ mutationFn, onSettled })
}

function useRenewedPeople() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: PEOPLE })
}
