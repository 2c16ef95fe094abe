// Spec gap §1: the look of the dashboard for a reseller and for its sub-clients.

import { type Static, Type } from 'typebox'
import { nullable, timestamp, timestampExample } from '../wire-fields.ts'

const name = Type.String({ minLength: 1, maxLength: 60, description: 'What the dashboard calls itself.' })
const colour = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'Of buttons and links: `#rrggbb`.' })
const supportEmail = Type.String({ minLength: 3, maxLength: 254, description: 'Whom people write to for help.' })
const supportUrl = Type.String({ minLength: 8, maxLength: 500, description: 'Page for help, `https://` or `http://`.' })
const logoUrl = Type.String({ description: 'Path of the image. Another image has another path, so it may be kept for ever.' })

const logoUrlExample = '/api/v1/brand/logos/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const shown = { name: 'Acme Fleet', colour: '#0b7285', supportEmail: 'help@acme.example', supportUrl: null }

export const ShownBrand = Type.Object(
  {
    name,
    colour: nullable(colour),
    logoUrl: nullable(logoUrl),
    supportEmail: nullable(supportEmail),
    supportUrl: nullable(supportUrl),
  },
  {
    title: 'ShownBrand',
    description: 'What the dashboard shows at this host name.',
    examples: [{ ...shown, logoUrl: logoUrlExample }],
  },
)
export type ShownBrand = Static<typeof ShownBrand>

/** W3C Web Application Manifest, as far as browsers read it to install the dashboard. */
export const AppManifest = Type.Object(
  {
    name: Type.String(),
    short_name: Type.String(),
    id: Type.String(),
    start_url: Type.String(),
    scope: Type.String(),
    display: Type.Literal('standalone'),
    background_color: Type.String(),
    theme_color: Type.String(),
    icons: Type.Array(
      Type.Object({ src: Type.String(), sizes: Type.String(), type: Type.String(), purpose: Type.String() }, { title: 'AppIcon' }),
    ),
  },
  {
    title: 'AppManifest',
    description: 'How the dashboard is installed.',
    examples: [
      {
        ...{ name: 'Acme Fleet', short_name: 'Acme Fleet', id: '/', start_url: '/', scope: '/', display: 'standalone' },
        ...{ background_color: '#f1f3f5', theme_color: '#0b7285' },
        icons: [{ src: '/api/v1/brand/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
      },
    ],
  },
)
export type AppManifest = Static<typeof AppManifest>

const hostProofExample = {
  host: 'fleet.acme.example',
  status: 'pending',
  provedBy: null,
  record: { type: 'TXT', name: '_roadworthy-challenge.fleet.acme.example', value: '3q2-7wABCDEfghijklmnopqrstuvwxyz' },
  provedAt: null,
  checkedAt: timestampExample,
  problem: 'missing',
}

export const HostProof = Type.Object(
  {
    host: Type.String(),
    status: Type.Enum(['pending', 'proved'], {
      type: 'string',
      description: '`pending`: nothing is shown there yet, and no link leads there.',
    }),
    provedBy: nullable(
      Type.Enum(['dns', 'operator'], { type: 'string', description: '`operator`: confirmed by hand; not looked at again.' }),
    ),
    record: Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
      {
        title: 'DnsRecord',
        description:
          'The DNS record that proves it. It is looked for soon after the host is listed, and daily from then on: leave it there.',
      },
    ),
    provedAt: nullable(timestamp('Since when it is proved.')),
    checkedAt: nullable(timestamp('When the record was last looked for.')),
    problem: nullable(
      Type.Enum(['missing', 'unreachable', 'taken'], {
        type: 'string',
        description:
          '`missing`: there is no such record. `unreachable`: DNS did not answer. `taken`: it is there, but another brand has proved the name.',
      }),
    ),
  },
  { title: 'HostProof', examples: [hostProofExample] },
)
export type HostProof = Static<typeof HostProof>

const brandExample = { ...shown, logoUrl: logoUrlExample, hosts: ['fleet.acme.example'], hostProofs: [hostProofExample] }

export const Brand = Type.Object(
  {
    name: nullable(name),
    colour: nullable(colour),
    logoUrl: nullable(logoUrl),
    supportEmail: nullable(supportEmail),
    supportUrl: nullable(supportUrl),
    hosts: Type.Array(Type.String(), { description: 'Host names as they are listed. Links in mails begin with the first that is proved.' }),
    hostProofs: Type.Array(HostProof, { description: 'Of each host, whether it is proved whose it is, and how to prove it.' }),
  },
  { title: 'Brand', examples: [brandExample] },
)
export type Brand = Static<typeof Brand>

export const BrandAnswer = Type.Object(
  { brand: Brand },
  {
    title: 'BrandAnswer',
    description: "The brand. What is null is, for a sub-client, as in the reseller's, and there as in the service's own.",
    examples: [{ brand: brandExample }],
  },
)

export const ChangeBrandRequest = Type.Object(
  {
    name: Type.Optional(nullable(name)),
    colour: Type.Optional(nullable(colour)),
    supportEmail: Type.Optional(nullable(supportEmail)),
    supportUrl: Type.Optional(nullable(supportUrl)),
    hosts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        maxItems: 10,
        description: 'Host names that lead to this service, without scheme and port. Each is shown after it is proved: see `hostProofs`.',
      }),
    ),
  },
  { title: 'ChangeBrandRequest', additionalProperties: false, examples: [{ ...shown, hosts: ['fleet.acme.example'] }] },
)
export type ChangeBrandRequest = Static<typeof ChangeBrandRequest>

export const SubClientBrandParams = Type.Object({ subClientId: Type.String({ minLength: 1, maxLength: 100 }) })

export const LogoParams = Type.Object({
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the image, in hexadecimal.' }),
})

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof logoTypes)[number]

/** The bytes of the file, as they are. No `type`: to the validator they are no JSON. */
const image = Type.Unsafe<unknown>({ description: 'The bytes of the file, at most 256 KiB.', examples: ['(the bytes of the file)'] })

/** By content type, as OpenAPI and Fastify both describe it. */
export const logoContent = Object.fromEntries(logoTypes.map((type) => [type, { schema: image }]))
