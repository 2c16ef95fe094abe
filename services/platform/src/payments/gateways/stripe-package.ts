// The official package of Stripe, loaded by the first use: most installations have no connection to Stripe, and its two hundred modules cost
// each process 6 MB of heap.

import { createRequire } from 'node:module'

type StripePackage = typeof import('stripe').default

const require = createRequire(import.meta.url)

export const stripePackage = (): StripePackage => require('stripe') as StripePackage
