// Operations of payments that change something, for the test of the audit log. The gateway is the emulator, which calls the service back.

import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { makeBill } from '../support/make-bill.ts'
import { gatewayConnection, makeGatewayConnection, sendCallback } from '../support/make-payment.ts'
import type { Answer } from '../support/running-platform.ts'
import { ok, type Service, type Tenant } from '../support/service.ts'
import type { Changes } from './audited-sim-changes.ts'

const SIM_BILLING = '/api/sim-billing'
const API_KEY = 'sk_test_for_tests'
const [WEBHOOK_SECRET] = [gatewayConnection.credentials.webhook_secret]

type Given = { readonly service: Service; readonly tenant: Tenant; readonly makeSubClient: () => Promise<string>; readonly hooks: CleanUp }

export function paymentChanges({ service, tenant, makeSubClient, hooks }: Given): Changes {
  const { baseUrl, database } = service
  const call = tenant.simBilling
  const all = `${SIM_BILLING}/gateway-connections`
  const connection = async () => `${all}/${await makeGatewayConnection(call)}`
  let started: Promise<EmulatorChild> | undefined
  /** Connects the emulator, and nothing else, and gives the path of an invoice that can be paid. */
  async function payable(): Promise<{ path: string; emulator: EmulatorChild }> {
    started ??= startEmulatorChild().then((child) => {
      hooks.after(async () => await child.stop())
      return child
    })
    const emulator = await started
    await forgetConnections()
    const connectionId = await makeGatewayConnection(call, { settings: { base_url: emulator.url } })
    const callbackUrl = `${baseUrl}${SIM_BILLING}/payments/callback/stripe/${connectionId}`
    await emulator.setAccount({ gateway: 'stripe', key: API_KEY, callbackUrl, webhookSecrets: [WEBHOOK_SECRET] })
    const { invoice } = await makeBill(database, tenant, await makeSubClient())
    return { path: `${SIM_BILLING}/invoices/${invoice}/pay`, emulator }
  }
  async function paidPayment(): Promise<string> {
    const { path, emulator } = await payable()
    const paying = await call('POST', path.slice(SIM_BILLING.length), { body: {} })
    const { id } = ok<{ payment: { id: string } }>(paying).payment
    await emulator.pay(id)
    return id
  }
  /** One whose gateway has refused us since the day before yesterday. */
  async function unansweredPayment(): Promise<string> {
    const { path, emulator } = await payable()
    const { id } = ok<{ payment: { id: string } }>(await call('POST', path.slice(SIM_BILLING.length), { body: {} })).payment
    await database.systemPool.query("update payment_attempts set unanswered_since = now() - interval '2 days' where attempt_id = $1", [id])
    await emulator.addFault({ kind: 'unauthorised', operation: 'state' })
    return id
  }
  /** By hand: through some of them payments are under way. */
  async function forgetConnections(): Promise<void> {
    await database.systemPool.query('delete from gateway_connections')
  }
  /** The short form serves an installation with one connection of the gateway. */
  async function sendOnlyCallback(): Promise<Answer> {
    await forgetConnections()
    await makeGatewayConnection(call)
    return await sendCallback(baseUrl, 'stripe', { id: 'evt_2', type: 'payout.paid' })
  }
  return {
    createGatewayConnection: ['gateway_connection.created', (ask) => ask('POST', all, gatewayConnection)],
    updateGatewayConnection: ['gateway_connection.updated', async (ask) => ask('PUT', await connection(), { name: 'Renamed' })],
    testGatewayConnection: [undefined, async (ask) => ask('POST', `${await connection()}/test`)],
    deleteGatewayConnection: ['gateway_connection.deleted', async (ask) => ask('DELETE', await connection())],
    takePaymentCallback: [
      undefined,
      async () => sendCallback(baseUrl, `stripe/${await makeGatewayConnection(call)}`, { id: 'evt_1', type: 'payout.paid' }),
    ],
    takeOnlyPaymentCallback: [undefined, sendOnlyCallback],
    payInvoice: ['payment.started', async (ask) => ask('POST', (await payable()).path, {})],
    refundPayment: [
      'payment.refund_requested',
      async (ask) => ask('POST', `${SIM_BILLING}/payments/${await paidPayment()}/refund`, { reason: 'Billed twice', amount: 100 }),
    ],
    abandonPayment: [
      'payment.abandoned',
      async (ask) => ask('POST', `${SIM_BILLING}/payments/${await unansweredPayment()}/abandon`, { reason: 'The account was closed' }),
    ],
  }
}
