import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

const MAX_LENGTH = 253
/** Names of the local network or of no network (RFC 6761, RFC 6762, RFC 8375, RFC 7686; ICANN keeps `internal` for private use). */
const LOCAL = /(^|\.)(localhost|localdomain|local|internal|invalid|onion|arpa)$/
/** RFC 1123, of at least two labels, the last of which is no number: neither an address nor a name of the local network. */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What ends the host in an address: `domainToASCII` leaves out the rest, and reads what is escaped. */
const NOT_OF_A_NAME = /[/?#\\%@:]/

/** As it is asked of DNS and sent by browsers: lower case, letters of other scripts in their ASCII form, no dot at the end. */
export function toHostName(text: string): string | undefined {
  if (NOT_OF_A_NAME.test(text)) return undefined
  const name = domainToASCII(text.trim().replace(/\.$/, ''))
  return name.length <= MAX_LENGTH && isIP(name) === 0 && HOST_NAME.test(name) && !LOCAL.test(name) ? name : undefined
}
