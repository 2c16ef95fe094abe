// What a key pinned to one sub-client may see and touch. Everything else is to it as if it did not exist, so the refusals here are the
// caller's own "not found", word for word.

import { Problem } from '@roadworthy/service-kit/problem'
import type { Caller } from './caller.ts'

export function canAccessSubClient(caller: Caller, subClientId: string | null | undefined): boolean {
  return caller.subClientPin === undefined || caller.subClientPin === subClientId
}

/** Throws `notFound`, the problem that an unknown id gets, unless the caller may see things of this sub-client. */
export function requireSubClientAccess(caller: Caller, subClientId: string | null | undefined, notFound: Problem): void {
  if (!canAccessSubClient(caller, subClientId)) throw notFound
}

/** Which sub-client a list is about. `nothing`: the caller asked for one it cannot see, and gets an empty list. */
export function subClientFilter(caller: Caller, requested: string | undefined): { subClientId: string | undefined; nothing: boolean } {
  if (caller.subClientPin === undefined) return { subClientId: requested, nothing: false }
  return { subClientId: caller.subClientPin, nothing: requested !== undefined && requested !== caller.subClientPin }
}

/** The sub-client that a new thing belongs to: the one named, else the caller's own. Another one than its own is `not_found`. */
export function subClientForWrite(caller: Caller, requested: string | null | undefined): string | undefined {
  const subClientId = requested ?? caller.subClientPin
  if (!canAccessSubClient(caller, subClientId)) throw new Problem('not_found', `There is no sub-client ${JSON.stringify(requested)}.`)
  return subClientId
}
