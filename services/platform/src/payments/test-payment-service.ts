// For tests only: the payment routes over a real database, behind the real gate, on a port that the gateway emulator sends its callbacks to.

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { Payment as WirePayment } from '@roadworthy/contracts/sim-billing/payments'
import { type EmulatorChild, startEmulatorChild } from '@roadworthy/gateway-emulator/testing-emulator'
import { createAddressGuard } from '@roadworthy/service-kit/network/address-guard'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import type { CleanUp } from '@roadworthy/service-kit/postgres/test-database'
import { createSealer } from '@roadworthy/service-kit/process/sealed'
import { systemAuthor } from '../audit/audit.ts'
import { OPERATOR_BOOK } from '../billing/book.ts'
import { selectBalances } from '../billing/ledger/ledger.sql.ts'
import { assertLedgerBalances } from '../billing/ledger/ledger.ts'
import type { StoredInvoice } from '../billing/stored-invoice.ts'
import { insertOpenInvoice, insertTestBook, invoiceNow, testDraft } from '../billing/test-book.ts'
import { runDueJobs } from '../jobs/job-worker.ts'
import { createKey, type NewKey } from '../keys/keys.ts'
import { insertResellerWithKey, lastFirst, openTestApi } from '../surfaces/test-api.ts'
import { openTestDatabase, TEST_SECRET_KEY } from '../test-support.ts'
import { paymentCallbackRoutes } from './callback.routes.sim-billing.ts'
import { createConnection } from './change-connection.ts'
import { gatewayConnectionRoutes } from './connection.routes.sim-billing.ts'
import { GATEWAY_SECRETS, type StoredConnection } from './gateway-connection.ts'
import type { GatewayId } from './gateways/gateway.ts'
import { paymentRoutes } from './payment.routes.sim-billing.ts'
import type { PaymentDeps } from './payment-deps.ts'
import { paymentJobKinds } from './payment-job-kinds.ts'
import { recordedPaymentRoutes } from './recorded.routes.sim-billing.ts'
import { createTakeCallback } from './take-callback.ts'

// biome-ignore lint/suspicious/noExplicitAny: each test knows which body its route gives
export type Answer = { readonly status: number; readonly body: any }
export type Call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<Answer>

export const WEBHOOK_SECRET = 'whsec_of-the-tests-0123456789'

export type PaymentService = {
  readonly database: Database
  readonly ownerUrl: string
  readonly deps: PaymentDeps
  readonly emulator: EmulatorChild
  readonly url: string
  /** What was logged as an error. */
  readonly errors: string[]
  now(): Date
  /** Lets time pass here and at the gateway, without doing the jobs of it. */
  advance(ms: number): Promise<void>
  as(apiKey: string): Call
  /** Full access; the reseller is made with its book. */
  reseller(slug: string): Promise<Call>
  resellerWithKey(slug: string): Promise<{ call: Call; apiKey: string }>
  pinned(slug: string, subClientId: string, key?: Partial<NewKey>): Promise<Call>
  connect(ownerId: string, gateway: GatewayId): Promise<StoredConnection>
  invoice(resellerId: string, given?: Partial<StoredInvoice>): Promise<StoredInvoice>
  invoiceNow(invoice: StoredInvoice): Promise<StoredInvoice>
  /** Everything that is due now, by one process. */
  runJobs(): Promise<void>
  /** Makes every job due, and does it. */
  askAll(): Promise<void>
  payments(invoice: StoredInvoice): Promise<WirePayment[]>
  /** What the book has on an account, in all. */
  balance(bookId: string, account: string): Promise<number>
  events(type: string): Promise<Record<string, unknown>[]>
}

/** Keys are of the gateway and the owner, so that each connection is an account of its own. */
const keyOf = (ownerId: string) => ownerId.replaceAll(/[^a-z0-9]/g, '')

export async function openPaymentService(t: CleanUp): Promise<PaymentService> {
  const cleanUp = lastFirst(t)
  const { database, ownerUrl } = await openTestDatabase(cleanUp)
  const emulator = await startEmulatorChild({ retryDelaysMs: [1_000, 60_000, 3_600_000] })
  cleanUp.after(async () => await emulator.stop())
  const clock = { offsetMs: 0 }
  const now = () => new Date(Date.now() + clock.offsetMs)
  const errors: string[] = []
  const log = { error: (_fields: object, message: string) => void errors.push(message), warn: () => undefined }
  const address = { url: '' }
  const deps: PaymentDeps = {
    ...{ database, now, log, baseUrl: () => address.url, sealer: createSealer(TEST_SECRET_KEY, GATEWAY_SECRETS) },
    gateways: {
      guard: createAddressGuard({ allowCidrs: '127.0.0.0/8', resolveName: () => Promise.reject(new Error('no DNS in this test')) }),
      // Enough for a loaded machine; nothing waits for it.
      limits: { connectMs: 30_000, totalMs: 30_000, maxAnswerBytes: 1024 * 1024 },
    },
  }
  const routes = [
    gatewayConnectionRoutes(deps),
    paymentCallbackRoutes(createTakeCallback(deps)),
    paymentRoutes(deps),
    recordedPaymentRoutes(deps),
  ]
  const { app } = await openTestApi(cleanUp, database, { simBilling: routes })
  await app.listen({ host: '127.0.0.1', port: 0 })
  address.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const jobDeps = { database, now: async () => now(), random: () => 0.5, log }

  const as =
    (apiKey: string): Call =>
    async (method, path, body) => {
      const headers = { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await fetch(`${address.url}/api/sim-billing${path}`, init)
      return { status: response.status, body: await response.json() }
    }
  await insertTestBook(database, OPERATOR_BOOK)
  const resellerWithKey = async (slug: string) => {
    const { apiKey } = await insertResellerWithKey(database, slug)
    await insertTestBook(database, slug)
    return { call: as(apiKey), apiKey }
  }
  const runJobs = async () => {
    await runDueJobs(jobDeps, paymentJobKinds(deps))
  }
  return {
    ...{ database, ownerUrl, deps, emulator, url: address.url, errors, now, as, runJobs },
    advance: async (ms) => {
      clock.offsetMs += ms
      await emulator.advance(ms)
    },
    reseller: async (slug) => (await resellerWithKey(slug)).call,
    resellerWithKey,
    pinned: async (slug, subClientId, key = {}) => {
      await database.systemPool.query(
        `insert into sub_clients (reseller_id, sub_client_id, name, status, created_at) values ($1, $2, $2, 'active', now()) on conflict do nothing`,
        [slug, subClientId],
      )
      const given = { name: 'pinned', scopes: ['billing:read', 'billing:write'] as const, perMinute: 0, perDay: 0, subClientId, ...key }
      return as((await createKey(database, slug, given as NewKey, new Date())).apiKey)
    },
    connect: async (ownerId, gateway) => {
      const connection = await connectTo(deps, ownerId, gateway, emulator.url)
      const key = gateway === 'stripe' ? `sk_test_${keyOf(ownerId)}` : `rzp_test_${keyOf(ownerId)}`
      const callbackUrl = `${address.url}/api/sim-billing/payments/callback/${gateway}/${connection.connectionId}`
      await emulator.setAccount({ gateway, key, keySecret: 'secret-of-the-key', callbackUrl, webhookSecrets: [WEBHOOK_SECRET] })
      return connection
    },
    invoice: async (resellerId, given = {}) =>
      await insertOpenInvoice(database, testDraft({ issuerId: resellerId, resellerId, subClientId: 'acme', month: nextMonth(), ...given })),
    invoiceNow: async (invoice) => await invoiceNow(database, invoice),
    askAll: async () => {
      await database.systemPool.query('update jobs set due_at = $1', [now()])
      await runJobs()
    },
    payments: async (invoice) => {
      const { apiKey } = await createKey(
        database,
        invoice.resellerId,
        { name: 'look', scopes: ['*'], perMinute: 0, perDay: 0 } as NewKey,
        new Date(),
      )
      const { status, body } = await as(apiKey)('GET', `/payments?invoice_id=${invoice.invoiceId}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.payments as WirePayment[]
    },
    balance: async (bookId, account) => {
      const balances = await selectBalances(database.tenantPool(bookId), bookId)
      return balances.filter((each) => each.account === account).reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    },
    events: async (type) => {
      const { rows } = await database.systemPool.query<{ data: Record<string, unknown> }>('select data from event_outbox where type = $1', [
        type,
      ])
      return rows.map(({ data }) => data)
    },
  }
}

let months = 0
/** One invoice a month and customer. */
const nextMonth = () => `${2100 + Math.floor(months / 12)}-${String((months++ % 12) + 1).padStart(2, '0')}`

async function connectTo(deps: PaymentDeps, ownerId: string, gateway: GatewayId, baseUrl: string): Promise<StoredConnection> {
  const key = keyOf(ownerId)
  const given =
    gateway === 'stripe'
      ? { settings: { base_url: baseUrl }, credentials: { api_key: `sk_test_${key}`, webhook_secret: WEBHOOK_SECRET } }
      : {
          settings: { base_url: baseUrl, key_id: `rzp_test_${key}` },
          credentials: { key_secret: 'secret-of-the-key', webhook_secret: WEBHOOK_SECRET },
        }
  return await createConnection(deps, { gateway, name: gateway, ...given }, systemAuthor(ownerId, deps.now()))
}

/** Of everything, after each test: whatever happened, the books agree with themselves. */
export async function assertBooks({ database }: Pick<PaymentService, 'database'>): Promise<void> {
  await assertLedgerBalances(database.systemPool)
}
