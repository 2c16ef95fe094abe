import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorResponses } from '@roadworthy/contracts/platform-v1/errors'
import {
  Recovered,
  RecoverRequest,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookDeliveryListQuery,
  WebhookDeliveryParams,
  WebhookParams,
  WebhookStatistics,
} from '@roadworthy/contracts/platform-v1/webhooks'
import { Problem } from '@roadworthy/service-kit/http/problem'
import type { Database } from '@roadworthy/service-kit/postgres/db'
import { endPage, pageRequest } from '@roadworthy/service-kit/postgres/keyset'
import { parseRfc3339 } from '@roadworthy/service-kit/time/rfc3339'
import type { Static } from 'typebox'
import { authorOf, writeAudit } from '../audit/audit.ts'
import { requireReadable } from '../events/event-scopes.ts'
import type { Caller } from '../keys/caller.ts'
import { selectAttempts, selectDeliveries, selectDelivery, selectDeliveryCounts, updateDeliveryResent } from './deliveries.sql.ts'
import { isDeliveryId, noSuchDelivery } from './delivery.ts'
import { requireEndpoint } from './manage-endpoints.ts'
import { type RecoverRange, recoverRange } from './recover.ts'
import { WEBHOOK_SCOPE } from './routes.platform-v1.ts'
import { toPlatformAttempt, toPlatformDelivery } from './wire-webhook.ts'

type DeliveryDeps = { readonly database: Database; readonly now: () => Date }

const tags = ['Webhooks']
const MAX_ATTEMPTS_SHOWN = 50
const DAY_MS = 86_400_000
const MAX_COUNTED = 10_000

export function webhookDeliveryPlatformRoutes(deps: DeliveryDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(logRoutes(deps))
    await app.register(statisticsRoute(deps))
    await app.register(repeatRoutes(deps))
  }
}

function logRoutes(deps: DeliveryDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks/:id/deliveries',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'listWebhookDeliveries',
          tags,
          summary: 'List what was and is to be sent to an endpoint, newest first',
          description: 'Of the last 30 days.',
          params: WebhookParams,
          querystring: WebhookDeliveryListQuery,
          response: { 200: WebhookDeliveryList, ...errorResponses(404) },
        },
      },
      async ({ caller, params, query }) => listDeliveries(deps, caller, params.id, query),
    )
    app.get(
      '/webhooks/:id/deliveries/:deliveryId',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'getWebhookDelivery',
          tags,
          summary: 'Get a delivery with every request and answer',
          description: 'For a key that may read the event.',
          params: WebhookDeliveryParams,
          response: { 200: WebhookDeliveryDetail, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => {
        const place = await findPlace(deps, caller, params)
        const db = deps.database.tenantPool(caller.resellerId)
        const delivery = await selectDelivery(db, place)
        if (delivery === undefined) throw noSuchDelivery()
        requireReadable(caller, [delivery.eventType])
        const attempts = await selectAttempts(db, caller.resellerId, place.deliveryId, MAX_ATTEMPTS_SHOWN)
        return { ...toPlatformDelivery(delivery), body: delivery.body, attempts: attempts.map(toPlatformAttempt) }
      },
    )
  }
}

function statisticsRoute({ database, now }: DeliveryDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks/:id/statistics',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'getWebhookStatistics',
          tags,
          summary: 'Count what became of the deliveries of the last day',
          description: 'Of the newest 10,000 at most.',
          params: WebhookParams,
          response: { 200: WebhookStatistics, ...errorResponses(404) },
        },
      },
      async ({ caller, params }) => {
        const db = database.tenantPool(caller.resellerId)
        const { endpointId } = await requireEndpoint(db, caller, params.id)
        const since = new Date(now().getTime() - DAY_MS)
        const counts = await selectDeliveryCounts(db, { resellerId: caller.resellerId, endpointId }, since, MAX_COUNTED)
        const isComplete = counts.delivered + counts.failing + counts.waiting < MAX_COUNTED
        return { since: since.toISOString(), ...counts, isComplete }
      },
    )
  }
}

function repeatRoutes(deps: DeliveryDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/webhooks/:id/deliveries/:deliveryId/resend',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'resendWebhookDelivery',
          tags,
          summary: 'Send one event again',
          description:
            'At once, with the same `webhook-id`, and by the whole schedule if it fails. While the endpoint is not enabled it waits for that. ' +
            'For a key that may read the event.',
          params: WebhookDeliveryParams,
          response: { 200: WebhookDelivery, ...errorResponses(404) },
        },
      },
      async (request) => {
        const { caller, params } = request
        const { subClientId, ...place } = await findPlace(deps, caller, params)
        const author = authorOf(request, deps.now())
        return await deps.database.tenant(caller.resellerId, async (db) => {
          const delivery = await updateDeliveryResent(db, place, author.at)
          if (delivery === undefined) throw noSuchDelivery()
          // The endpoint may have another URL by now than when the event was first sent.
          requireReadable(caller, [delivery.eventType])
          await writeAudit(db, author, { action: 'webhook.delivery_resent', objectId: place.deliveryId, subClientId })
          return toPlatformDelivery(delivery)
        })
      },
    )
    app.post(
      '/webhooks/:id/recover',
      {
        config: { scope: WEBHOOK_SCOPE },
        schema: {
          operationId: 'recoverWebhookDeliveries',
          tags,
          summary: 'Send everything again that did not arrive',
          description:
            'Every event of the range that the endpoint asks for and did not get: those that failed, those that wait for a later attempt, and ' +
            'those that happened while it was disabled. What was delivered is not repeated.',
          params: WebhookParams,
          body: RecoverRequest,
          response: { 200: Recovered, ...errorResponses(404) },
        },
      },
      async (request) => {
        const { caller, params, body } = request
        const author = authorOf(request, deps.now())
        return await recoverRange(deps, caller, params.id, readRange(body, author.at), author)
      },
    )
  }
}

async function findPlace({ database }: DeliveryDeps, caller: Caller, { id, deliveryId }: { id: string; deliveryId: string }) {
  const { endpointId, subClientId } = await requireEndpoint(database.tenantPool(caller.resellerId), caller, id)
  if (!isDeliveryId(deliveryId)) throw noSuchDelivery()
  return { resellerId: caller.resellerId, endpointId, deliveryId, subClientId }
}

async function listDeliveries(
  { database }: DeliveryDeps,
  caller: Caller,
  id: string,
  query: Static<typeof WebhookDeliveryListQuery>,
): Promise<WebhookDeliveryList> {
  const page = pageRequest('deliveries', query, 'newest first')
  const db = database.tenantPool(caller.resellerId)
  const { endpointId } = await requireEndpoint(db, caller, id)
  const filter = {
    status: query.status,
    eventType: query.eventType,
    eventId: query.eventId,
    from: query.from === undefined ? undefined : timeOf('from', query.from),
    to: query.to === undefined ? undefined : timeOf('to', query.to),
  }
  const rows = await selectDeliveries(db, { resellerId: caller.resellerId, endpointId }, filter, page)
  const { items, pagination } = endPage(rows, page, ({ createdAt, deliveryId }) => ({ at: createdAt, id: deliveryId }))
  return { deliveries: items.map(toPlatformDelivery), pagination }
}

function readRange({ since, until }: RecoverRequest, now: Date): RecoverRange {
  const range = { since: timeOf('since', since), until: typeof until === 'string' ? timeOf('until', until) : now }
  if (range.since > range.until) throw invalid('since', '"since" is later than "until".')
  return range
}

function timeOf(field: string, text: string): Date {
  const timeMs = parseRfc3339(text)
  if (timeMs === undefined) throw invalid(field, `"${field}" is not a time of the form 2026-01-31T08:15:00Z.`)
  return new Date(timeMs)
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_request', message, { details: { field } })
}
