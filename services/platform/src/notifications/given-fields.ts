// Checks of what people give that are the same for channels and browsers.

import { Problem } from '@roadworthy/service-kit/http/problem'
import { ForbiddenTargetError } from '@roadworthy/service-kit/network/address-guard'
import { isOneLine } from '@roadworthy/service-kit/text/one-line'
import type { TargetGuard } from '../webhooks/target-guard.ts'

const RESOLVE_MS = 4_000

/** Refuses what may not be called. A name about which nobody could be asked is taken: it is looked at again at every attempt. */
export async function checkTargetUrl(guard: TargetGuard, url: string, field: string): Promise<void> {
  try {
    await guard.addressesOf(guard.readUrl(url), AbortSignal.timeout(RESOLVE_MS))
  } catch (error) {
    if (error instanceof ForbiddenTargetError) throw refusal(field, error.message)
    if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') throw refusal(field, `The host of "${field}" has no address.`)
  }
}

export function checkedName(text: string): string {
  const name = text.trim()
  if (name === '' || !isOneLine(name)) throw refusal('name', '"name" is one line of text.')
  return name
}

export function refusal(field: string, message: string): Problem {
  return new Problem('invalid_request', message, { details: { in: 'body', field } })
}
