// What the schemas of billing have in common. Amounts are whole minor units of a currency; prices and rates are decimal texts in major units,
// because a price of a megabyte is often less than a minor unit.

import { type Static, Type } from 'typebox'
import { reference } from '../external/references.ts'
import { closed, nullable, oneLine } from '../wire-fields.ts'

export const invoiceId = (description = 'Of the invoice.') => reference(description, 'inv-3k8f2m9x4c7v1b6n5q0z')
export const planId = (description = 'Of the rate plan; never changes.') =>
  Type.String({ pattern: '^[a-z0-9-]{1,64}$', description, examples: ['m2m-50'] })
export const month = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}$', description, examples: ['2026-10'] })
export const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'A currency of ISO 4217.', examples: ['INR'] })
/** Of amounts in answers. */
export const minor = (description: string) => Type.Integer({ description: `${description} In minor units of the currency.` })

export const price = (description: string) =>
  Type.String({
    pattern: '^\\d{1,9}(\\.\\d{1,6})?$',
    description: `${description} Decimal text in major units, with at most 6 decimals.`,
    examples: ['45.00'],
  })
export const percent = (description: string) =>
  Type.String({
    pattern: '^-?\\d{1,5}(\\.\\d{1,4})?$',
    description: `${description} Decimal text, with at most 4 decimals.`,
    examples: ['12.5'],
  })

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, ...oneLine, description, examples: [example] })
const optionalText = (maxLength: number, description: string, example: string) =>
  Type.Optional(nullable(text(maxLength, description, example)))

export const partyExample = {
  name: 'North Fleet Pvt Ltd',
  address_lines: ['1 Dock Road'],
  city: 'Pune',
  postal_code: '411001',
  region: 'MH',
  country_code: 'IN',
  tax_number: '27AAAAA0000A1Z5',
  email: 'accounts@north.example',
  phone: '+91-20-5550-0100',
}

export const Party = Type.Object(
  {
    name: text(200, 'Legal name, as it is to stand on invoices.', partyExample.name),
    address_lines: Type.Array(text(200, 'A line of the address.', '1 Dock Road'), { maxItems: 4, description: 'Street and house.' }),
    city: optionalText(100, 'City.', 'Pune'),
    postal_code: optionalText(20, 'Postal code.', '411001'),
    region: optionalText(100, 'State or province.', 'MH'),
    country_code: Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166-1 alpha-2, or `XK`: the United Kingdom is `GB`.',
      examples: ['IN'],
    }),
    tax_number: optionalText(50, 'GSTIN, VAT number or the like.', '27AAAAA0000A1Z5'),
    email: Type.Optional(nullable(Type.String({ format: 'email', maxLength: 200, description: 'Reminders go here.' }))),
    phone: optionalText(50, 'Phone.', '+91-20-5550-0100'),
  },
  { title: 'BillingParty', ...closed, description: 'The issuer or the recipient of an invoice.', examples: [partyExample] },
)
export type Party = Static<typeof Party>

export const taxCategory = Type.Enum(['S', 'Z', 'E', 'AE', 'O'], {
  type: 'string',
  description: 'UNCL5305: `S` standard, `Z` zero rated, `E` exempt, `AE` reverse charge, `O` outside the scope.',
})
