// Whose an address is, for counting: one IPv4 address, or the /64 that an IPv6 address lies in. A /64 is what one line is given
// (RFC 6177, RIPE-690), so counting whole IPv6 addresses would let one sender have 2^64 names.

import { isIPv6 } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/
/** An address that is none, which no socket has, is cut to what an address may have. */
const MAX_LENGTH = 45

export function addressBlock(address: string): string {
  const plain = address.toLowerCase().replace(/%.*$/s, '')
  const mapped = MAPPED_IPV4.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain.slice(0, MAX_LENGTH)
  const groups = expand(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an IPv6 address, also of one whose last two are written as IPv4. */
function expand(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':').flatMap(toGroups))
  const before = groupsOf(head)
  if (tail === undefined) return before
  const after = groupsOf(tail)
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function toGroups(part: string): number[] {
  if (!part.includes('.')) return [Number.parseInt(part, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
