// What the pages about brands ask for. Without a sub-client it is the brand of the reseller.

import type { Brand, BrandAnswer, ChangeBrandRequest } from '@roadworthy/contracts/platform-v1/brands'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { get, send, sendFile } from './client.ts'
import { brandQuery } from './queries.ts'

type Answer = Static<typeof BrandAnswer>

/** A host name that waits for its proof is looked at within a minute. */
const PENDING_POLL_MS = 10_000

export const ownBrandQuery = (subClientId: string | undefined) =>
  queryOptions({
    queryKey: ['own-brand', subClientId ?? null],
    queryFn: ({ signal }) => get<Answer>(pathOf(subClientId), {}, signal),
    refetchInterval: ({ state }) =>
      state.data?.brand.hostProofs.some(({ status }) => status === 'pending') === true ? PENDING_POLL_MS : false,
  })

/** `PUT` sets all fields: what is not changed is read anew just before, so that nothing is taken back that somebody else stored since the page was shown. */
export function useChangeBrand(subClientId: string | undefined) {
  const queryClient = useQueryClient()
  const keep = useKeep(subClientId)
  return useMutation({
    mutationFn: async (changesOf: (stored: Brand) => ChangeBrandRequest) => {
      const { brand } = await queryClient.fetchQuery({ ...ownBrandQuery(subClientId), staleTime: 0 })
      return await send<Answer>('PUT', pathOf(subClientId), { ...settableOf(brand), ...changesOf(brand) })
    },
    onSuccess: keep,
  })
}

export function useChangeLogo(subClientId: string | undefined) {
  const keep = useKeep(subClientId)
  return useMutation({ mutationFn: (image: File) => sendFile<Answer>('PUT', `${pathOf(subClientId)}/logo`, image), onSuccess: keep })
}

export function useRemoveLogo(subClientId: string | undefined) {
  const keep = useKeep(subClientId)
  return useMutation({ mutationFn: () => send<Answer>('DELETE', `${pathOf(subClientId)}/logo`), onSuccess: keep })
}

/** What `PUT` takes, of a brand as it is. */
export function settableOf({ name, colour, supportEmail, supportUrl, hosts }: Brand): Required<ChangeBrandRequest> {
  return { name, colour, supportEmail, supportUrl, hosts: [...hosts] }
}

function pathOf(subClientId: string | undefined): string {
  return subClientId === undefined ? '/brands/reseller' : `/brands/sub-clients/${encodeURIComponent(subClientId)}`
}

/** The page itself may have another look now. */
function useKeep(subClientId: string | undefined) {
  const queryClient = useQueryClient()
  return (answer: Answer) => {
    queryClient.setQueryData(ownBrandQuery(subClientId).queryKey, answer)
    void queryClient.invalidateQueries({ queryKey: brandQuery.queryKey })
  }
}
