// What a connection to a gateway is made of: settings, which may be shown, and secrets, which are sealed.

import { type Static, Type } from 'typebox'

/** Nobody has an API key or a secret this long; what is longer is a mistake, or an attempt to fill the database. */
const MAX_SECRET_LENGTH = 500

const baseUrl = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      "Where the gateway's API is, if not at the gateway itself: an emulator, or a proxy of one's own. Its address has to be public, or in a network that the installation allows.",
  }),
)

const webhookSecrets = Type.Array(Type.String({ minLength: 8, maxLength: MAX_SECRET_LENGTH }), {
  minItems: 1,
  maxItems: 3,
  description: 'The newest first. Older ones stay valid while they stand here, so that nothing is lost when a secret is changed.',
})

export const StripeSettings = Type.Object({ baseUrl }, { additionalProperties: false })
export type StripeSettings = Static<typeof StripeSettings>

/** A restricted key is enough: Checkout Sessions, PaymentIntents, Charges, Refunds and Disputes to read; the first two and Refunds to write. */
export const StripeSecrets = Type.Object(
  { apiKey: Type.String({ pattern: '^(sk|rk)_(live|test)_[A-Za-z0-9_]{4,300}$' }), webhookSecrets },
  { additionalProperties: false },
)
export type StripeSecrets = Static<typeof StripeSecrets>

export const RazorpaySettings = Type.Object(
  { keyId: Type.String({ pattern: '^rzp_(live|test)_[A-Za-z0-9]{4,40}$' }), baseUrl },
  { additionalProperties: false },
)
export type RazorpaySettings = Static<typeof RazorpaySettings>

export const RazorpaySecrets = Type.Object(
  { keySecret: Type.String({ minLength: 8, maxLength: MAX_SECRET_LENGTH }), webhookSecrets },
  { additionalProperties: false },
)
export type RazorpaySecrets = Static<typeof RazorpaySecrets>

export type GatewayConnection =
  | { readonly gateway: 'stripe'; readonly settings: StripeSettings; readonly secrets: StripeSecrets }
  | { readonly gateway: 'razorpay'; readonly settings: RazorpaySettings; readonly secrets: RazorpaySecrets }
