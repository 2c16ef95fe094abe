// Spec gap §1: the look of the dashboard for a reseller and for its sub-clients.

import { type Static, Type } from 'typebox'
import { nullable } from '../wire-fields.ts'

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

const brandExample = { ...shown, logoUrl: logoUrlExample, hosts: ['fleet.acme.example'] }

export const Brand = Type.Object(
  {
    name: nullable(name),
    colour: nullable(colour),
    logoUrl: nullable(logoUrl),
    supportEmail: nullable(supportEmail),
    supportUrl: nullable(supportUrl),
    hosts: Type.Array(Type.String(), { description: 'Host names under which it is shown. Links in mails begin with the first.' }),
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
        description: 'Host names that lead to this service, without scheme and port.',
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
