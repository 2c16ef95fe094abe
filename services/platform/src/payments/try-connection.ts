import type { GatewayConnectionTest } from '@roadworthy/contracts/sim-billing/gateway-connections'
import { isLiveConnection, openConnectionSecrets, type StoredConnection } from './gateway-connection.ts'
import { GatewayError } from './gateways/gateway.ts'
import { openGateway, type PaymentDeps } from './payment-deps.ts'

const TEST_MS = 25_000

type TryDeps = Pick<PaymentDeps, 'sealer' | 'gateways' | 'now'>

/** Rejects for nothing that the gateway does: that is what it reports. */
export async function tryConnection(deps: TryDeps, connection: StoredConnection): Promise<GatewayConnectionTest> {
  const beganMs = performance.now()
  const outcome = await ask(deps, connection)
  const isLive = isLiveConnection(connection, openConnectionSecrets(deps.sealer, connection))
  return { ...outcome, mode: isLive ? 'live' : 'test', duration_ms: Math.round(performance.now() - beganMs) }
}

async function ask(deps: TryDeps, connection: StoredConnection): Promise<Pick<GatewayConnectionTest, 'success' | 'message' | 'account'>> {
  const signal = AbortSignal.timeout(TEST_MS)
  try {
    const { account = null } = await openGateway(deps, connection).testConnection(signal)
    return { success: true, message: 'The gateway took the credentials.', account }
  } catch (error) {
    if (error instanceof GatewayError) return { success: false, message: error.message, account: null }
    if (signal.aborted) return { success: false, message: `The gateway did not answer within ${TEST_MS / 1000} s.`, account: null }
    throw error
  }
}
