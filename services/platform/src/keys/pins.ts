// A key pinned to one sub-client: everything else is to it as if it did not exist.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Caller } from './caller.ts'

/** The sub-client that a new thing belongs to: the one named, else the caller's own. Another one than its own is `not_found`. */
export function subClientForWrite(
  { subClientPin }: Pick<Caller, 'subClientPin'>,
  requested: string | null | undefined,
): string | undefined {
  const subClientId = requested ?? subClientPin
  if (subClientPin === undefined || subClientId === subClientPin) return subClientId
  throw new Problem('not_found', `There is no sub-client ${JSON.stringify(requested)}.`)
}
