// Where operators' platforms may be. Asked when an address is stored; the transport asks again at every call.

import { type AddressGuard, ForbiddenTargetError } from '@roadworthy/service-kit/address-guard'
import { Problem } from '@roadworthy/service-kit/problem'

const LEAST_UNPRIVILEGED_PORT = 1_024
const MAX_HOSTNAME_LENGTH = 253
const RESOLVE_MS = 4_000

const wrong = (message: string) => new Problem('invalid_request', message, { details: { in: 'body', field: 'base_url' } })

/** As it is stored: without a slash at the end. Throws on what can be told from the text alone. */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname.length > MAX_HOSTNAME_LENGTH)
    throw wrong('"base_url" is an absolute https URL.')
  if (url.username !== '' || url.password !== '') throw wrong('"base_url" holds a user name or password; give them in "credentials".')
  if (url.search !== '' || url.hash !== '') throw wrong('"base_url" ends with its path.')
  const port = Number(url.port)
  if (url.port !== '' && ![80, 443].includes(port) && port < LEAST_UNPRIVILEGED_PORT)
    throw wrong(`Port ${port} is refused: 443, 80, or from ${LEAST_UNPRIVILEGED_PORT} up.`)
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

export const baseUrlText = (url: URL) => url.href.replace(/\/$/, '')

/** Refuses what may not be connected to. A name that has no address is taken: the test of the connection says so, and it may get one. */
export async function checkTarget(guard: AddressGuard, url: URL): Promise<void> {
  const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  let isAllowed = false
  try {
    const judged = await guard(hostname, AbortSignal.timeout(RESOLVE_MS))
    isAllowed = judged.isAllowed
  } catch (error) {
    if (error instanceof ForbiddenTargetError) throw wrong(error.message)
  }
  if (url.protocol === 'http:' && !isAllowed) throw wrong('"base_url" is an https URL; http is for networks that the installation allows.')
}
