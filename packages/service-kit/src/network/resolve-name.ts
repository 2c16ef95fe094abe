import type { Address } from './address-guard.ts'
import { askDns, isNoRecord } from './ask-dns.ts'

/** A `ResolveName`, of the servers that the machine is set up with or of others. Its error has the code ENOTFOUND when there is no address. */
export async function resolveName(hostname: string, signal: AbortSignal, servers?: readonly string[]): Promise<Address[]> {
  const [four, six] = await askDns({ signal, servers }, (resolver) =>
    Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]),
  )
  const addresses: Address[] = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
  ]
  if (addresses.length > 0) return addresses
  const errors = [four, six].flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
  const unasked = errors.find((error) => !isNoRecord(error))
  throw unasked ?? Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
}
