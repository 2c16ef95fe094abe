// Where a stranger may have us connect to. A host is given by a stranger and reached from inside our network, so: what is not a public
// address is refused unless the operator allowed it, a name is refused when any address it has is, and the connection is made to the very
// addresses that were looked at (CWE-918, DNS rebinding).

import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

export type Address = { readonly address: string; readonly family: 4 | 6 }

/** Every address of a name, of both families. Rejects when it has none, or when nobody could be asked. */
export type ResolveName = (hostname: string, signal: AbortSignal) => Promise<readonly Address[]>

/** `message` may be shown to the caller who named the host: it reveals nothing of what a name resolves to. */
export class ForbiddenTargetError extends Error {
  override readonly name = 'ForbiddenTargetError'
}

/** `isAllowed`: every one of them is in a network that the operator allowed. */
export type Judged = { readonly addresses: readonly Address[]; readonly isAllowed: boolean }

/** The addresses of a host to connect to, and no others. Throws `ForbiddenTargetError`, or whatever the resolver does. */
export type AddressGuard = (hostname: string, signal: AbortSignal) => Promise<Judged>

/** IANA's special-purpose registries, for IPv4, and what stands in for it inside 2000::/3. Everything outside that is refused as well. */
const FORBIDDEN_CIDRS = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', '::1/128', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16'],
  ...['3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
]
/** The only IPv6 that is routed as global unicast today (RFC 4291 §2.4). */
const GLOBAL_UNICAST = '2000::/3'
/** Names that mean something only inside a network, or on a machine: whatever they resolve to is not for strangers to reach. */
const INTERNAL_NAME = /^[^.]+$|(^|\.)(localhost|localdomain|local|internal|intranet|corp|lan|home|private|home\.arpa|test|invalid)$/
/** A name may have hundreds of addresses. All are looked at; more than these are not tried. */
const MAX_ADDRESSES = 8

/** Parts of a list such as `10.20.0.0/16, fd00::/8` that are no network. */
export function wrongCidrs(text: string): string[] {
  return splitCidrs(text).filter((cidr) => parseCidr(cidr) === undefined)
}

export function createAddressGuard({ allowCidrs, resolveName }: { allowCidrs: string; resolveName: ResolveName }): AddressGuard {
  const forbidden = toBlockList(FORBIDDEN_CIDRS)
  const globalUnicast = toBlockList([GLOBAL_UNICAST])
  const isAnyAllowed = splitCidrs(allowCidrs).length > 0
  const allowed = toBlockList(splitCidrs(allowCidrs))
  const isAllowed = ({ address, family }: Address) => allowed.check(address, `ipv${family}`)
  const isPublic = ({ address, family }: Address) =>
    !forbidden.check(address, `ipv${family}`) && (family === 4 || globalUnicast.check(address, 'ipv6'))

  return async (hostname, signal) => {
    const isInternal = INTERNAL_NAME.test(hostname.toLowerCase().replace(/\.$/, '')) && isIP(hostname) === 0
    if (isInternal && !isAnyAllowed) throw new ForbiddenTargetError(`${hostname} is the name of something internal.`)
    const addresses = isIP(hostname) === 0 ? await resolveName(hostname, signal) : [toAddress(hostname)]
    if (addresses.length === 0) throw new Error(`${hostname} has no address`)
    const first = addresses.slice(0, MAX_ADDRESSES)
    if (addresses.every(isAllowed)) return { addresses: first, isAllowed: true }
    if (isInternal || !addresses.every((each) => isAllowed(each) || isPublic(each))) {
      throw new ForbiddenTargetError(`${hostname} is not, or not only, a public address.`)
    }
    return { addresses: first, isAllowed: false }
  }
}

function toAddress(literal: string): Address {
  return { address: literal, family: isIPv4(literal) ? 4 : 6 }
}

function splitCidrs(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}

function parseCidr(text: string): { address: string; prefix: number; type: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const type = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined
  const prefix = Number(digits)
  if (type === undefined || prefix > (type === 'ipv4' ? 32 : 128)) return undefined
  return { address, prefix, type }
}

function toBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const parsed = parseCidr(cidr)
    if (parsed === undefined) throw new Error(`not a network: ${cidr}`)
    list.addSubnet(parsed.address, parsed.prefix, parsed.type)
  }
  return list
}
