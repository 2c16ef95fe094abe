// A browser that a person allowed to show messages: where its push service takes them, and the keys that only the browser can read them by.

import { createHash } from 'node:crypto'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import type { BrowserKeys } from './web-push.ts'

export type PushTarget = BrowserKeys & { readonly endpoint: string }

export type PushSubscription = {
  readonly subscriptionId: string
  readonly userId: string
  /** What the person calls the browser. */
  readonly name: string
  /** Of the push service. */
  readonly host: string
  readonly endpointSha256: Buffer
  readonly targetSealed: Buffer
  readonly createdAt: Date
}

export type SubscriptionPlace = { readonly resellerId: string; readonly subscriptionId: string }
const contextOf = ({ resellerId, subscriptionId }: SubscriptionPlace) => `push ${resellerId} ${subscriptionId}`

export function sealPushTarget(sealer: Sealer, place: SubscriptionPlace, target: PushTarget): Buffer {
  return sealer.seal(JSON.stringify(target), contextOf(place))
}

export function openPushTarget(sealer: Sealer, place: SubscriptionPlace, sealed: Buffer): PushTarget {
  return JSON.parse(sealer.open(sealed, contextOf(place))) as PushTarget
}

/** By it a page knows whether a subscription is that of its own browser. */
export function endpointSha256Of(endpoint: string): Buffer {
  return createHash('sha256').update(endpoint).digest()
}
