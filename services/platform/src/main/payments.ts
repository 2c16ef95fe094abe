// Wires the payment gateways: where they may be, and what payments need.

import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import { resolveName } from '@roadworthy/service-kit/network/resolve-name'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { GATEWAY_SECRETS } from '../payments/gateway-connection.ts'
import type { PaymentDeps } from '../payments/payment-deps.ts'
import { networksWithDemo } from './demo/demo-networks.ts'

export type PaymentOptions = {
  readonly settings: { readonly gatewayAllowCidrs?: string | undefined; readonly demo?: boolean }
  readonly secretKey: string
  readonly now: () => Date
  readonly log: PaymentDeps['log']
}

/** `baseUrl`: asked when it is needed, because the port is known late. */
export function createPayments({ settings, secretKey, now, log }: PaymentOptions, database: Database, baseUrl: () => string): PaymentDeps {
  const guard = createAddressGuard({ allowCidrs: networksWithDemo(settings.gatewayAllowCidrs, settings.demo === true), resolveName })
  return { database, sealer: createSealer(secretKey, GATEWAY_SECRETS), gateways: { guard }, baseUrl, now, log }
}
