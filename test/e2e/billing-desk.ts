// For tests: a running service with an operator and a gateway beside it, each an emulator and a process of its own, and billing that is set up.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { ciscoConnection } from '@roadworthy/operator-emulator/connections'
import { type RunningEmulator, startEmulator } from '@roadworthy/operator-emulator/testing-emulator'
import { untilTaken } from '@roadworthy/platform/test-support'
import { newestClosedMonth } from '../support/closed-month.ts'
import { call, type RunningPlatform, startPlatform } from '../support/running-platform.ts'

const STRIPE = { apiKey: 'sk_test_dashboard', webhookSecret: 'whsec_dashboard_0123456789' }
const POLL_MS = 300
const MAX_POLLS = 600

export type BillingDesk = {
  readonly platform: RunningPlatform
  readonly operator: RunningEmulator
  readonly gateway: EmulatorChild
  /** As the reseller. What a busy machine asks to repeat is repeated. Fails where the answer is not 200. */
  ask(method: string, path: string, body?: object): Promise<Record<string, unknown>>
  /** Of the newest month that is closed, for a sub-client; its id. */
  draft(subClientId: string): Promise<{ invoice_id: string; period: string }>
  stop(): Promise<void>
}

/** Its sub-clients are `north` and `south`; `sims` SIMs are at the operator. */
export async function openBillingDesk({ sims }: { sims: number }): Promise<BillingDesk> {
  const stops: (() => Promise<void>)[] = []
  const loopback = ['--operator-allow-cidrs', '127.0.0.0/8', '--gateway-allow-cidrs', '127.0.0.0/8']
  const platform = await startPlatform({ after: (stop) => stops.push(stop) }, { flags: loopback })
  const operator = await startEmulator({ sims, jobMs: 50 })
  const gateway = await startEmulatorChild({ retryDelaysMs: [200, 500, 1_000] })
  stops.unshift(operator.stop, gateway.stop)
  const desk = { platform, operator, gateway, ask: (...asked: Parameters<BillingDesk['ask']>) => ask(platform, ...asked) }
  for (const [id, name] of Object.entries({ north: 'North Fleet', south: 'South Fleet' }))
    await desk.ask('POST', '/api/external/sub-clients', { name, sub_client_id: id })
  await connectOperator(desk)
  await connectGateway(desk)
  await setUpBilling(desk)
  return {
    ...desk,
    draft: (subClientId) => draftClosedMonth(platform, subClientId),
    stop: async () => {
      for (const stop of stops) await stop()
    },
  }
}

type Connecting = Pick<BillingDesk, 'operator' | 'gateway' | 'ask'>

async function ask(platform: RunningPlatform, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const { base_url, api_key: key } = platform.credentials
  const answer = await untilTaken(() => call(base_url, method, path, { key, ...(body === undefined ? {} : { body }) }))
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function connectOperator({ operator, ask }: Connecting): Promise<void> {
  const { baseUrl, settings, secrets } = ciscoConnection(operator.url)
  const snaked = (fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replaceAll(/[A-Z]/g, (l) => `_${l.toLowerCase()}`), value]))
  const given = { operator: 'cisco', name: 'Control Center', base_url: baseUrl, settings: snaked(settings), credentials: snaked(secrets) }
  await ask('POST', '/api/sim-billing/operator-connections', given)
}

async function connectGateway({ gateway, ask }: Connecting): Promise<void> {
  const credentials = { api_key: STRIPE.apiKey, webhook_secret: STRIPE.webhookSecret }
  const given = { gateway: 'stripe', name: 'Stripe', settings: { base_url: gateway.url }, credentials }
  const { connection } = await ask('POST', '/api/sim-billing/gateway-connections', given)
  const callbackUrl = (connection as { callback_url: string }).callback_url
  await gateway.setAccount({ gateway: 'stripe', key: STRIPE.apiKey, callbackUrl, webhookSecrets: [STRIPE.webhookSecret] })
}

/** A monthly fee, so that a month has something to bill though the service was not there then. */
async function setUpBilling({ ask }: Connecting): Promise<void> {
  const issuer = { name: 'Acme Telematics', address_lines: ['1 Dock Road'], country_code: 'IN', tax_number: '27AAAAA0000A1Z5' }
  const taxes = [{ tax_id: 'igst', name: 'IGST', rate_percent: '18', category: 'S' }]
  await ask('PUT', '/api/sim-billing/billing-settings', { currency: 'INR', issuer, taxes })
  await ask('PUT', '/api/sim-billing/price-list', { subscription_fee: '1000', meters: [], effective_from: '2020-01' })
}

/** As soon as metering has closed the month, which it does within seconds of the first call that is counted. */
async function draftClosedMonth({ credentials }: RunningPlatform, subClientId: string): Promise<{ invoice_id: string; period: string }> {
  for (let turn = 0; turn < MAX_POLLS; turn++) {
    const body = { month: newestClosedMonth(), sub_client_id: subClientId }
    const ask = () => call(credentials.base_url, 'POST', '/api/sim-billing/invoices/draft', { key: credentials.api_key, body })
    const answer = await untilTaken(ask)
    const [invoice] = (answer.body['invoices'] ?? []) as { invoice_id: string; period: string }[]
    if (invoice !== undefined) return invoice
    assert.ok(answer.status === 409 || answer.status === 200, JSON.stringify(answer.body))
    await sleep(POLL_MS)
  }
  assert.fail('the month was not closed')
}
