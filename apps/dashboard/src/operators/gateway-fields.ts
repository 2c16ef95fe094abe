// What a connection needs by gateway, as docs/invoices.md has it.

import type { GatewayConnection } from '@roadworthy/contracts/sim-billing/gateway-connections'
import { t } from '../text/translate.ts'
import type { Field } from './field.ts'

export type GatewayName = GatewayConnection['gateway']

type GatewayForm = {
  readonly product: string
  readonly where: string
  readonly settings: readonly Field[]
  /** Of which each can be changed by itself. */
  readonly credentials: readonly Field[]
}

const webhookSecret: Field = {
  name: 'webhook_secret',
  label: t('Webhook secret'),
  description: t('With which the gateway signs its messages'),
  kind: 'secret',
  isRequired: true,
}
const baseUrl: Field = {
  name: 'base_url',
  label: t('Address of the API'),
  description: t('Only for an emulator or a proxy of your own; empty: the gateway itself'),
  kind: 'text',
}

export const gatewayForms: Readonly<Record<GatewayName, GatewayForm>> = {
  stripe: {
    product: 'Stripe',
    where: t('At Stripe under Developers: an API key (a restricted one is enough) and the signing secret of a webhook endpoint.'),
    settings: [baseUrl],
    credentials: [
      { name: 'api_key', label: t('API key'), description: t('It begins with sk_ or rk_.'), kind: 'secret', isRequired: true },
      webhookSecret,
    ],
  },
  razorpay: {
    product: 'Razorpay',
    where: t('At Razorpay under Account and settings: an API key with its secret, and the secret of a webhook.'),
    settings: [{ name: 'key_id', label: t('Key id'), description: t('It begins with rzp_.'), kind: 'text', isRequired: true }, baseUrl],
    credentials: [{ name: 'key_secret', label: t('Key secret'), kind: 'secret', isRequired: true }, webhookSecret],
  },
}
