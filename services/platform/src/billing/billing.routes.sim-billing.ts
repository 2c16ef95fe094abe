// Who issues, at which prices of the platform, and to whom. A key of one sub-client sees nothing of it.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SubClientParams } from '@roadworthy/contracts/external/sub-clients'
import {
  BillingCustomerAnswer,
  BillingCustomerUpdate,
  BillingSettingsAnswer,
  BillingSettingsUpdate,
  PriceListAnswer,
  PriceListUpdate,
} from '@roadworthy/contracts/sim-billing/billing-configuration'
import { errorResponses } from '@roadworthy/contracts/sim-billing/errors'
import { isSlug } from '@roadworthy/contracts/sub-client-slug'
import type { App } from '@roadworthy/service-kit/http/http'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database, Db } from '@roadworthy/service-kit/postgres/db'
import { monthAt } from '@roadworthy/service-kit/time/zoned-time'
import { authorOf } from '../audit/audit.ts'
import { noSuchSubClient } from '../fleet/sub-client.ts'
import type { Caller } from '../keys/caller.ts'
import { requireReseller } from '../resellers/resellers.ts'
import { customersOf } from './book-customers.ts'
import { selectBillableSubClients } from './customers.read.sql.ts'
import { selectLastBilledMonth } from './rating/months.sql.ts'
import { selectPriceListVersions } from './rating/plans.sql.ts'
import type { BillingCustomer } from './settings/billing-settings.ts'
import { changeBillingCustomer, changeBillingSettings, requireSettings, storePriceList } from './settings/configure-billing.ts'
import { selectBillingSettings } from './settings/settings.sql.ts'
import { changedCustomer, fromWirePriceList, fromWireSettings, toWireCustomer, toWirePriceList, toWireSettings } from './wire-billing.ts'

export type BillingRoutesDeps = { readonly database: Database; readonly now: () => Date }

const tags = ['Billing']

export function billingRoutes(deps: BillingRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addSettingsRoutes(app as App, deps)
    addPriceListRoutes(app as App, deps)
    addCustomerRoutes(app as App, deps)
  }
}

/** A sub-client that is billed neither sets the prices nor sees what they are made of. */
export function refusePinned({ subClientPin }: Caller, scope: 'billing:read' | 'billing:write'): void {
  if (subClientPin === undefined) return
  throw new Problem('missing_scope', 'This key belongs to one sub-client: it sees its invoices, and nothing of how they are made.', {
    details: { required_scope: scope },
  })
}

function addSettingsRoutes(app: App, { database, now }: BillingRoutesDeps): void {
  app.get(
    '/billing-settings',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'getBillingSettings',
        summary: 'Who issues invoices, and how',
        tags,
        response: { 200: BillingSettingsAnswer, ...errorResponses() },
      },
    },
    async ({ caller }) => {
      refusePinned(caller, 'billing:read')
      return await settingsAnswer(database, caller.resellerId)
    },
  )
  app.put(
    '/billing-settings',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'putBillingSettings',
        summary: 'Set billing up, or change how it is done',
        description:
          'What is left out stays as it is. The first time, `currency` and `issuer` have to be given; from that month on, a draft is made of every ' +
          'month of every sub-client a day after its end. The currency stays as soon as there is an invoice, and a tax ' +
          'as long as a sub-client names it in its `tax_ids`: else 409.',
        tags,
        body: BillingSettingsUpdate,
        response: { 200: BillingSettingsAnswer, ...errorResponses(409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      refusePinned(caller, 'billing:write')
      await changeBillingSettings(database, caller.resellerId, fromWireSettings(body), authorOf(request, now()))
      return await settingsAnswer(database, caller.resellerId)
    },
  )
}

async function settingsAnswer(database: Database, resellerId: string) {
  const db = database.tenantPool(resellerId)
  const [settings, last, { timeZone }] = await Promise.all([
    selectBillingSettings(db, resellerId),
    selectLastBilledMonth(db, resellerId),
    requireReseller(database, resellerId),
  ])
  return {
    success: true as const,
    settings: settings === undefined ? null : toWireSettings(settings, timeZone),
    last_month:
      last === undefined
        ? null
        : {
            period: last.label,
            drafted_at: last.draftedAt.toISOString(),
            failures: last.failures.map(({ customerId, message }) => ({ sub_client_id: customerId, message })),
          },
  }
}

function addPriceListRoutes(app: App, { database, now }: BillingRoutesDeps): void {
  app.get(
    '/price-list',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'getPriceList',
        summary: 'Prices of the platform itself',
        tags,
        response: { 200: PriceListAnswer, ...errorResponses() },
      },
    },
    async ({ caller }) => {
      refusePinned(caller, 'billing:read')
      return await priceListAnswer(database, caller.resellerId)
    },
  )
  app.put(
    '/price-list',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'putPriceList',
        summary: 'Set prices of the platform from a month on',
        description:
          'Adds a version, unless it has the prices that hold in its month already. In a month the one with the newest `effective_from` up to it holds. Its month is after the newest one of which ' +
          'invoices are issued and not void: else 409, with the `earliest` month in its details.',
        tags,
        body: PriceListUpdate,
        response: { 200: PriceListAnswer, ...errorResponses(409) },
      },
    },
    async (request) => {
      const { caller, body } = request
      refusePinned(caller, 'billing:write')
      const at = now()
      const list = fromWirePriceList(body, await thisMonthOf(database, caller.resellerId, at))
      await storePriceList(database, caller.resellerId, list, authorOf(request, at))
      return await priceListAnswer(database, caller.resellerId)
    },
  )
}

/** In the zone of the reseller. */
export async function thisMonthOf(database: Database, resellerId: string, at: Date): Promise<string> {
  return monthAt((await requireReseller(database, resellerId)).timeZone, at.getTime()).label
}

async function priceListAnswer(database: Database, resellerId: string) {
  const versions = (await selectPriceListVersions(database.tenantPool(resellerId), resellerId)).map(toWirePriceList)
  return { success: true as const, price_list: versions.at(-1) ?? null, versions }
}

function addCustomerRoutes(app: App, { database, now }: BillingRoutesDeps): void {
  app.get(
    '/customers/:sub_client_id',
    {
      config: { scope: 'billing:read' },
      schema: {
        operationId: 'getBillingCustomer',
        summary: 'How a sub-client is billed',
        description: 'One that was never set up is billed by the terms of the settings, with a party made of its record.',
        tags,
        params: SubClientParams,
        response: { 200: BillingCustomerAnswer, ...errorResponses(404, 409) },
      },
    },
    async ({ caller, params }) => {
      return { success: true as const, customer: toWireCustomer(await requireCustomer(database, caller, params.sub_client_id)) }
    },
  )
  app.put(
    '/customers/:sub_client_id',
    {
      config: { scope: 'billing:write' },
      schema: {
        operationId: 'putBillingCustomer',
        summary: 'Change how a sub-client is billed',
        description: 'What is left out stays as it is. It acts on drafts that are made from now on.',
        tags,
        params: SubClientParams,
        body: BillingCustomerUpdate,
        response: { 200: BillingCustomerAnswer, ...errorResponses(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const found = await requireCustomer(database, caller, params.sub_client_id)
      const change = (before: BillingCustomer) => changedCustomer(before, body)
      const after = await changeBillingCustomer(database, caller.resellerId, found, change, authorOf(request, now()))
      return { success: true as const, customer: toWireCustomer(after) }
    },
  )
}

/** How a sub-client is billed is nothing that a key of one sees, not even that it is there. */
async function requireCustomer(database: Database, { resellerId, subClientPin }: Caller, subClientId: string): Promise<BillingCustomer> {
  if (subClientPin !== undefined) throw noSuchSubClient()
  const db = database.tenantPool(resellerId)
  await requireBillableSubClient(db, resellerId, subClientId)
  const settings = requireSettings(await selectBillingSettings(db, resellerId))
  const [customer] = await customersOf(database, settings, { customerId: subClientId })
  if (customer === undefined) throw noSuchSubClient()
  return customer
}

export async function requireBillableSubClient(db: Db, resellerId: string, subClientId: string): Promise<void> {
  const found = isSlug(subClientId) ? await selectBillableSubClients(db, resellerId, { customerId: subClientId }) : []
  if (found.length === 0) throw noSuchSubClient()
}
