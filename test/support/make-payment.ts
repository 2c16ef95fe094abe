// Connections to payment gateways, made as a reseller makes them, and callbacks that are signed as theirs.

import { createHmac } from 'node:crypto'
import { insertAttempt } from '@roadworthy/platform/payments/attempts.sql'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { newId } from '@roadworthy/service-kit/text/ids'
import type { Answer } from './running-platform.ts'
import { type Caller, ok, type Tenant } from './service.ts'

const WEBHOOK_SECRET = 'whsec_for-tests-0123456789'

/** Nobody listens at the address of its gateway, where loopback is allowed; elsewhere it is refused. */
export const gatewayConnection = {
  gateway: 'stripe',
  name: 'Stripe',
  settings: { base_url: 'http://127.0.0.1:9999' },
  credentials: { api_key: 'sk_test_for_tests', webhook_secret: WEBHOOK_SECRET },
}

/** `call`: below `/api/sim-billing`. */
export async function makeGatewayConnection(call: Caller, given: object = {}): Promise<string> {
  const made = await call('POST', '/gateway-connections', { body: { ...gatewayConnection, ...given } })
  return ok<{ connection: { connection_id: string } }>(made).connection.connection_id
}

/** As Stripe does it. */
export async function sendCallback(baseUrl: string, path: string, event: { id: string; type: string }): Promise<Answer> {
  const at = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ ...event, object: 'event', created: at, livemode: false, data: { object: {} } })
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` }
  const response = await fetch(`${baseUrl}/api/sim-billing/payments/callback/${path}`, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

/** A payment that nobody paid, put in by hand. `connection`: of a gateway that answers, where one is to be asked. */
export async function makePayment(
  database: Database,
  tenant: Tenant,
  invoiceId: string,
  subClientId: string,
  connection: object = { settings: {} },
): Promise<{ gatewayConnection: string; payment: string }> {
  const connectionId = await makeGatewayConnection(tenant.simBilling, connection)
  const attemptId = newId('pay')
  const at = new Date()
  await database.tenant(tenant.slug, (db) =>
    insertAttempt(db, {
      ...{ resellerId: tenant.slug, attemptId, invoiceId, subClientId, issuerId: tenant.slug, connectionId, gateway: 'stripe' },
      ...{
        gatewayRef: undefined,
        amountMinor: 118_000,
        currency: 'INR',
        status: 'expired',
        description: 'Invoice',
        customerEmail: undefined,
      },
      ...{ returnUrl: 'https://portal.example.com/', expiresAt: at, checkoutUrl: undefined, failure: undefined },
      ...{ endedAt: at, unansweredSince: undefined, abandonedAt: undefined, createdAt: at, updatedAt: at },
    }),
  )
  return { gatewayConnection: connectionId, payment: attemptId }
}
