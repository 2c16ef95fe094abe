// Which URLs webhooks may go to. Asked when a URL is stored, and again at every attempt.

import { type Address, createAddressGuard, ForbiddenTargetError, type ResolveName } from '@roadworthy/service-kit/network/address-guard'

export type TargetGuard = {
  /** Throws `ForbiddenTargetError` on what is forbidden by the text alone. */
  readUrl(text: string): URL
  /** The addresses to connect to, and no others. Throws `ForbiddenTargetError`, or whatever the resolver does. */
  addressesOf(url: URL, signal: AbortSignal): Promise<readonly Address[]>
}

const MAX_URL_LENGTH = 2_000
const MAX_HOSTNAME_LENGTH = 253
const LEAST_UNPRIVILEGED_PORT = 1_024

export function createTargetGuard(options: { allowCidrs: string; resolveName: ResolveName }): TargetGuard {
  const judge = createAddressGuard(options)
  return {
    readUrl,
    addressesOf: async (url, signal) => {
      const { addresses, isAllowed } = await judge(bareHostname(url), signal)
      if (url.protocol === 'http:' && !isAllowed) throw new ForbiddenTargetError('Webhooks go over https only.')
      return addresses
    },
  }
}

function readUrl(text: string): URL {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || bareHostname(url).length > MAX_HOSTNAME_LENGTH) {
    throw new ForbiddenTargetError(`A webhook's URL is an absolute https URL of at most ${MAX_URL_LENGTH} characters.`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ForbiddenTargetError('Webhooks go over https only.')
  if (url.username !== '' || url.password !== '') {
    throw new ForbiddenTargetError('A URL with a user name or password in it is refused; give a header instead.')
  }
  const port = Number(url.port)
  if (url.port !== '' && ![80, 443].includes(port) && port < LEAST_UNPRIVILEGED_PORT) {
    throw new ForbiddenTargetError(`Port ${port} is refused: 443, 80, or from ${LEAST_UNPRIVILEGED_PORT} up.`)
  }
  return url
}

/** As it is resolved and connected to: WHATWG URL has canonised every spelling of an IPv4 address, and puts IPv6 in brackets. */
export function bareHostname({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
