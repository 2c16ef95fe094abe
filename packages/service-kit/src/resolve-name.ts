// Names that strangers choose are asked of DNS itself, not of `getaddrinfo`: that blocks one of the process's four threads for as long as a name
// server keeps silent, and a stranger chooses the name server. So the hosts file is not read.

import { promises as dns } from 'node:dns'
import type { Address } from './address-guard.ts'

const QUERY_TIMEOUT_MS = 1_500
const TRIES = 2
/** What says that there is no such record, as opposed to that nobody could be asked. */
const NO_RECORD = ['ENODATA', 'ENOTFOUND']

/** A `ResolveName`, of the servers that the machine is set up with or of others. Its error has the code ENOTFOUND when there is no address. */
export async function resolveName(hostname: string, signal: AbortSignal, servers?: readonly string[]): Promise<Address[]> {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses: Address[] = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
    ]
    if (addresses.length > 0) return addresses
    const errors = [four, six].flatMap((each) => (each.status === 'rejected' ? [each.reason as NodeJS.ErrnoException] : []))
    const unasked = errors.find(({ code }) => !NO_RECORD.includes(code ?? ''))
    throw unasked ?? Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
