// What the pages ask for, how often, and what an answer is called in the cache.

import type { ShownBrand } from '@roadworthy/contracts/platform-v1/brands'
import type { PredictionList } from '@roadworthy/contracts/platform-v1/predictions'
import type { PasswordResetAnswer, Session, SessionAnswer } from '@roadworthy/contracts/platform-v1/session'
import type { Health, Vehicle } from '@roadworthy/contracts/platform-v1/vehicles'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Static } from 'typebox'
import { renewalMs } from '../live/live-state.ts'
import { withSaid } from '../said/said.ts'
import { showNotice } from '../shell/notice.ts'
import { ApiError, forgetUnanswered, get, send } from './client.ts'
import { leaveBrowser } from './push-queries.ts'

/**
 * `hasEnded`: while the person was working, and not by signing out; `session` is then whose it was, until its pages are given up. `isLeaving`: the person is signing out, and no page is shown any more.
 */
export type SessionState = Static<typeof SessionAnswer> & { readonly hasEnded?: boolean; readonly isLeaving?: boolean }

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

/**
 * Of any request. Where it answers that the session has ended, the next thing to show is the sign-in form. Who was signed in stays known: pages that lost it
 * would leave out the forms of those who may change something, with what was typed into them.
 */
export function followRefusal(queryClient: QueryClient, error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  const state = queryClient.getQueryData(sessionQuery.queryKey)
  // A wrong password is refused so as well, and ends nothing.
  if (state == null || state.session === null || state.hasEnded === true) return
  queryClient.setQueryData<SessionState>(
    sessionQuery.queryKey,
    state.isLeaving === true ? { session: null } : { session: state.session, hasEnded: true },
  )
}

/** After a session has ended and the person did not come back. */
export function giveUpPages(queryClient: QueryClient): void {
  queryClient.setQueryData<SessionState>(sessionQuery.queryKey, { session: null, hasEnded: true })
}

/** The tabs of a browser have one session: another one may have ended it, or somebody else may have signed in there. */
export async function followOtherTabs(queryClient: QueryClient): Promise<void> {
  const answer = await get<Static<typeof SessionAnswer>>('/session')
  const state = queryClient.getQueryData(sessionQuery.queryKey)
  if (state === undefined || state.isLeaving === true) return
  const isShown = state.session !== null && state.hasEnded !== true
  if (answer.session === null) {
    if (isShown) queryClient.setQueryData<SessionState>(sessionQuery.queryKey, { session: state.session, hasEnded: true })
  } else if (!isShown || state.session === null || sightOf(state.session) !== sightOf(answer.session)) comeIn(queryClient, answer)
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
  const before = queryClient.getQueryData(sessionQuery.queryKey)?.session
  if (before != null && answer.session !== null && sightOf(before) !== sightOf(answer.session)) forget(queryClient)
  queryClient.setQueryData(sessionQuery.queryKey, answer)
  // Where the host name has no brand, it is that of the person.
  void queryClient.invalidateQueries({ queryKey: brandQuery.queryKey })
}

/** What a session shows: another person, and the same one with other rights, see other things. */
export function sightOf({ userId, role, subClientId, viewAs }: Session): string {
  return JSON.stringify([userId, role, subClientId, viewAs])
}

/**
 * The next person to sign in on this screen must not see what the one before saw. Only for pages that are shown
 * before signing in: a page that still shows the removed data would load it again, and be refused.
 */
export function useForgetting(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    // Behind the form are the pages of the person whose session has ended; they are forgotten where another person signs in.
    if (queryClient.getQueryData(sessionQuery.queryKey)?.session == null) forget(queryClient)
    void queryClient.invalidateQueries({ queryKey: brandQuery.queryKey })
  }, [queryClient])
}

function forget(queryClient: QueryClient): void {
  forgetUnanswered()
  const kept: readonly unknown[] = [sessionQuery.queryKey[0], brandQuery.queryKey[0]]
  queryClient.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey[0]) })
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
