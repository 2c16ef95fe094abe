// Names that strangers choose are asked of DNS itself, not of `getaddrinfo`: that blocks one of the process's four threads for as long as a name
// server keeps silent, and a stranger chooses the name server. So the hosts file is not read.

import { promises as dns } from 'node:dns'

const QUERY_TIMEOUT_MS = 1_500
const TRIES = 2
const NO_RECORD = ['ENODATA', 'ENOTFOUND']

/** Runs questions until they are answered or the signal aborts, at the servers that the machine is set up with or at others. */
export async function askDns<T>(
  { signal, servers }: { signal: AbortSignal; servers: readonly string[] | undefined },
  ask: (resolver: dns.Resolver) => Promise<T>,
): Promise<T> {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await ask(resolver)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Whether DNS answered that there is no such record, as opposed to that nobody could be asked. */
export function isNoRecord(error: unknown): boolean {
  return NO_RECORD.includes((error as NodeJS.ErrnoException).code ?? '')
}
