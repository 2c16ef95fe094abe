// As the SIM and billing API shows connections to gateways.

import type { GatewayConnection } from '@roadworthy/contracts/sim-billing/gateway-connections'
import { previousSecretUntil } from './change-connection.ts'
import { isLiveConnection, openConnectionSecrets, type StoredConnection } from './gateway-connection.ts'
import type { PaymentDeps } from './payment-deps.ts'

export function toWireConnection(
  { sealer, baseUrl, now }: Pick<PaymentDeps, 'sealer' | 'baseUrl' | 'now'>,
  connection: StoredConnection,
): GatewayConnection {
  const { gateway, connectionId, settings } = connection
  const secrets = openConnectionSecrets(sealer, connection)
  const apiSecretName = gateway === 'stripe' ? 'api_key' : 'key_secret'
  return {
    connection_id: connectionId,
    gateway,
    name: connection.name,
    enabled: connection.enabled,
    mode: isLiveConnection(connection, secrets) ? 'live' : 'test',
    settings: {
      ...(settings.baseUrl === undefined ? {} : { base_url: settings.baseUrl }),
      ...(settings.keyId === undefined ? {} : { key_id: settings.keyId }),
    },
    credential_names: [apiSecretName, 'webhook_secret'],
    callback_url: `${baseUrl()}/api/sim-billing/payments/callback/${gateway}/${connectionId}`,
    previous_webhook_secret_until: previousSecretUntil(secrets, now())?.toISOString() ?? null,
    last_event_at: connection.lastEventAt?.toISOString() ?? null,
    refused_callbacks: connection.refusedCount,
    last_refused_at: connection.lastRefusedAt?.toISOString() ?? null,
    last_refusal: connection.lastRefusal ?? null,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  }
}
