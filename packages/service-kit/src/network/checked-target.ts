// Addresses that tenants write into connections. Asked when one is stored, so that the tenant gets an error; the transport asks again at every call.

import { Problem } from '../http/problem.ts'
import { type AddressGuard, ForbiddenTargetError } from './address-guard.ts'

const RESOLVE_MS = 4_000

/**
 * Refuses what may not be connected to, by the name of the field it stands in. A host name that has no address is taken: the test of the connection
 * reports it, and it may get one.
 */
export async function checkTarget(guard: AddressGuard, url: URL, field: string): Promise<void> {
  const wrong = (message: string) => new Problem('invalid_request', message, { details: { in: 'body', field } })
  const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  let isAllowed = false
  try {
    const judged = await guard(hostname, AbortSignal.timeout(RESOLVE_MS))
    isAllowed = judged.isAllowed
  } catch (error) {
    if (error instanceof ForbiddenTargetError) throw wrong(error.message)
  }
  if (url.protocol === 'http:' && !isAllowed) throw wrong(`"${field}" is an https URL; http is for networks that the installation allows.`)
}
