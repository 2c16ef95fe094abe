// What the pages ask for, how often, and what an answer is called in the cache.

import type { ShownBrand } from '@roadworthy/contracts/platform-v1/brands'
import type { PredictionList } from '@roadworthy/contracts/platform-v1/predictions'
import type { PasswordResetAnswer, SessionAnswer } from '@roadworthy/contracts/platform-v1/session'
import type { Health, Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { withSaid } from '../said/said.ts'
import { showNotice } from '../shell/notice.ts'
import { ApiError, get, send } from './client.ts'
import { leaveBrowser } from './push-queries.ts'

/** `hasEnded`: while the person was working, and not by signing out. `isLeaving`: the person is signing out, and no page is shown any more. */
type SessionState = Static<typeof SessionAnswer> & { readonly hasEnded?: boolean; readonly isLeaving?: boolean }

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<SessionState>('/session', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
})

export const brandQuery = queryOptions({
  queryKey: ['brand'],
  queryFn: ({ signal }) => get<ShownBrand>('/brand', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
})

export const vehicleQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicle', vehicleId],
    queryFn: ({ signal }) => get<Vehicle>(`/vehicles/${encodeURIComponent(vehicleId)}`, {}, signal),
    refetchInterval: renewalMs(),
  })

export const healthQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['health', vehicleId],
    queryFn: async ({ signal }) => withSaid(await get<Health>(`/vehicles/${encodeURIComponent(vehicleId)}/health`, {}, signal)),
    refetchInterval: renewalMs(),
  })

export const predictionsQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['predictions', vehicleId],
    queryFn: async ({ signal }) => withSaid(await get<Static<typeof PredictionList>>('/predictions', { vehicleId }, signal)),
    refetchInterval: renewalMs(),
  })

export function useSignIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (credentials: { email: string; password: string }) => send<Static<typeof SessionAnswer>>('POST', '/session', credentials),
    onSuccess: (answer) => comeIn(queryClient, answer),
  })
}

/** Of any request. Where it answers that the session has ended, the next thing to show is the sign-in form. */
export function followRefusal(queryClient: QueryClient, error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  // A wrong password is refused so as well, and ends nothing.
  const hasEnded = queryClient.getQueryData(sessionQuery.queryKey)?.session != null
  if (hasEnded) queryClient.setQueryData(sessionQuery.queryKey, { session: null, hasEnded })
}

/** By the link of an invitation or a reset. It also signs the person in. */
export function useSetPassword() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (given: { token: string; password: string }) => send<Static<typeof SessionAnswer>>('POST', '/session/password', given),
    onSuccess: (answer) => comeIn(queryClient, answer),
  })
}

export function useRequestReset() {
  return useMutation({
    mutationFn: (given: { email: string }) => send<Static<typeof PasswordResetAnswer>>('POST', '/session/password-reset', given),
  })
}

function comeIn(queryClient: QueryClient, answer: Static<typeof SessionAnswer>): void {
  queryClient.setQueryData(sessionQuery.queryKey, answer)
  // Where the host name has no brand, it is that of the person.
  void queryClient.invalidateQueries({ queryKey: brandQuery.queryKey })
}

/**
 * The next person to sign in on this screen must not see what the one before saw. Only for pages that are shown
 * before signing in: a page that still shows the removed data would load it again, and be refused.
 */
export function useForgetting(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const kept: readonly unknown[] = [sessionQuery.queryKey[0], brandQuery.queryKey[0]]
    queryClient.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey[0]) })
    void queryClient.invalidateQueries({ queryKey: brandQuery.queryKey })
  }, [queryClient])
}

/** Begins to sign out; `SigningOut` takes the place of the pages and ends the session. */
export function useSignOut() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: leaveBrowser,
    onSuccess: () => queryClient.setQueryData<SessionState>(sessionQuery.queryKey, (state) => state && { ...state, isLeaving: true }),
  })
}

/** For when nothing asks for anything any more. */
export function useEndSession() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => send<Static<typeof SessionAnswer>>('DELETE', '/session'),
    onSuccess: (answer) => queryClient.setQueryData(sessionQuery.queryKey, answer),
    // Who could not be signed out sees the pages again.
    onError: (error) => {
      queryClient.setQueryData<SessionState>(sessionQuery.queryKey, (state) => state && { ...state, isLeaving: false })
      showNotice({ text: error.message })
    },
  })
}
