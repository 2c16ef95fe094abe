// A connection to a payment gateway as it is stored: what may be shown, and the secrets, which are sealed.

import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import type { GatewayId } from './gateways/gateway.ts'
import type { GatewayConnection } from './gateways/gateway-settings.ts'

/** The purpose of the sealer of these secrets. */
export const GATEWAY_SECRETS = 'payment gateways'

export type StoredConnection = {
  /** A reseller's slug, or `_operator`. */
  readonly resellerId: string
  readonly connectionId: string
  readonly gateway: GatewayId
  readonly name: string
  readonly enabled: boolean
  readonly settings: ConnectionSettings
  readonly secretsSealed: Buffer
  readonly revision: string
  readonly lastEventAt: Date | undefined
  readonly refusedCount: number
  readonly lastRefusedAt: Date | undefined
  readonly lastRefusal: string | undefined
  /** Disputes that were opened at the gateway before then have been listed. Absent: none yet. */
  readonly disputesListedUntil: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** `keyId`: of Razorpay. */
export type ConnectionSettings = { readonly baseUrl?: string; readonly keyId?: string }

export type ConnectionSecrets = {
  /** Stripe's API key, or the secret of Razorpay's. */
  readonly apiSecret: string
  /** The newest first. `until`: one that was replaced, as an instant in ISO 8601. */
  readonly webhookSecrets: readonly { readonly secret: string; readonly until?: string }[]
}

type Place = Pick<StoredConnection, 'resellerId' | 'connectionId'>

export const gatewaySecretsContext = ({ resellerId, connectionId }: Place) => `${resellerId} ${connectionId}`

export function sealConnectionSecrets(sealer: Sealer, place: Place, secrets: ConnectionSecrets): Buffer {
  return sealer.seal(JSON.stringify(secrets), gatewaySecretsContext(place))
}

export function openConnectionSecrets(sealer: Sealer, connection: Place & Pick<StoredConnection, 'secretsSealed'>): ConnectionSecrets {
  return JSON.parse(sealer.open(connection.secretsSealed, gatewaySecretsContext(connection))) as ConnectionSecrets
}

/** As the adapters take it, with the webhook secrets that are valid at that time. */
export function toGatewayConnection(
  { gateway, settings }: Pick<StoredConnection, 'gateway' | 'settings'>,
  { apiSecret, webhookSecrets }: ConnectionSecrets,
  at: Date,
): GatewayConnection {
  const valid = webhookSecrets.filter(({ until }) => until === undefined || new Date(until) > at).map(({ secret }) => secret)
  const { keyId = '', ...rest } = settings
  return gateway === 'stripe'
    ? { gateway, settings: rest, secrets: { apiKey: apiSecret, webhookSecrets: valid } }
    : { gateway, settings: { ...rest, keyId }, secrets: { keySecret: apiSecret, webhookSecrets: valid } }
}

/** Both gateways show it in the form of their keys. */
export function isLiveConnection(
  { gateway, settings }: Pick<StoredConnection, 'gateway' | 'settings'>,
  { apiSecret }: ConnectionSecrets,
): boolean {
  return gateway === 'stripe' ? apiSecret.includes('_live_') : settings.keyId?.startsWith('rzp_live_') === true
}
