// The browsers in which who is signed in is shown messages.

import type {
  PushSubscription as AllowedBrowser,
  CreatePushSubscription,
  PushSubscriptionList,
  PushSubscriptionTest,
} from '@roadworthy/contracts/platform-v1/push-subscriptions'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { withReasons } from '../said/refused.ts'
import { get, send } from './client.ts'
import { endpointSha256Of, findSubscription, subscribe } from './this-browser.ts'

const PATH = '/session/push-subscriptions'
const BROWSERS = ['push-subscriptions']

type Browsers = Static<typeof PushSubscriptionList> & {
  /** Of `pushSubscriptions`. */
  readonly thisBrowser: AllowedBrowser | undefined
}

export const browsersQuery = queryOptions({ queryKey: BROWSERS, queryFn: ({ signal }) => askForBrowsers(signal) })

async function askForBrowsers(signal?: AbortSignal): Promise<Browsers> {
  const [list, own] = await Promise.all([get<Static<typeof PushSubscriptionList>>(PATH, {}, signal), findSubscription()])
  const sha256 = own === undefined ? undefined : await endpointSha256Of(own)
  return { ...list, thisBrowser: list.pushSubscriptions.find(({ endpointSha256 }) => endpointSha256 === sha256) }
}

/** Answers whether the person allowed it. */
export function useAllowBrowser(publicKey: string, name: string) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: async () => {
      const subscription = await subscribe(publicKey)
      if (subscription === undefined) return false
      const { endpoint, keys } = subscription.toJSON() as Pick<CreatePushSubscription, 'endpoint' | 'keys'>
      await send<AllowedBrowser>('POST', PATH, { endpoint, keys, name })
      return true
    },
    onSettled,
  })
}

export function useRemoveBrowser(id: string, isThisOne: boolean) {
  const onSettled = useRenewed()
  return useMutation({
    mutationFn: async () => {
      await send<object>('DELETE', pathOf(id))
      if (isThisOne) await (await findSubscription())?.unsubscribe()
    },
    onSettled,
  })
}

export function useTestBrowser(id: string) {
  return useMutation({
    mutationFn: async () => withReasons(await send<Static<typeof PushSubscriptionTest>>('POST', `${pathOf(id)}/test`), ['error']),
  })
}

/** Who signs out is shown nothing more in this browser. What fails here keeps nobody signed in: the push service then reports that the browser is gone. */
export async function leaveBrowser(): Promise<void> {
  try {
    const subscription = await findSubscription()
    if (subscription === undefined) return
    const { thisBrowser } = await askForBrowsers()
    await subscription.unsubscribe()
    if (thisBrowser !== undefined) await send('DELETE', pathOf(thisBrowser.id))
  } catch {
    // Signing out goes on.
  }
}

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

function useRenewed() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: BROWSERS })
}
