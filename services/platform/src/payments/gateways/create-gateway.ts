import type { PaymentGateway } from './gateway.ts'
import type { GatewayDeps } from './gateway-call.ts'
import type { GatewayConnection } from './gateway-settings.ts'
import { createRazorpayGateway } from './razorpay.ts'
import { createStripeGateway } from './stripe.ts'

/** Keeps nothing open and may be made for a single call. Throws `GatewayError` `rejected` when the settings name an impossible base URL. */
export function createGateway(deps: GatewayDeps, connection: GatewayConnection): PaymentGateway {
  if (connection.gateway === 'stripe') return createStripeGateway(deps, connection.settings, connection.secrets)
  return createRazorpayGateway(deps, connection.settings, connection.secrets)
}
