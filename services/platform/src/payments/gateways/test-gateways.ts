// For tests only: a connection to the emulator as either gateway, and a receiver of its callbacks that verifies and remembers them.

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { emptyState } from '@roadworthy/gateway-emulator/state'
import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { RequestLimits } from '@roadworthy/service-kit/network/guarded-request'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createGateway } from './create-gateway.ts'
import {
  type CallbackHeaders,
  type CallbackVerdict,
  type CheckoutRequest,
  type GatewayEvent,
  type GatewayId,
  gatewayIds,
  type PaymentGateway,
} from './gateway.ts'
import type { GatewayDeps } from './gateway-call.ts'
import type { GatewayConnection } from './gateway-settings.ts'

export type Callback = { readonly headers: CallbackHeaders; readonly body: Buffer; readonly verdict: CallbackVerdict }

export type TestGateway = {
  readonly id: GatewayId
  readonly gateway: PaymentGateway
  readonly connection: GatewayConnection
  readonly emulator: EmulatorChild
  readonly callbacks: Callback[]
  /** What the receiver answers to authentic callbacks, from now on. */
  answerWith(status: number): void
  events(): GatewayEvent[]
  /** Those that are not `ignored`. */
  kinds(): string[]
  checkout(change?: Partial<CheckoutRequest>): CheckoutRequest
}

export const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const noSignal = (): AbortSignal => new AbortController().signal
/** Enough for a loaded machine; nothing waits for it. */
export const AMPLE: RequestLimits = { connectMs: 20_000, totalMs: 30_000, maxAnswerBytes: 4 * 1024 * 1024 }

const SECRETS = { webhookSecrets: [WEBHOOK_SECRET] }
const KEY_SECRET = 'thisIsTheKeySecretOfRazorpay'

export function connectionTo(id: GatewayId, baseUrl: string): GatewayConnection {
  if (id === 'stripe') return { gateway: id, settings: { baseUrl }, secrets: { apiKey: 'sk_test_emulated', ...SECRETS } }
  return { gateway: id, settings: { keyId: 'rzp_test_emulated', baseUrl }, secrets: { keySecret: KEY_SECRET, ...SECRETS } }
}

/** What an address on this machine may be reached with. */
export function loopbackDeps(limits: RequestLimits = AMPLE): GatewayDeps {
  const noDns = () => Promise.reject(new Error('nobody is asked in this test'))
  return { guard: createAddressGuard({ allowCidrs: '127.0.0.0/8', resolveName: noDns }), limits }
}

/** One emulator for all tests of a file, which forgets everything between them. */
export function emulatedGateways(hooks: { before(run: () => Promise<void>): void; after(run: () => Promise<void>): void }) {
  let emulator: EmulatorChild | undefined
  hooks.before(async () => {
    emulator = await startEmulatorChild({ retryDelaysMs: [1_000, 60_000] })
  })
  hooks.after(async () => await emulator?.stop())
  return async (t: CleanUp, id: GatewayId, limits: RequestLimits = AMPLE): Promise<TestGateway> => {
    if (emulator === undefined) throw new Error('the emulator is not there yet')
    await emulator.setState(emptyState())
    return await connect(t, emulator, id, limits)
  }
}

async function connect(t: CleanUp, emulator: EmulatorChild, id: GatewayId, limits: RequestLimits): Promise<TestGateway> {
  const connection = connectionTo(id, emulator.url)
  const gateway = createGateway(loopbackDeps(limits), connection)
  const callbacks: Callback[] = []
  const request = checkoutRequest()
  let status = 200
  const server = http.createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks)
      const { clockOffsetMs } = await emulator.state()
      const verdict = gateway.verifyCallback(body, incoming.headers, new Date(Date.now() + clockOffsetMs))
      callbacks.push({ headers: incoming.headers, body, verdict })
      response.writeHead(verdict.isAuthentic ? status : 401).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const key = connection.gateway === 'stripe' ? connection.secrets.apiKey : connection.settings.keyId
  const keySecret = connection.gateway === 'stripe' ? undefined : connection.secrets.keySecret
  await emulator.setAccount({ gateway: id, key, keySecret, callbackUrl, webhookSecrets: [WEBHOOK_SECRET] })
  const events = () => callbacks.flatMap(({ verdict }) => (verdict.isAuthentic ? verdict.events : []))
  return {
    id,
    gateway,
    connection,
    emulator,
    callbacks,
    answerWith: (next) => {
      status = next
    },
    events,
    kinds: () => events().flatMap(({ kind }) => (kind === 'ignored' ? [] : [kind])),
    checkout: (change = {}) => ({ ...request, ...change }),
  }
}

/** The same for all of a test: a repeat has to have the same time of expiry. */
function checkoutRequest(): CheckoutRequest {
  return {
    attemptId: 'pat-7f3a90c2d1',
    amountMinor: 118_050,
    currency: 'INR',
    description: 'Invoice INV-2026-0042',
    customerEmail: 'accounts@acme.example',
    returnUrl: 'http://127.0.0.1:9/invoices/inv-1',
    expiresAt: new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000),
  }
}

export const eachGateway = gatewayIds
