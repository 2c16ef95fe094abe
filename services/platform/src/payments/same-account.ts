// That a connection stays at its account when its credentials change: what is under way is in the account before, where nobody could ask after it any
// more, and a checkout that was opened there would be opened a second time.

import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { Sealer } from '@roadworthy/service-kit/process/sealed'
import { selectLatestCheckoutAcrossResellers } from './attempts.sql.ts'
import { type ConnectionSecrets, openConnectionSecrets, type StoredConnection, toGatewayConnection } from './gateway-connection.ts'
import { createGateway } from './gateways/create-gateway.ts'
import { GatewayError } from './gateways/gateway.ts'
import type { GatewayDeps } from './gateways/gateway-call.ts'

const ASKING_MS = 25_000
const RETRY_AFTER_S = 30

/** Whether the gateway is asked at the same address with the same key. */
export function hasSameAccess(
  { sealer }: { readonly sealer: Sealer },
  before: StoredConnection,
  { settings }: StoredConnection,
  { apiSecret }: ConnectionSecrets,
): boolean {
  const isSamePlace = settings.baseUrl === before.settings.baseUrl && settings.keyId === before.settings.keyId
  return isSamePlace && apiSecret === openConnectionSecrets(sealer, before).apiSecret
}

type AskingDeps = { readonly database: Database; readonly gateways?: GatewayDeps; readonly now: () => Date }

/** Gateways have no other way to compare accounts by their keys: the account knows the checkout that was opened last, or it is another one. */
export async function refuseOtherAccount(
  { database, gateways, now }: AskingDeps,
  changed: StoredConnection,
  secrets: ConnectionSecrets,
): Promise<void> {
  const gatewayRef = await selectLatestCheckoutAcrossResellers(database.systemPool, changed.connectionId)
  if (gatewayRef === undefined) return
  if (gateways === undefined) throw new Error('nobody can ask whether it is the same account')
  const signal = AbortSignal.timeout(ASKING_MS)
  try {
    await createGateway(gateways, toGatewayConnection(changed, secrets, now())).fetchState(gatewayRef, signal)
  } catch (error) {
    if (!(error instanceof GatewayError) && !signal.aborted) throw error
    throw refusalOf(error, changed)
  }
}

function refusalOf(error: unknown, { gateway }: StoredConnection): Problem {
  const kind = error instanceof GatewayError ? error.kind : 'unavailable'
  if (kind === 'not_found') {
    const message =
      'These credentials are of another account, which does not know the payments of this connection. Make another connection for it.'
    return new Problem('conflict', message)
  }
  if (kind === 'auth') {
    const field = gateway === 'stripe' ? 'credentials.api_key' : 'credentials.key_secret'
    return new Problem('invalid_request', `The gateway does not take "${field}", or does not let it read payments.`, {
      details: { in: 'body', field },
    })
  }
  const message = 'The gateway did not answer whether these credentials are of the same account. Nothing was changed. Ask again.'
  return new Problem('unavailable', message, { retryAfterS: RETRY_AFTER_S })
}
