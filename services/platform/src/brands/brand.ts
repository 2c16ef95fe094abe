import type { LogoType } from '@roadworthy/contracts/platform-v1/brands'
import { Problem } from '@roadworthy/service-kit/http/problem'
import { isOneLine } from '@roadworthy/service-kit/text/one-line'
import type { AuditedFields } from '../audit/audit.ts'
import { isEmailAddress } from '../people/email-address.ts'
import type { HostClaim } from './host-claims.sql.ts'
import { toHostName } from './host-name.ts'
import type { IsReservedHost } from './reserved-hosts.ts'

/** What a reseller, or one of its sub-clients, has set. What is absent is inherited. */
export type Brand = {
  readonly name: string | undefined
  /** `#rrggbb` in lower case. */
  readonly colour: string | undefined
  readonly supportEmail: string | undefined
  readonly supportUrl: string | undefined
  /** In lower case, as listed. */
  readonly hosts: readonly string[]
}

export type BrandWithLogo = Brand & { readonly logoSha256Hex: string | undefined; readonly claims: readonly HostClaim[] }

/** What is shown where nobody has set anything. */
export const DEFAULT_NAME = 'Roadworthy'

/** The brand as it is kept. Throws `Problem('invalid_request')` that names the field. */
export function checkedBrand(given: Brand, isReserved: IsReservedHost): Brand {
  const name = given.name?.trim()
  if (name !== undefined && (name === '' || !isOneLine(name))) {
    throw refuse('name', 'A name is one line of text.')
  }
  const supportEmail = given.supportEmail?.trim().toLowerCase()
  if (supportEmail !== undefined && !isEmailAddress(supportEmail)) throw refuse('supportEmail', 'This is not an e-mail address.')
  if (given.supportUrl !== undefined && !isWebAddress(given.supportUrl)) {
    throw refuse('supportUrl', 'An address that begins with https:// or http:// is wanted, without blanks and sign-in.')
  }
  const hosts = given.hosts.map((host) => checkedHost(host, isReserved))
  if (new Set(hosts).size < hosts.length) throw refuse('hosts', 'A host name is listed twice.')
  return { name, colour: given.colour?.toLowerCase(), supportEmail, supportUrl: given.supportUrl, hosts }
}

function checkedHost(given: string, isReserved: IsReservedHost): string {
  const host = toHostName(given)
  if (host === undefined) {
    throw refuse('hosts', `${JSON.stringify(given)} is not a host name such as fleet.example.com, without scheme, port and path.`)
  }
  if (isReserved(host)) throw refuse('hosts', `${host} is a host name of the service itself.`)
  return host
}

export function hostIsTaken(): Problem {
  return new Problem('already_exists', 'One of these host names leads to another brand.', { details: { in: 'body', field: 'hosts' } })
}

export function auditedBrand({ name, colour, supportEmail, supportUrl, hosts }: Brand): AuditedFields {
  return { name, colour, supportEmail, supportUrl, hosts }
}

/** A browser runs what stands behind `javascript:`; nothing but web pages may be linked. `URL` drops blanks and line breaks, mails show what was given. */
function isWebAddress(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an address is one word
  if (!URL.canParse(text) || /[\s\u0000-\u001f\u007f-\u009f]/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** By the first bytes of the file, whatever its sender calls it. SVG is none of them: it can carry scripts. */
export function logoTypeOf(image: Buffer): LogoType | undefined {
  if (image.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png'
  if (image.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  const isWebp = image.subarray(0, 4).toString('latin1') === 'RIFF' && image.subarray(8, 12).toString('latin1') === 'WEBP'
  return isWebp ? 'image/webp' : undefined
}

function refuse(field: string, message: string): Problem {
  return new Problem('invalid_request', message, { details: { in: 'body', field } })
}
