// Where operators' platforms may be.

import { Problem } from '@roadworthy/service-kit/http/problem'

const LEAST_UNPRIVILEGED_PORT = 1_024
const MAX_HOSTNAME_LENGTH = 253

const wrong = (message: string) => new Problem('invalid_request', message, { details: { in: 'body', field: 'base_url' } })

/** As it is stored: without a slash at the end. Throws on what is wrong by the text alone. */
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
